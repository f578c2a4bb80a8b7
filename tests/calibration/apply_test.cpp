// src/calibration/apply.cpp: scores to calibrated decisions.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "logit/calibration.h"
#include "numeric/log_space.h"

namespace logit {
namespace {

TEST(MapScores, PriorIsTakenOffBeforeTheTemperatureTiltAndBiasAddedAfter) {
  const ScoreMap map{.temperature = 2, .tilt = 0.5, .bias = {0, 1, -1}};
  const std::vector<double> mapped =
      map_scores(map, std::vector<double>{4, 6, 8}, std::vector<double>{0, 2, 4});
  EXPECT_DOUBLE_EQ(mapped[0], 4 / 2.0 - 0.5);
  EXPECT_DOUBLE_EQ(mapped[1], 4 / 2.0 + 0 + 1);
  EXPECT_DOUBLE_EQ(mapped[2], 4 / 2.0 + 0.5 - 1);
}

TEST(MapScores, NothingChangesUnderTheIdentity) {
  const std::vector<double> scores{-1.5, 0.25, 3};
  EXPECT_EQ(map_scores({}, scores), scores);
}

TEST(MapScores, TiltOfANoulMovesTheOddsOfYesByItsExponential) {
  const std::vector<double> scores{0.3, -0.4};
  const auto odds = [](const std::vector<double>& p) { return p[0] / p[1]; };
  const double before = odds(softmax(map_scores({}, scores)));
  const double after = odds(softmax(map_scores({.tilt = 0.7}, scores)));
  EXPECT_NEAR(after / before, std::exp(-0.7), 1e-12);
}

TEST(AbstainFeatures, AreThoseOfTheHeader) {
  const double log2 = std::log(2.0);
  const AbstainFeatures features = abstain_features(std::vector<double>{1, 1 + log2, -50}, 0.5);
  EXPECT_DOUBLE_EQ(features[0], 1 + log2);
  EXPECT_DOUBLE_EQ(features[1], log2);
  const double entropy = -(1 / 3.0 * std::log(1 / 3.0) + 2 / 3.0 * std::log(2 / 3.0));
  EXPECT_NEAR(features[2], entropy / std::log(3.0), 1e-12);
  EXPECT_NEAR(features[3], std::log(3.0) + 1 - std::log(3.0), 1e-12);
  EXPECT_EQ(features[4], 0.5);
}

TEST(AbstainFeatures, SecondIsFoundWhereverItStands) {
  EXPECT_DOUBLE_EQ(abstain_features(std::vector<double>{5, 1, 3}, 0)[1], 2);
  EXPECT_DOUBLE_EQ(abstain_features(std::vector<double>{3, 1, 5}, 0)[1], 2);
  EXPECT_DOUBLE_EQ(abstain_features(std::vector<double>{5, 5, 1}, 0)[1], 0);
}

TEST(AbstainFeatures, OneCandidateHasNoDistanceAndNoEntropy) {
  const AbstainFeatures features = abstain_features(std::vector<double>{2}, 0);
  EXPECT_EQ(features[1], 0);
  EXPECT_EQ(features[2], 0);
  EXPECT_DOUBLE_EQ(features[3], 2);
}

TEST(AbstainFeatures, UniformScoresHaveEntropyOne) {
  EXPECT_NEAR(abstain_features(std::vector<double>(200, -700.0), 0)[2], 1, 1e-12);
}

TEST(AbstainProbability, IsTheSigmoidOfTheWeightedSum) {
  const AbstainMap map{{0.5, -1, 0, 2, 0, 1}};
  const AbstainFeatures features{1, 9, 0.25, 9, 0.5};
  EXPECT_DOUBLE_EQ(abstain_probability(map, features), 1 / (1 + std::exp(-0.5)));
}

TEST(AbstainProbability, StaysInRangeForScoresFarOut) {
  const AbstainMap map{{0, -1, 0, 0, 0, 0}};
  EXPECT_EQ(abstain_probability(map, {1e6, 0, 0, 0, 0}), 0);
  EXPECT_EQ(abstain_probability(map, {-1e6, 0, 0, 0, 0}), 1);
}

TEST(DefaultAbstainMap, OfALabelReadoutIsTheShareOfNoneOfThese) {
  const AbstainFeatures features = abstain_features(std::vector<double>{3, 1, 0}, std::log(0.25));
  EXPECT_NEAR(abstain_probability(default_abstain_map(Readout::kLabel), features), 0.2, 1e-12);
}

TEST(DefaultAbstainMap, OfTextsIsHowLittleTheStateGivesTheBest) {
  const AbstainMap& map = default_abstain_map(Readout::kText);
  const auto abstain = [&](const std::vector<double>& scores) {
    return abstain_probability(map, abstain_features(scores, 0));
  };
  EXPECT_GT(abstain({0.5, 0.4, -3}), 0.5);
  EXPECT_GT(abstain({0.5, 0.4, -3}), abstain({2, 0.4, -3}));
  EXPECT_LT(abstain({6, 0, 0}), 0.1);
}

TEST(Accepts, TheThresholdItselfIsAccepted) {
  EXPECT_TRUE(accepts({.threshold = 0.8}, 0.8));
  EXPECT_FALSE(accepts({.threshold = 0.8}, std::nextafter(0.8, 0)));
}

TEST(PredictionSet, HoldsWhatReachesTheQuantileAndAlwaysTheBest) {
  const std::vector<double> probabilities{0.5, 0.3, 0.2};
  using Set = std::vector<std::size_t>;
  EXPECT_EQ(prediction_set({0.9, 0.75}, probabilities), (Set{0, 1}));
  EXPECT_EQ(prediction_set({0.9, 0.1}, probabilities), (Set{0}));
  EXPECT_EQ(prediction_set({0.9, 1}, probabilities), (Set{0, 1, 2}));
}

}  // namespace
}  // namespace logit
