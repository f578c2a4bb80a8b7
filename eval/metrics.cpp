// Measures that count or rank rows; entry: metrics.h. Tested by tests/cli/metrics_test.cpp.
#include "eval/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logit::eval {
namespace {

// How often each candidate was the label, the prediction, and both.
struct ClassCounts {
  std::vector<std::size_t> labelled;
  std::vector<std::size_t> predicted;
  std::vector<std::size_t> both;
};

double as_double(std::size_t count) { return static_cast<double>(count); }

ClassCounts count_classes(const Outcomes& outcomes) {
  const std::vector<std::size_t> zeros(outcomes.n_candidates, 0);
  ClassCounts counts{zeros, zeros, zeros};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::size_t predicted = first_maximum(outcomes.row(i));
    ++counts.labelled[outcomes.labels[i]];
    ++counts.predicted[predicted];
    if (predicted == outcomes.labels[i]) ++counts.both[predicted];
  }
  return counts;
}

std::vector<std::size_t> order_by(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

}  // namespace

std::size_t first_maximum(std::span<const double> row) {
  return static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

std::optional<double> accuracy(const Outcomes& outcomes) {
  if (outcomes.size() == 0) return std::nullopt;
  const ClassCounts counts = count_classes(outcomes);
  const std::size_t n_right =
      std::accumulate(counts.both.begin(), counts.both.end(), std::size_t{0});
  return as_double(n_right) / as_double(outcomes.size());
}

std::optional<double> balanced_accuracy(const Outcomes& outcomes) {
  if (outcomes.size() == 0) return std::nullopt;
  const ClassCounts counts = count_classes(outcomes);
  double sum = 0;
  std::size_t n_classes = 0;
  for (std::size_t k = 0; k < outcomes.n_candidates; ++k) {
    if (counts.labelled[k] == 0) continue;
    sum += as_double(counts.both[k]) / as_double(counts.labelled[k]);
    ++n_classes;
  }
  return sum / as_double(n_classes);
}

std::optional<double> macro_f1(const Outcomes& outcomes) {
  if (outcomes.size() == 0) return std::nullopt;
  const ClassCounts counts = count_classes(outcomes);
  double sum = 0;
  std::size_t n_classes = 0;
  for (std::size_t k = 0; k < outcomes.n_candidates; ++k) {
    const std::size_t n_seen = counts.labelled[k] + counts.predicted[k];
    if (n_seen == 0) continue;
    sum += 2 * as_double(counts.both[k]) / as_double(n_seen);
    ++n_classes;
  }
  return sum / as_double(n_classes);
}

std::optional<double> majority(const Outcomes& outcomes) {
  if (outcomes.size() == 0) return std::nullopt;
  const ClassCounts counts = count_classes(outcomes);
  return as_double(*std::max_element(counts.labelled.begin(), counts.labelled.end())) /
         as_double(outcomes.size());
}

std::optional<double> calibration_error(std::span<const double> confidence,
                                        std::span<const char> right, std::size_t n_bins) {
  const std::size_t n = confidence.size();
  if (n == 0 || n_bins == 0) return std::nullopt;
  const std::vector<std::size_t> order = order_by(confidence);
  double error = 0;
  std::size_t begin = 0;
  for (std::size_t bin = 1; bin <= n_bins; ++bin) {
    std::size_t end = std::max(begin, bin * n / n_bins);
    while (end > begin && end < n && confidence[order[end]] == confidence[order[end - 1]]) ++end;
    double difference = 0;
    for (std::size_t i = begin; i < end; ++i) {
      difference += confidence[order[i]] - (right[order[i]] != 0 ? 1.0 : 0.0);
    }
    error += std::abs(difference);
    begin = end;
  }
  return error / as_double(n);
}

std::optional<double> calibration_error(const Outcomes& outcomes, std::size_t n_bins) {
  std::vector<double> confidence;
  std::vector<char> right;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::size_t predicted = first_maximum(outcomes.row(i));
    confidence.push_back(outcomes.row(i)[predicted]);
    right.push_back(predicted == outcomes.labels[i] ? 1 : 0);
  }
  return calibration_error(confidence, right, n_bins);
}

std::optional<double> auroc(const Outcomes& outcomes) {
  if (outcomes.n_candidates != 2) return std::nullopt;
  std::vector<double> yes;
  for (std::size_t i = 0; i < outcomes.size(); ++i) yes.push_back(outcomes.row(i)[0]);
  const std::vector<std::size_t> order = order_by(yes);
  // Mann-Whitney: each yes row counts the no rows below it, and half of those beside it.
  double wins = 0;
  std::size_t n_yes = 0;
  std::size_t n_no = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::size_t tied_yes = 0;
    while (end < order.size() && yes[order[end]] == yes[order[begin]]) {
      if (outcomes.labels[order[end++]] == 0) ++tied_yes;
    }
    const std::size_t tied_no = end - begin - tied_yes;
    wins += as_double(tied_yes) * (as_double(n_no) + as_double(tied_no) / 2);
    n_yes += tied_yes;
    n_no += tied_no;
  }
  if (n_yes == 0 || n_no == 0) return std::nullopt;
  return wins / (as_double(n_yes) * as_double(n_no));
}

}  // namespace logit::eval
