// Parts rows into bins of neighbouring confidence; entry: equal_mass_bins. Tested by
// tests/cli/calibration_test.cpp and tests/cli/metrics_test.cpp.
#include "eval/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eval/metrics.h"

namespace logit::eval {
namespace {

struct SortedRow {
  double confidence = 0;
  double right = 0;
};

std::vector<SortedRow> sorted_rows(std::span<const double> confidence,
                                   std::span<const char> right) {
  std::vector<SortedRow> rows;
  rows.reserve(confidence.size());
  for (std::size_t i = 0; i < confidence.size(); ++i) {
    rows.push_back({confidence[i], right[i] != 0 ? 1.0 : 0.0});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const SortedRow& a, const SortedRow& b) {
    return a.confidence < b.confidence;
  });
  return rows;
}

// Calls visit(part) for each bin that is not empty.
template <class Visit>
void for_each_bin(std::span<const SortedRow> rows, std::size_t n_bins, Visit visit) {
  const std::size_t n = rows.size();
  std::size_t begin = 0;
  for (std::size_t bin = 1; bin <= n_bins && begin < n; ++bin) {
    std::size_t end = std::max(begin, bin * n / n_bins);
    while (end > begin && end < n && rows[end].confidence == rows[end - 1].confidence) ++end;
    if (end > begin) visit(rows.subspan(begin, end - begin));
    begin = end;
  }
}

double error_of(std::span<const SortedRow> rows, std::size_t n_bins) {
  double error = 0;
  for_each_bin(rows, n_bins, [&](std::span<const SortedRow> part) {
    double difference = 0;
    for (const SortedRow& row : part) difference += row.confidence - row.right;
    error += std::abs(difference);
  });
  return error / static_cast<double>(rows.size());
}

}  // namespace

std::vector<Bin> equal_mass_bins(std::span<const double> confidence, std::span<const char> right,
                                 std::size_t n_bins) {
  std::vector<Bin> bins;
  const std::vector<SortedRow> rows = sorted_rows(confidence, right);
  for_each_bin(rows, n_bins, [&](std::span<const SortedRow> part) {
    Bin& bin = bins.emplace_back();
    bin.n = part.size();
    for (const SortedRow& row : part) {
      bin.confidence += row.confidence / static_cast<double>(part.size());
      bin.right += row.right / static_cast<double>(part.size());
    }
  });
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
  const std::vector<SortedRow> rows = sorted_rows(confidence, right);
  std::vector<SortedRow> sample;
  std::vector<double> errors;
  for_each_resample(rows.size(), options, [&](std::span<const std::size_t> counts) {
    sample.clear();  // repeated in sorted order, so that no resample is sorted again
    for (std::size_t i = 0; i < rows.size(); ++i) sample.insert(sample.end(), counts[i], rows[i]);
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
  std::vector<SortedRow> rows = sorted_rows(confidence, std::vector<char>(confidence.size()));
  Random random(options.seed);
  double sum = 0;
  for (std::size_t draw = 0; draw < options.n_resamples; ++draw) {
    for (SortedRow& row : rows) row.right = random.unit() < row.confidence ? 1 : 0;
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
