// What a readout gives each candidate of one question whatever the state.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace logit::calibration {

// kShare * n / (n + kHalf) * (mean score - its average over the candidates). The mean of the
// scores and the mean of log softmax(scores) differ by a constant, which centring removes.
inline constexpr double kPriorShare = 0.75;
inline constexpr double kPriorHalf = 64;

// REQUIRES: rows not empty, all of one length.
std::vector<double> fit_prior(std::span<const std::span<const double>> rows);

}  // namespace logit::calibration
