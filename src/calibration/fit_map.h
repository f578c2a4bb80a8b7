// Fitting a ScoreMap by log loss.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "calibration/samples.h"
#include "logit/calibration.h"

namespace logit::calibration {

// What of a map is fitted. The rest stays as `start` has it.
struct MapShape {
  ScoreMap start{};
  bool has_temperature = false;
  // Above 0: log T is drawn towards log start.temperature, as by a normal prior of this spread.
  double temperature_spread = 0;
  bool has_tilt = false;
  std::vector<char> has_bias{};  // one a candidate, or empty
  double pull = 1;               // of a bias to 0: a normal prior of this precision
};

// Minimises sum w * (log-sum-exp(u) - sum_i t_i u_i), u mapped and t the target shares, plus the
// priors. Convex in (1 / T, tilt, bias); T is kept in its range. REQUIRES: samples not empty; a
// spread goes with a temperature alone.
ScoreMap fit_map(std::span<const Sample> samples, const MapShape& shape);

// Log loss of each sample, its target being its label.
std::vector<double> losses(std::span<const Sample> samples, const ScoreMap& map);

}  // namespace logit::calibration
