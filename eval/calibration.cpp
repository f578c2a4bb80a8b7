// Parts rows into bins of neighbouring confidence; entry: equal_mass_bins. Tested by
// tests/cli/calibration_test.cpp and tests/cli/metrics_test.cpp.
#include "eval/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eval/metrics.h"

namespace logit::eval {
namespace {

// By rising confidence.
struct SortedRows {
  std::vector<double> confidence;
  std::vector<double> right;  // 0 or 1

  std::size_t size() const { return confidence.size(); }
};

SortedRows sorted_rows(std::span<const double> confidence, std::span<const char> right) {
  std::vector<std::size_t> order(confidence.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return confidence[a] < confidence[b]; });
  SortedRows rows;
  for (const std::size_t i : order) {
    rows.confidence.push_back(confidence[i]);
    rows.right.push_back(right[i] != 0 ? 1.0 : 0.0);
  }
  return rows;
}

double sum_of(std::span<const double> values, std::size_t begin, std::size_t end) {
  const auto part = values.subspan(begin, end - begin);
  return std::accumulate(part.begin(), part.end(), 0.0);
}

double error_of(const SortedRows& rows, std::size_t n_bins) {
  double error = 0;
  std::size_t begin = 0;
  for (const std::size_t end : bin_ends(rows.confidence, n_bins)) {
    error += std::abs(sum_of(rows.confidence, begin, end) - sum_of(rows.right, begin, end));
    begin = end;
  }
  return error / static_cast<double>(rows.size());
}

}  // namespace

std::vector<Bin> equal_mass_bins(std::span<const double> confidence, std::span<const char> right,
                                 std::size_t n_bins) {
  std::vector<Bin> bins;
  const SortedRows rows = sorted_rows(confidence, right);
  std::size_t begin = 0;
  for (const std::size_t end : bin_ends(rows.confidence, n_bins)) {
    const auto n = static_cast<double>(end - begin);
    bins.push_back(
        {end - begin, sum_of(rows.confidence, begin, end) / n, sum_of(rows.right, begin, end) / n});
    begin = end;
  }
  return bins;
}

std::optional<double> calibration_error(std::span<const double> confidence,
                                        std::span<const char> right, std::size_t n_bins) {
  if (confidence.empty() || n_bins == 0) return std::nullopt;
  return error_of(sorted_rows(confidence, right), n_bins);
}

std::optional<double> calibration_error(const Outcomes& outcomes, std::size_t n_bins) {
  const Judged rows = judged(outcomes);
  return calibration_error(rows.confidence, rows.right, n_bins);
}

std::optional<double> classwise_calibration_error(const Outcomes& outcomes, std::size_t n_bins) {
  if (outcomes.size() == 0 || n_bins == 0) return std::nullopt;
  double sum = 0;
  std::vector<double> probability(outcomes.size());
  std::vector<char> is_label(outcomes.size());
  for (std::size_t k = 0; k < outcomes.n_candidates; ++k) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      probability[i] = outcomes.row(i)[k];
      is_label[i] = outcomes.labels[i] == k ? 1 : 0;
    }
    sum += error_of(sorted_rows(probability, is_label), n_bins);
  }
  return sum / static_cast<double>(outcomes.n_candidates);
}

std::optional<Interval> calibration_error_interval(std::span<const double> confidence,
                                                   std::span<const char> right,
                                                   const BootstrapOptions& options,
                                                   std::size_t n_bins) {
  if (confidence.size() < 2 || n_bins == 0 || options.n_resamples == 0) return std::nullopt;
  const SortedRows rows = sorted_rows(confidence, right);
  SortedRows sample;
  std::vector<double> errors;
  for_each_resample(rows.size(), options, [&](std::span<const std::size_t> counts) {
    sample = {};  // repeated in sorted order, so that no resample is sorted again
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sample.confidence.insert(sample.confidence.end(), counts[i], rows.confidence[i]);
      sample.right.insert(sample.right.end(), counts[i], rows.right[i]);
    }
    errors.push_back(error_of(sample, n_bins));
  });
  const double mean =
      std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
  const double shift = error_of(rows, n_bins) - mean;
  const Interval interval = central_interval(std::move(errors));
  return Interval{std::max(0.0, interval.low + shift), interval.high + shift};
}

std::optional<double> calibration_error_by_chance(std::span<const double> confidence,
                                                  const BootstrapOptions& options,
                                                  std::size_t n_bins) {
  if (confidence.size() < 2 || n_bins == 0 || options.n_resamples == 0) return std::nullopt;
  SortedRows rows = sorted_rows(confidence, std::vector<char>(confidence.size()));
  Random random(options.seed);
  double sum = 0;
  for (std::size_t draw = 0; draw < options.n_resamples; ++draw) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows.right[i] = random.unit() < rows.confidence[i] ? 1 : 0;
    }
    sum += error_of(rows, n_bins);
  }
  return sum / static_cast<double>(options.n_resamples);
}

Interval wilson_interval(std::size_t n_hits, std::size_t n) {
  constexpr double kZ = 1.959963984540054;  // 97.5 % point of the normal distribution
  const auto rows = static_cast<double>(n);
  const double share = static_cast<double>(n_hits) / rows;
  const double middle = share + kZ * kZ / (2 * rows);
  const double half = kZ * std::sqrt(share * (1 - share) / rows + kZ * kZ / (4 * rows * rows));
  const double scale = 1 + kZ * kZ / rows;
  return {std::max(0.0, (middle - half) / scale), std::min(1.0, (middle + half) / scale)};
}

}  // namespace logit::eval
