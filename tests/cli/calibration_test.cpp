// Bins and intervals against scikit-learn and numpy.
#include "eval/calibration.h"

#include <gtest/gtest.h>

#include <vector>

#include "eval/metrics.h"

namespace logit::eval {
namespace {

constexpr double kTolerance = 1e-9;

// 30 different confidences in scrambled order.
Judged thirty() {
  Judged rows;
  for (int i = 0; i < 30; ++i) {
    rows.confidence.push_back((i * 37 % 30 + .5) / 30);
    rows.right.push_back(i % 3 != 0 ? 1 : 0);
  }
  return rows;
}

// sklearn.calibration.calibration_curve(strategy="quantile", n_bins=5)
TEST(Calibration, BinsAgreeWithScikitLearn) {
  const Judged rows = thirty();
  const std::vector<Bin> bins = equal_mass_bins(rows.confidence, rows.right, 5);
  ASSERT_EQ(bins.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(bins[i].n, 6U);
    EXPECT_NEAR(bins[i].confidence, 0.1 + 0.2 * static_cast<double>(i), kTolerance);
    EXPECT_NEAR(bins[i].right, 2.0 / 3, kTolerance);
  }
}

TEST(Calibration, BinsHoldEveryRowOnceAndPartNoEquals) {
  const std::vector<double> confidence{1, 0, .5, .5, .5, .5, .5, 0, 1, 1};
  const std::vector<char> right{1, 0, 1, 0, 1, 1, 0, 0, 1, 1};
  const std::vector<Bin> bins = equal_mass_bins(confidence, right, 15);
  ASSERT_EQ(bins.size(), 3U);
  EXPECT_EQ(bins[0].n, 2U);
  EXPECT_EQ(bins[1].n, 5U);
  EXPECT_EQ(bins[2].n, 3U);
  EXPECT_EQ(bins[2].confidence, 1);
  EXPECT_NEAR(bins[1].right, 0.6, kTolerance);
}

TEST(Calibration, TheIntervalAgreesWithNumpy) {
  const Judged rows = thirty();
  const auto interval = calibration_error_interval(rows.confidence, rows.right);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 0.17952667, 1e-7);
  EXPECT_NEAR(interval->high, 0.42963778, 1e-7);
  EXPECT_FALSE(calibration_error_interval(std::vector<double>{.5}, std::vector<char>{1}));
}

TEST(Calibration, TheIntervalHoldsTheMeasuredErrorAndIsNeverNegative) {
  // Few rows: every plain percentile lies above the error.
  const std::vector<double> confidence{.51, .52, .53, .54, .55, .56, .57, .58};
  const std::vector<char> right{1, 0, 1, 0, 1, 0, 1, 0};
  const double error = *calibration_error(confidence, right, 1);
  const auto interval = calibration_error_interval(confidence, right, {}, 1);
  ASSERT_TRUE(interval);
  EXPECT_GE(interval->low, 0);
  EXPECT_LE(interval->low, error);
  EXPECT_GE(interval->high, error);
}

TEST(Calibration, OneBinErrsByChanceAsABinomialDoes) {
  // E|X - np| / n for 64 rows at a half: sqrt(2 / (64 pi)) / 2 = .0499 for a normal distribution.
  const std::vector<double> confidence(64, .5);
  EXPECT_NEAR(*calibration_error_by_chance(confidence, {20000, 1}, 1), .0497, .002);
  EXPECT_NEAR(*calibration_error_by_chance(std::vector<double>(64, 1.0)), 0, kTolerance);
  EXPECT_FALSE(calibration_error_by_chance(std::vector<double>{.5}));
}

TEST(Calibration, CalibratedRowsErrAboutAsMuchAsByChance) {
  std::vector<double> confidence;
  std::vector<char> right;
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    confidence.push_back(.3 + .6 * random.unit());
    right.push_back(random.unit() < confidence.back() ? 1 : 0);
  }
  const double error = *calibration_error(confidence, right);
  const double by_chance = *calibration_error_by_chance(confidence);
  EXPECT_GT(error, .5 * by_chance);
  EXPECT_LT(error, 1.6 * by_chance);
}

TEST(Calibration, ClasswiseErrorAgreesWithNumpy) {
  const Outcomes outcomes{3,
                          {.7, .2, .1, .1, .8, .1, .3,  .3, .4,  .5,  .4,  .1,
                           .2, .2, .6, .6, .3, .1, .25, .5, .25, .05, .05, .9},
                          {0, 1, 2, 1, 0, 0, 1, 2}};
  EXPECT_NEAR(*classwise_calibration_error(outcomes), 0.2916666666666667, kTolerance);
  EXPECT_NEAR(*classwise_calibration_error(outcomes, 2), 0.1416666666666667, kTolerance);
  EXPECT_FALSE(classwise_calibration_error({3, {}, {}}).has_value());
}

TEST(Calibration, WilsonIntervals) {
  EXPECT_NEAR(wilson_interval(0, 10).low, 0, kTolerance);
  EXPECT_NEAR(wilson_interval(0, 10).high, 0.2775327998628892, kTolerance);
  EXPECT_NEAR(wilson_interval(7, 10).low, 0.3967781474611453, kTolerance);
  EXPECT_NEAR(wilson_interval(7, 10).high, 0.8922087325936988, kTolerance);
  EXPECT_NEAR(wilson_interval(10, 10).high, 1, kTolerance);
}

}  // namespace
}  // namespace logit::eval
