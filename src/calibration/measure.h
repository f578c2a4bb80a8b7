// Measures of held-out predictions that a fit reports.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace logit::calibration {

// A prediction: the largest probability and whether its candidate was right.
struct Prediction {
  double probability = 0;
  bool is_right = false;
};

// Expected calibration error over 15 bins of equally many rows; equal probabilities share a bin.
double expected_calibration_error(std::vector<Prediction> predictions);

// Chance that a positive value is above a negative one, ties half; nothing without both.
std::optional<double> auroc(std::span<const double> positive, std::span<const double> negative);

}  // namespace logit::calibration
