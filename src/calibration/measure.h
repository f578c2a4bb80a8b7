// Measures of held-out predictions that a fit reports.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "logit/calibration.h"

namespace logit::calibration {

// A prediction: the largest probability and whether its candidate was right.
struct Prediction {
  double probability = 0;
  bool is_right = false;
};

// Up to 15 bins of about equally many rows, by rising probability; equal ones share a bin.
std::vector<ReliabilityBin> reliability(std::vector<Prediction> predictions);

// Mean over the rows of how far their bin's confidence is from its share that is right; 0 for none.
double expected_calibration_error(std::span<const ReliabilityBin> bins);

// Chance that a positive value is above a negative one, ties half; nothing without both.
std::optional<double> auroc(std::span<const double> positive, std::span<const double> negative);

}  // namespace logit::calibration
