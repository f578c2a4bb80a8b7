// src/calibration/measure.cpp: measures of held-out predictions.
#include "calibration/measure.h"

#include <gtest/gtest.h>

namespace logit::calibration {
namespace {

double ece(std::vector<Prediction> predictions) {
  return expected_calibration_error(reliability(std::move(predictions)));
}

TEST(ExpectedCalibrationError, ProbabilitiesOfZeroAndOneBelongToTheOuterBins) {
  EXPECT_DOUBLE_EQ(ece(std::vector<Prediction>(10, {1, false})), 1);
  EXPECT_DOUBLE_EQ(ece(std::vector<Prediction>(10, {0, false})), 0);
  EXPECT_DOUBLE_EQ(ece(std::vector<Prediction>(10, {1, true})), 0);
  EXPECT_DOUBLE_EQ(ece({}), 0);
}

TEST(ExpectedCalibrationError, EqualProbabilitiesShareABinWhateverTheOrder) {
  std::vector<Prediction> predictions;
  for (int i = 0; i < 100; ++i) predictions.push_back({0.7, i % 10 < 7});
  EXPECT_NEAR(ece(predictions), 0, 1e-12);
}

TEST(Reliability, BinsHoldEveryRowAndTheirMeans) {
  std::vector<Prediction> predictions;
  for (int i = 0; i < 47; ++i) predictions.push_back({i / 47.0, i % 3 == 0});
  std::size_t n = 0;
  double confidence = 0;
  double right = 0;
  const std::vector<ReliabilityBin> bins = reliability(predictions);
  EXPECT_EQ(bins.size(), 15U);
  for (const ReliabilityBin& bin : bins) {
    n += bin.n;
    confidence += static_cast<double>(bin.n) * bin.confidence;
    right += static_cast<double>(bin.n) * bin.right;
  }
  EXPECT_EQ(n, 47U);
  EXPECT_NEAR(confidence, 46 / 2.0, 1e-9);
  EXPECT_NEAR(right, 16, 1e-9);
  EXPECT_TRUE(reliability({}).empty());
}

TEST(Auroc, CountsTiesHalf) {
  const std::vector<double> positive{0.9, 0.5};
  const std::vector<double> negative{0.5, 0.1};
  EXPECT_DOUBLE_EQ(*auroc(positive, negative), 3.5 / 4);
  EXPECT_FALSE(auroc(positive, {}));
}

}  // namespace
}  // namespace logit::calibration
