// Fits a prior from rows without labels; entry: fit_prior. Tested by
// tests/calibration/fit_prior_test.cpp.
#include "calibration/fit_prior.h"

#include <numeric>

namespace logit::calibration {

std::vector<double> fit_prior(std::span<const std::span<const double>> rows) {
  std::vector<double> mean(rows.front().size(), 0.0);
  for (const auto row : rows) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += row[i];
  }
  const double n = static_cast<double>(rows.size());
  const double average =
      std::accumulate(mean.begin(), mean.end(), 0.0) / static_cast<double>(mean.size());
  for (double& value : mean) {
    value = kPriorShare * n / (n + kPriorHalf) * (value - average) / n;
  }
  return mean;
}

}  // namespace logit::calibration
