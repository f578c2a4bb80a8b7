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

std::optional<double> accuracy_standard_error(const Outcomes& outcomes) {
  const std::optional<double> share = accuracy(outcomes);
  if (!share) return std::nullopt;
  return std::sqrt(*share * (1 - *share) / as_double(outcomes.size()));
}

Judged judged(const Outcomes& outcomes) {
  Judged rows;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::size_t predicted = first_maximum(outcomes.row(i));
    rows.confidence.push_back(outcomes.row(i)[predicted]);
    rows.right.push_back(predicted == outcomes.labels[i] ? 1 : 0);
  }
  return rows;
}

std::optional<double> auroc(std::span<const double> high, std::span<const double> low) {
  if (high.empty() || low.empty()) return std::nullopt;
  std::vector<double> sorted(low.begin(), low.end());
  std::sort(sorted.begin(), sorted.end());
  double wins = 0;
  for (const double value : high) {
    const auto [begin, end] = std::equal_range(sorted.begin(), sorted.end(), value);
    wins += static_cast<double>(begin - sorted.begin()) + static_cast<double>(end - begin) / 2;
  }
  return wins / (as_double(high.size()) * as_double(low.size()));
}

std::optional<double> auroc(const Outcomes& outcomes) {
  if (outcomes.n_candidates != 2) return std::nullopt;
  std::vector<double> yes_rows;
  std::vector<double> no_rows;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    (outcomes.labels[i] == 0 ? yes_rows : no_rows).push_back(outcomes.row(i)[0]);
  }
  return auroc(yes_rows, no_rows);
}

}  // namespace logit::eval
