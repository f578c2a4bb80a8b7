// Fits temperature, tilt and bias; entry: fit_map. Tested by tests/calibration/fit_map_test.cpp.
#include "calibration/fit_map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "calibration/minimise.h"
#include "numeric/log_space.h"

namespace logit::calibration {
namespace {

constexpr double kLeastSlope = 1 / ScoreMap::kMostTemperature;
constexpr double kMostSlope = 1 / ScoreMap::kLeastTemperature;
// Keeps a tilt finite where the labels are all at one end.
constexpr double kTiltPull = 1e-3;

double fit_temperature(std::span<const Sample> samples, const MapShape& shape) {
  ScoreMap map = shape.start;
  const double log_start = std::log(map.temperature);
  const double log_best = minimise_between(
      std::log(ScoreMap::kLeastTemperature), std::log(ScoreMap::kMostTemperature),
      [&](double log_temperature) {
        map.temperature = std::exp(log_temperature);
        const std::vector<double> each = losses(samples, map);
        double sum = 0;
        for (std::size_t i = 0; i < each.size(); ++i) sum += samples[i].weight * each[i];
        if (shape.temperature_spread <= 0) return sum;
        const double distance = (log_temperature - log_start) / shape.temperature_spread;
        return sum + distance * distance / 2;
      });
  return std::clamp(std::exp(log_best), ScoreMap::kLeastTemperature, ScoreMap::kMostTemperature);
}

// The parameters as one vector: 1 / T, the tilt, the biases; those that are not fitted keep a
// gradient of 0.
struct Parameters {
  bool has_slope = false;
  bool has_tilt = false;
  std::span<const char> has_bias;
};

std::vector<double> to_vector(const ScoreMap& map, std::size_t n_bias) {
  std::vector<double> x(2 + n_bias);
  x[0] = 1 / map.temperature;
  x[1] = map.tilt;
  std::copy_n(map.bias.begin(), std::min(n_bias, map.bias.size()), x.begin() + 2);
  return x;
}

double add_sample(const Sample& sample, std::span<const double> x, std::vector<double>& mapped,
                  std::span<double> gradient) {
  const std::size_t n = sample.scores.size();
  const double middle = (static_cast<double>(n) - 1) / 2;
  const bool has_bias = x.size() > 2;
  mapped.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    mapped[i] = sample.scores[i] * x[0] + x[1] * (static_cast<double>(i) - middle);
    if (has_bias) mapped[i] += x[2 + i];
  }
  // mapped becomes exp(mapped - top): exponentials are what a fit spends its time on.
  const double top = *std::max_element(mapped.begin(), mapped.end());
  const double other = n > 1 ? (1 - sample.target) / static_cast<double>(n - 1) : 0;
  double sum = 0;
  double loss = 0;
  for (std::size_t i = 0; i < n; ++i) {
    loss -= (i == sample.label ? sample.target : other) * (mapped[i] - top);
    mapped[i] = std::exp(mapped[i] - top);
    sum += mapped[i];
  }
  loss += std::log(sum);
  for (std::size_t i = 0; i < n; ++i) {
    const double target = i == sample.label ? sample.target : other;
    const double excess = sample.weight * (mapped[i] / sum - target);
    gradient[0] += excess * sample.scores[i];
    gradient[1] += excess * (static_cast<double>(i) - middle);
    if (has_bias) gradient[2 + i] += excess;
  }
  return sample.weight * loss;
}

void clear_unfitted(std::span<double> gradient, const Parameters& fitted) {
  if (!fitted.has_slope) gradient[0] = 0;
  if (!fitted.has_tilt) gradient[1] = 0;
  for (std::size_t i = 0; i < fitted.has_bias.size(); ++i) {
    if (fitted.has_bias[i] == 0) gradient[2 + i] = 0;
  }
}

std::vector<double> minimise_loss(std::span<const Sample> samples, const Parameters& fitted,
                                  double pull, std::vector<double> start) {
  std::vector<double> mapped;
  const Objective objective = [&](std::span<const double> x, std::span<double> gradient) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double sum = 0;
    for (const Sample& sample : samples) sum += add_sample(sample, x, mapped, gradient);
    sum += kTiltPull * x[1] * x[1] / 2;
    gradient[1] += kTiltPull * x[1];
    for (std::size_t i = 2; i < x.size(); ++i) {
      sum += pull * x[i] * x[i] / 2;
      gradient[i] += pull * x[i];
    }
    clear_unfitted(gradient, fitted);
    return sum;
  };
  return minimise(objective, std::move(start));
}

}  // namespace

ScoreMap fit_map(std::span<const Sample> samples, const MapShape& shape) {
  ScoreMap map = shape.start;
  if (!shape.has_tilt && shape.has_bias.empty()) {
    if (shape.has_temperature) map.temperature = fit_temperature(samples, shape);
    return map;
  }
  Parameters fitted{shape.has_temperature, shape.has_tilt, shape.has_bias};
  std::vector<double> x =
      minimise_loss(samples, fitted, shape.pull, to_vector(map, shape.has_bias.size()));
  if (x[0] < kLeastSlope || x[0] > kMostSlope) {
    // The loss is convex, so within the range it is least at the end that was overrun.
    x[0] = std::clamp(x[0], kLeastSlope, kMostSlope);
    fitted.has_slope = false;
    x = minimise_loss(samples, fitted, shape.pull, std::move(x));
  }
  map.temperature = std::clamp(1 / x[0], ScoreMap::kLeastTemperature, ScoreMap::kMostTemperature);
  map.tilt = x[1];
  map.bias.assign(x.begin() + 2, x.end());
  return map;
}

std::vector<double> losses(std::span<const Sample> samples, const ScoreMap& map) {
  std::vector<double> each;
  for (const Sample& sample : samples) {
    const std::vector<double> mapped = map_scores(map, sample.scores);
    each.push_back(log_sum_exp(mapped) - mapped[sample.label]);
  }
  return each;
}

}  // namespace logit::calibration
