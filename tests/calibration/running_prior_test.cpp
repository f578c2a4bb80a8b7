// src/calibration/running_prior.cpp: what a model gives each place, learned from traffic.
#include "logit/running_prior.h"

#include <gtest/gtest.h>

#include <cmath>

#include "calibration/made_up.h"

namespace logit {
namespace {

using Scores = std::vector<double>;

TEST(RunningPrior, NothingIsAppliedBelow32Observations) {
  RunningPrior prior;
  for (int i = 0; i < 31; ++i) prior.observe(QuestionType::kChoice, Scores{1, 0, 0});
  EXPECT_TRUE(prior.correction(QuestionType::kChoice, 3).empty());
  prior.observe(QuestionType::kChoice, Scores{1, 0, 0});
  EXPECT_EQ(prior.correction(QuestionType::kChoice, 3).size(), 3U);
}

TEST(RunningPrior, CorrectionIsTheCentredLogOfTheSmoothedMean) {
  RunningPrior prior;
  for (int i = 0; i < 20; ++i) {
    prior.observe(QuestionType::kChoice, Scores{std::log(0.5), std::log(0.3), std::log(0.2)});
    prior.observe(QuestionType::kChoice, Scores{std::log(0.3), std::log(0.5), std::log(0.2)});
  }
  const double high = std::log(0.9 * 0.4 + 0.1 / 3);
  const double low = std::log(0.9 * 0.2 + 0.1 / 3);
  const double average = (2 * high + low) / 3;
  const auto correction = prior.correction(QuestionType::kChoice, 3);
  EXPECT_NEAR(correction[0], high - average, 1e-12);
  EXPECT_NEAR(correction[1], high - average, 1e-12);
  EXPECT_NEAR(correction[2], low - average, 1e-12);
}

TEST(RunningPrior, AScoreHasItsOwnBucketAndSoHasEveryWidth) {
  RunningPrior prior;
  for (int i = 0; i < 40; ++i) prior.observe(QuestionType::kChoice, Scores{3, 0, 0, 0, 0});
  EXPECT_TRUE(prior.correction(QuestionType::kScore, 5).empty());
  EXPECT_TRUE(prior.correction(QuestionType::kChoice, 4).empty());
  EXPECT_FALSE(prior.correction(QuestionType::kChoice, 5).empty());
}

TEST(RunningPrior, TrafficWithOneRightAnswerDoesNotTurnItAround) {
  RunningPrior prior;
  const Scores sure{4, 0, 0};
  for (int i = 0; i < 1000; ++i) prior.observe(QuestionType::kChoice, sure);
  const auto correction = prior.correction(QuestionType::kChoice, 3);
  for (const double value : correction) EXPECT_LE(std::abs(value), RunningPrior::kMostNats);
  Scores corrected = sure;
  for (std::size_t i = 0; i < 3; ++i) corrected[i] -= correction[i];
  EXPECT_GT(softmax(corrected)[0], 0.7);
}

TEST(RunningPrior, OneCandidateTeachesNothing) {
  RunningPrior prior;
  prior.observe(QuestionType::kChoice, Scores{1});
  EXPECT_TRUE(prior.buckets().empty());
}

TEST(RunningPrior, AddingIsObservingBoth) {
  RunningPrior a;
  RunningPrior b;
  RunningPrior both;
  made_up::Rows random(1);
  for (int i = 0; i < 50; ++i) {
    const Scores scores = random.scores(4, 2);
    (i % 3 == 0 ? a : b).observe(QuestionType::kChoice, scores);
    both.observe(QuestionType::kChoice, scores);
  }
  a.add(b);
  const auto added = a.correction(QuestionType::kChoice, 4);
  const auto observed = both.correction(QuestionType::kChoice, 4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(added[i], observed[i], 1e-12);
}

}  // namespace
}  // namespace logit
