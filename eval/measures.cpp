// Measures that average a loss over rows; entry: metrics.h. Tested by tests/cli/metrics_test.cpp.
#include <algorithm>
#include <cmath>

#include "eval/metrics.h"

namespace logit::eval {
namespace {

constexpr double kSmallestProbability = 1e-15;

template <class Loss>
std::optional<double> mean_over_rows(const Outcomes& outcomes, Loss loss) {
  if (outcomes.size() == 0) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    sum += loss(outcomes.row(i), outcomes.labels[i]);
  return sum / static_cast<double>(outcomes.size());
}

double squared_distance(std::span<const double> row, std::size_t label) {
  double sum = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double difference = row[k] - (k == label ? 1.0 : 0.0);
    sum += difference * difference;
  }
  return sum;
}

double level_distance(std::span<const double> row, std::size_t label) {
  double score = 0;
  for (std::size_t k = 0; k < row.size(); ++k) score += static_cast<double>(k) * row[k];
  return std::abs(score - static_cast<double>(label));
}

double is_within_one(std::span<const double> row, std::size_t label) {
  const std::size_t best = first_maximum(row);
  return std::max(best, label) - std::min(best, label) <= 1 ? 1.0 : 0.0;
}

double ranked_loss(std::span<const double> row, std::size_t label) {
  if (row.size() < 2) return 0;
  double below = 0;
  double sum = 0;
  for (std::size_t k = 0; k + 1 < row.size(); ++k) {
    below += row[k];
    const double difference = below - (label <= k ? 1.0 : 0.0);
    sum += difference * difference;
  }
  return sum / static_cast<double>(row.size() - 1);
}

}  // namespace

std::optional<double> log_loss(const Outcomes& outcomes) {
  return mean_over_rows(outcomes, [](std::span<const double> row, std::size_t label) {
    return -std::log(std::max(row[label], kSmallestProbability));
  });
}

std::optional<double> brier(const Outcomes& outcomes) {
  return mean_over_rows(outcomes, squared_distance);
}

std::optional<double> mean_absolute_error(const Outcomes& outcomes) {
  return mean_over_rows(outcomes, level_distance);
}

std::optional<double> within_one(const Outcomes& outcomes) {
  return mean_over_rows(outcomes, is_within_one);
}

std::optional<double> ranked_probability_score(const Outcomes& outcomes) {
  return mean_over_rows(outcomes, ranked_loss);
}

std::optional<double> quadratic_kappa(const Outcomes& outcomes) {
  // Mean squared distances need moments only: E (x - y)^2 of the pairs, and of independent draws
  // from both margins, var x + var y + (mean x - mean y)^2.
  const auto n = static_cast<double>(outcomes.size());
  double sum_x = 0;
  double sum_y = 0;
  double sum_xx = 0;
  double sum_yy = 0;
  double observed = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto x = static_cast<double>(first_maximum(outcomes.row(i)));
    const auto y = static_cast<double>(outcomes.labels[i]);
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_yy += y * y;
    observed += (x - y) * (x - y);
  }
  const double expected = sum_xx + sum_yy - 2 * sum_x * sum_y / n;
  if (outcomes.size() == 0 || expected <= 0) return std::nullopt;
  return 1 - observed / expected;
}

}  // namespace logit::eval
