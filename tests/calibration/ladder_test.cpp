// src/calibration/ladder.cpp: a step is kept only if rows it was not fitted on gain by it.
#include "calibration/ladder.h"

#include <gtest/gtest.h>

#include "calibration/made_up.h"

namespace logit::calibration {
namespace {

LadderRows drawn(std::size_t n, const ScoreMap& map) {
  LadderRows rows;
  for (const ScoredRow& row : made_up::Rows(2).labelled(n, 3, map)) {
    rows.samples.push_back({row.scores, *row.label});
  }
  rows.divisions = {make_folds(rows.samples, 5, 1)};
  rows.groups.assign(n, 0);
  rows.before.assign(n, {});
  return rows;
}

Step constant(const std::string& name, const ScoreMap& map) {
  return {name, [map](std::span<const std::size_t>) { return Fitted{{}, map}; }};
}

TEST(Ladder, AStepThatHelpsIsKeptAndOneThatHurtsIsNot) {
  Ladder ladder(drawn(300, {.temperature = 4}));
  EXPECT_TRUE(ladder.climb(constant("right", {.temperature = 4})));
  EXPECT_FALSE(ladder.climb(constant("flat", {.temperature = 20})));
  ASSERT_TRUE(ladder.finish());
  EXPECT_EQ(ladder.finish()->map.temperature, 4);
  const HeldOut measured = ladder.measures();
  EXPECT_LT(measured.log_loss_after, measured.log_loss_before - measured.log_loss_se);
  ASSERT_EQ(ladder.notes().size(), 1U);
  EXPECT_EQ(ladder.notes()[0].find("flat not kept: held-out log loss rose by "), 0U);
}

TEST(Ladder, AGainWithinItsStandardErrorIsNotKept) {
  Ladder ladder(drawn(300, {}));
  EXPECT_FALSE(ladder.climb(constant("same", {})));
  EXPECT_FALSE(ladder.finish());
  const HeldOut measured = ladder.measures();
  EXPECT_EQ(measured.log_loss_before, measured.log_loss_after);
  EXPECT_EQ(measured.log_loss_se, 0);
}

TEST(Ladder, NoRowIsPredictedByAFitThatSawIt) {
  LadderRows rows = drawn(50, {});
  const std::vector<std::size_t> folds = rows.divisions.front();
  Ladder ladder(std::move(rows));
  std::vector<std::vector<std::size_t>> seen;
  ladder.climb({"spy", [&](std::span<const std::size_t> training) {
                  seen.emplace_back(training.begin(), training.end());
                  return Fitted{};
                }});
  ASSERT_EQ(seen.size(), 5U);
  for (std::size_t fold = 0; fold < 5; ++fold) {
    for (const std::size_t i : seen[fold]) EXPECT_NE(folds[i], fold);
    EXPECT_EQ(seen[fold].size(), 40U);
  }
}

TEST(Ladder, AGainIsAveragedOverTheDivisions) {
  LadderRows rows = drawn(300, {.temperature = 4});
  std::size_t n_fits = 0;
  const Step lucky{"helps in the first division", [&](std::span<const std::size_t>) {
                     return Fitted{{}, {.temperature = n_fits++ < 5 ? 4.0 : 0.2}};
                   }};
  EXPECT_TRUE(Ladder(rows).climb(lucky));
  n_fits = 0;
  rows.divisions.push_back(make_folds(rows.samples, 5, 2));
  EXPECT_FALSE(Ladder(rows).climb(lucky));
  EXPECT_EQ(n_fits, 10U);
}

TEST(Ladder, AGainOnOneGroupOfFourIsNoGain) {
  // Over rows the gain is sure, over groups it may be chance: three of four do not gain.
  LadderRows rows = drawn(400, {.temperature = 4});
  made_up::Rows random(9);
  for (std::size_t i = 0; i < 400; ++i) {
    rows.groups[i] = i % 4;
    if (i % 4 != 0) rows.samples[i].scores = {0, 0, 0};
  }
  Ladder ladder(rows);
  EXPECT_FALSE(ladder.climb(constant("right for one", {.temperature = 4})));
  rows.groups.assign(400, 0);
  EXPECT_TRUE(Ladder(rows).climb(constant("right", {.temperature = 4})));
}

TEST(Ladder, MajorityIsTheShareOfTheMostFrequentLabel) {
  LadderRows rows;
  for (std::size_t i = 0; i < 10; ++i) {
    rows.samples.push_back({{static_cast<double>(i), 0}, i < 7 ? 0U : 1U});
  }
  rows.divisions = {make_folds(rows.samples, 2, 1)};
  rows.groups.assign(10, 0);
  rows.before.assign(10, {});
  EXPECT_DOUBLE_EQ(Ladder(rows).measures().majority, 0.7);
}

}  // namespace
}  // namespace logit::calibration
