// Measures against scikit-learn 1.9.1 (numpy where it has none), values to the last digit.
#include "eval/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace logit::eval {
namespace {

constexpr double kTolerance = 1e-12;

Outcomes choice() {
  return {3,
          {.7, .2, .1, .1, .8, .1, .3,  .3, .4,  .5,  .4,  .1,
           .2, .2, .6, .6, .3, .1, .25, .5, .25, .05, .05, .9},
          {0, 1, 2, 1, 0, 0, 1, 2}};
}

// scikit-learn counts 1 as yes; here candidate 0 is yes.
Outcomes noul() {
  Outcomes outcomes{2, {}, {0, 0, 1, 0, 1, 1, 1, 1}};
  for (const double yes : {.9, .8, .8, .35, .35, .1, .6, .2}) {
    outcomes.probabilities.push_back(yes);
    outcomes.probabilities.push_back(1 - yes);
  }
  return outcomes;
}

Outcomes score() {
  return {5,
          {.1, .2, .4, .2, .1, .6, .3, .1, 0., 0., 0., .1, .2, .3, .4, .2, .2, .2, .2, .2},
          {2, 0, 3, 4}};
}

double ece_of(std::vector<double> confidence, std::vector<char> right) {
  return calibration_error(confidence, right).value_or(std::nan(""));
}

TEST(Metrics, ChoiceAgreesWithScikitLearn) {
  EXPECT_NEAR(*accuracy(choice()), 0.75, kTolerance);
  EXPECT_NEAR(*balanced_accuracy(choice()), 0.7777777777777777, kTolerance);
  EXPECT_NEAR(*macro_f1(choice()), 0.7555555555555555, kTolerance);
  EXPECT_NEAR(*log_loss(choice()), 0.6663963989273893, kTolerance);
  EXPECT_NEAR(*brier(choice()), 0.38125, kTolerance);
  EXPECT_NEAR(*majority(choice()), 0.375, kTolerance);
  EXPECT_NEAR(*accuracy_standard_error(choice()), 0.15309310892394862, kTolerance);
  EXPECT_NEAR(*quadratic_kappa(choice()), 0.5454545454545454, kTolerance);
}

TEST(Metrics, NoulAgreesWithScikitLearn) {
  EXPECT_NEAR(*auroc(noul()), 0.8, kTolerance);
  EXPECT_NEAR(*brier(noul()), 2 * 0.20562500000000003, kTolerance);
  EXPECT_NEAR(*log_loss(noul()), 0.5829177273554325, kTolerance);
}

TEST(Metrics, ScoreAgreesWithNumpy) {
  EXPECT_NEAR(*mean_absolute_error(score()), 0.625, kTolerance);
  EXPECT_NEAR(*within_one(score()), 0.75, kTolerance);
  EXPECT_NEAR(*ranked_probability_score(score()), 0.114375, kTolerance);
  EXPECT_NEAR(*quadratic_kappa(score()), 0.2272727272727273, kTolerance);
}

TEST(Metrics, AurocOfTwoListsCountsTiesHalf) {
  EXPECT_NEAR(*auroc(std::vector<double>{.9, .5, .5}, std::vector<double>{.5, .2, .7, .1}), 0.75,
              kTolerance);
  EXPECT_FALSE(auroc(std::vector<double>{}, std::vector<double>{.5}).has_value());
}

TEST(Metrics, KappaNeedsTwoDifferentLevels) {
  EXPECT_FALSE(quadratic_kappa({2, {.9, .1, .8, .2}, {0, 0}}).has_value());
  EXPECT_EQ(*quadratic_kappa({2, {.9, .1, .2, .8}, {0, 1}}), 1);
  EXPECT_EQ(*quadratic_kappa({2, {.9, .1, .2, .8}, {1, 0}}), -1);
}

// 30 different confidences in scrambled order, two a bin.
TEST(Metrics, CalibrationErrorAgreesWithNumpy) {
  std::vector<double> confidence;
  std::vector<char> right;
  for (int i = 0; i < 30; ++i) {
    confidence.push_back((i * 37 % 30 + .5) / 30);
    right.push_back(i % 3 != 0 ? 1 : 0);
  }
  EXPECT_NEAR(ece_of(confidence, right), 0.3088888888888889, kTolerance);
}

// C59: confidences of exactly 0 and 1 were dropped by half-open bins.
TEST(Metrics, ConfidencesOfZeroAndOneBelongToTheOuterBins) {
  const std::vector<double> ones(10, 1.0);
  const std::vector<double> zeros(10, 0.0);
  EXPECT_EQ(ece_of(ones, std::vector<char>(10, 0)), 1.0);
  EXPECT_EQ(ece_of(zeros, std::vector<char>(10, 0)), 0.0);
  EXPECT_EQ(ece_of(ones, std::vector<char>(10, 1)), 0.0);
}

TEST(Metrics, EqualConfidencesShareABinWhateverTheOrderOfRows) {
  std::vector<double> confidence(40, 0.75);
  std::vector<char> right(40, 1);
  for (std::size_t i = 0; i < 10; ++i) right[i] = 0;
  EXPECT_NEAR(ece_of(confidence, right), 0, kTolerance);
  EXPECT_NEAR(ece_of(confidence, {right.rbegin(), right.rend()}), 0, kTolerance);
}

TEST(Metrics, NothingToMeasureIsNoDataNeverNan) {
  const Outcomes none{3, {}, {}};
  for (const auto measure :
       {accuracy, balanced_accuracy, macro_f1, majority, log_loss, brier, mean_absolute_error,
        within_one, ranked_probability_score, quadratic_kappa, accuracy_standard_error}) {
    EXPECT_FALSE(measure(none).has_value());
  }
  EXPECT_FALSE(calibration_error(none).has_value());
  EXPECT_FALSE(auroc(none).has_value());
}

TEST(Metrics, AurocWithOneClassIsNoData) {
  EXPECT_FALSE(auroc({2, {.9, .1, .8, .2}, {0, 0}}).has_value());
  EXPECT_FALSE(auroc(choice()).has_value());
}

TEST(Metrics, AnImpossibleLabelCostsAFiniteLoss) {
  EXPECT_NEAR(*log_loss({2, {0, 1}, {0}}), -std::log(1e-15), kTolerance);
}

TEST(Metrics, TheFirstOfEqualProbabilitiesIsPredicted) {
  EXPECT_EQ(*accuracy({2, {.5, .5, .5, .5}, {0, 1}}), 0.5);
}

TEST(Metrics, AScoreOfOneLevelIsAlwaysRight) {
  EXPECT_EQ(*ranked_probability_score({1, {1}, {0}}), 0);
  EXPECT_EQ(*within_one({1, {1}, {0}}), 1);
}

}  // namespace
}  // namespace logit::eval
