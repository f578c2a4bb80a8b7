#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

Weighing list_of(std::initializer_list<std::uint32_t> outputs) {
  Weighing weighing;
  for (const std::uint32_t output : outputs) weighing.candidates.push_back({{{output}}, 1});
  return weighing;
}

double ln(double p) { return std::log(p); }

TEST(LabelMass, IsTheMeanOverOrdersOfAllThatIsListed) {
  Reading reading;
  reading.lists = {list_of({0, 1}), list_of({3, 4})};
  reading.declines = {list_of({2}), list_of({5})};
  const std::vector<double> outputs = {ln(.2), ln(.3), ln(.1), ln(.4), ln(.3), ln(.2)};
  EXPECT_NEAR(label_mass(reading, outputs), (.6 + .9) / 2, 1e-12);
}

TEST(DeclineLogOdds, ComparesNoneOfTheseWithAllCandidates) {
  Reading reading;
  reading.lists = {list_of({0, 1})};
  reading.declines = {list_of({2})};
  const std::vector<double> outputs = {ln(.2), ln(.4), ln(.3)};
  const std::vector<double> listed = read_scores(reading.lists, outputs);
  EXPECT_NEAR(decline_log_odds(reading, listed, outputs), ln(.3 / .6), 1e-12);
}

TEST(LabelMass, OfGroupsIsTheirMean) {
  Reading reading;
  reading.lists = {{{Weight{{{0}}, 1, {1}}, Weight{{{2}}, 1, {3}}}, 1}};
  reading.declines = {{{Weight{{{1}}, 1, {1}}}, 1}, {{Weight{{{3}}, 1, {3}}}, 1}};
  const std::vector<double> outputs = {ln(.5), ln(.4), ln(.2), ln(.3)};
  EXPECT_NEAR(label_mass(reading, outputs), (.9 + .5) / 2, 1e-12);
  const std::vector<double> listed = read_scores(reading.lists, outputs);
  EXPECT_NEAR(listed[0], ln(.5 / .4), 1e-12);
  EXPECT_NEAR(decline_log_odds(reading, listed, outputs), -ln(.5 / .4 + .2 / .3), 1e-12);
}

TEST(OrderSpread, IsZeroWhenOrdersAgreeAndOneWhenTheyExclude) {
  const std::vector<Weighing> lists = {list_of({0, 1}), list_of({2, 3})};
  EXPECT_NEAR(order_spread(lists, std::vector<double>{ln(.2), ln(.4), ln(.1), ln(.2)}), 0, 1e-12);
  EXPECT_NEAR(order_spread(lists, std::vector<double>{ln(.9), -800, -800, ln(.9)}), 1, 1e-12);
}

TEST(OrderSpread, IsTheMeanOverPairs) {
  const std::vector<Weighing> lists = {list_of({0, 1}), list_of({0, 1}), list_of({1, 0})};
  EXPECT_NEAR(order_spread(lists, std::vector<double>{ln(.75), ln(.25)}), .5 * 2 / 3, 1e-12);
}

}  // namespace
}  // namespace logit::pipeline
