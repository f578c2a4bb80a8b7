#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

using Values = std::vector<double>;

TEST(ReadScores, TokensOfASpellingAddAndSpellingsAddAsProbabilities) {
  const Values outputs = {std::log(0.5), std::log(0.2), std::log(0.1), std::log(0.3)};
  const std::vector<Weighing> weighings = {{{{{{0, 1}}}, {{{2}, {3}}}}}};
  const Values scores = read_scores(weighings, outputs);
  EXPECT_NEAR(scores[0], std::log(0.1), 1e-12);
  EXPECT_NEAR(scores[1], std::log(0.4), 1e-12);
}

TEST(ReadScores, WeighingsAreAveragedInLogSpace) {
  const Values outputs = {-1, -3, -2, -8};
  const std::vector<Weighing> weighings = {{{{{{0}}}, {{{1}}}}}, {{{{{2}}}, {{{3}}}}}};
  EXPECT_EQ(read_scores(weighings, outputs), (Values{-1.5, -5.5}));
}

TEST(ReadScores, WeighingsCountByTheirShares) {
  const std::vector<Weighing> weighings = {{{{{{0}}}}, 3}, {{{{{1}}}}, 1}};
  EXPECT_EQ(read_scores(weighings, Values{-4, -8}), Values{-5});
}

TEST(ReadScores, AScaleMultipliesTheLogarithm) {
  const std::vector<Weighing> weighings = {{{{{{0, 1}}, 0.5}}}};
  EXPECT_EQ(read_scores(weighings, Values{-3, -1}), Values{-2});
}

TEST(ReadScores, NoWeighingsReadNothing) { EXPECT_TRUE(read_scores({}, Values{-1.0}).empty()); }

TEST(ReadScores, VerySmallProbabilitiesStayFinite) {
  const Values outputs = {-900, -905};
  const std::vector<Weighing> weighings = {{{{{{0}, {1}}}}}};
  EXPECT_NEAR(read_scores(weighings, outputs)[0], -900 + std::log1p(std::exp(-5.0)), 1e-9);
}

TEST(Against, GivesTheShareOfYes) {
  const Values share = against(Values{std::log(0.3), -800}, Values{std::log(0.1), -800});
  EXPECT_NEAR(share[0], std::log(0.75), 1e-12);
  EXPECT_NEAR(share[1], std::log(0.5), 1e-12);
}

TEST(Gain, IsWhatTheStateAddsToTheBaseline) {
  EXPECT_EQ(gain(Values{-4, -6}, Values{-1, -5}), (Values{-3, -1}));
  EXPECT_EQ(gain(Values{-4, -6}, {}), (Values{-4, -6}));
}

TEST(ReadScores, SubtractsAReference) {
  const std::vector<Weighing> weighings = {{{Weight{{{0}}, 1, {2}}, Weight{{{1}}, .5, {2}}}}};
  EXPECT_EQ(read_scores(weighings, std::vector<double>{-1, -3, -2}), (std::vector<double>{1, -.5}));
}

}  // namespace
}  // namespace logit::pipeline
