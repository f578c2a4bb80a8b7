// Measures predictions; entry: measure.h. Tested by tests/calibration/measure_test.cpp.
#include "calibration/measure.h"

#include <algorithm>
#include <cmath>

namespace logit::calibration {

double expected_calibration_error(std::vector<Prediction> predictions) {
  constexpr std::size_t kBins = 15;
  const std::size_t n = predictions.size();
  if (n == 0) return 0;
  std::stable_sort(predictions.begin(), predictions.end(),
                   [](const auto& a, const auto& b) { return a.probability < b.probability; });
  double error = 0;
  std::size_t begin = 0;
  for (std::size_t bin = 1; bin <= kBins; ++bin) {
    std::size_t end = std::max(begin, bin * n / kBins);
    while (end > begin && end < n &&
           predictions[end].probability == predictions[end - 1].probability) {
      ++end;
    }
    double excess = 0;
    for (; begin < end; ++begin) {
      excess += predictions[begin].probability - (predictions[begin].is_right ? 1 : 0);
    }
    error += std::abs(excess);
  }
  return error / static_cast<double>(n);
}

std::optional<double> auroc(std::span<const double> positive, std::span<const double> negative) {
  if (positive.empty() || negative.empty()) return std::nullopt;
  std::vector<double> sorted(negative.begin(), negative.end());
  std::sort(sorted.begin(), sorted.end());
  double wins = 0;
  for (const double value : positive) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    wins += static_cast<double>(first - sorted.begin()) + static_cast<double>(last - first) / 2;
  }
  return wins / (static_cast<double>(positive.size()) * static_cast<double>(negative.size()));
}

}  // namespace logit::calibration
