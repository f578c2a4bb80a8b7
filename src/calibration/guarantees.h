// Promises that hold for rows like those they were chosen on.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/measure.h"
#include "logit/calibration.h"

namespace logit::calibration {

inline constexpr double kDoubt = 0.05;          // a promise may fail this often
inline constexpr std::size_t kThresholds = 10;  // tried: the surest 10, 20, ..., 100 % of the rows

// The lowest of the tried thresholds whose accepted rows are wrong at most as often as `risk`, by
// the upper bound at 1 - kDoubt / kThresholds. Nothing when none is; `note` then says why and how
// many rows are needed.
std::optional<Acceptance> find_acceptance(std::span<const Prediction> held_out, double risk,
                                          std::string& note);

// From the probabilities of the right candidates. Below 1 / (1 - coverage) - 1 rows the set is
// always everything, and `note` says so.
ConformalQuantile find_conformal(std::span<const double> of_the_right, double coverage,
                                 std::string& note);

}  // namespace logit::calibration
