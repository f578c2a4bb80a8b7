// Measures predictions; entry: measure.h. Tested by tests/calibration/measure_test.cpp.
#include "calibration/measure.h"

#include <algorithm>
#include <cmath>

namespace logit::calibration {
namespace {

// REQUIRES: not empty.
ReliabilityBin bin_of(std::span<const Prediction> predictions) {
  ReliabilityBin bin{predictions.size(), 0, 0};
  for (const Prediction& prediction : predictions) {
    bin.confidence += prediction.probability;
    bin.right += prediction.is_right ? 1 : 0;
  }
  bin.confidence /= static_cast<double>(bin.n);
  bin.right /= static_cast<double>(bin.n);
  return bin;
}

}  // namespace

std::vector<ReliabilityBin> reliability(std::vector<Prediction> predictions) {
  constexpr std::size_t kBins = 15;
  std::stable_sort(predictions.begin(), predictions.end(),
                   [](const auto& a, const auto& b) { return a.probability < b.probability; });
  std::vector<double> sorted;
  for (const Prediction& prediction : predictions) sorted.push_back(prediction.probability);
  std::vector<ReliabilityBin> bins;
  std::size_t begin = 0;
  for (const std::size_t end : bin_ends(sorted, kBins)) {
    bins.push_back(bin_of(std::span(predictions).subspan(begin, end - begin)));
    begin = end;
  }
  return bins;
}

double expected_calibration_error(std::span<const ReliabilityBin> bins) {
  double error = 0;
  double n = 0;
  for (const ReliabilityBin& bin : bins) {
    error += static_cast<double>(bin.n) * std::abs(bin.confidence - bin.right);
    n += static_cast<double>(bin.n);
  }
  return n > 0 ? error / n : 0;
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
