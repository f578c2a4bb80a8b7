// src/calibration/measure.cpp: measures of held-out predictions.
#include "calibration/measure.h"

#include <gtest/gtest.h>

namespace logit::calibration {
namespace {

TEST(ExpectedCalibrationError, ProbabilitiesOfZeroAndOneBelongToTheOuterBins) {
  EXPECT_DOUBLE_EQ(expected_calibration_error(std::vector<Prediction>(10, {1, false})), 1);
  EXPECT_DOUBLE_EQ(expected_calibration_error(std::vector<Prediction>(10, {0, false})), 0);
  EXPECT_DOUBLE_EQ(expected_calibration_error(std::vector<Prediction>(10, {1, true})), 0);
  EXPECT_DOUBLE_EQ(expected_calibration_error({}), 0);
}

TEST(ExpectedCalibrationError, EqualProbabilitiesShareABinWhateverTheOrder) {
  std::vector<Prediction> predictions;
  for (int i = 0; i < 100; ++i) predictions.push_back({0.7, i % 10 < 7});
  EXPECT_NEAR(expected_calibration_error(predictions), 0, 1e-12);
}

TEST(Auroc, CountsTiesHalf) {
  const std::vector<double> positive{0.9, 0.5};
  const std::vector<double> negative{0.5, 0.1};
  EXPECT_DOUBLE_EQ(*auroc(positive, negative), 3.5 / 4);
  EXPECT_FALSE(auroc(positive, {}));
}

}  // namespace
}  // namespace logit::calibration
