// Ranks rows by confidence and counts errors; entry: risk_coverage. Tested by
// tests/cli/selective_test.cpp.
#include "eval/selective.h"

#include <algorithm>
#include <functional>
#include <map>

namespace logit::eval {
namespace {

struct Tally {
  std::size_t n = 0;
  std::size_t n_wrong = 0;
};

using Tallies = std::map<double, Tally, std::greater<>>;  // by confidence, the highest first

Tallies tallies(std::span<const double> confidence, std::span<const char> right) {
  Tallies found;
  for (std::size_t i = 0; i < confidence.size(); ++i) {
    Tally& tally = found[confidence[i]];
    ++tally.n;
    if (right[i] == 0) ++tally.n_wrong;
  }
  return found;
}

double as_double(std::size_t count) { return static_cast<double>(count); }

}  // namespace

std::vector<RiskPoint> risk_coverage(std::span<const double> confidence,
                                     std::span<const char> right) {
  std::vector<RiskPoint> points;
  Tally above;
  for (const auto& [threshold, tally] : tallies(confidence, right)) {
    above.n += tally.n;
    above.n_wrong += tally.n_wrong;
    points.push_back({as_double(above.n) / as_double(confidence.size()),
                      as_double(above.n_wrong) / as_double(above.n), threshold});
  }
  return points;
}

std::optional<double> area_under_risk_coverage(std::span<const double> confidence,
                                               std::span<const char> right) {
  if (confidence.empty()) return std::nullopt;
  double sum = 0;
  Tally above;
  for (const auto& [threshold, tally] : tallies(confidence, right)) {
    const double wrong_share = as_double(tally.n_wrong) / as_double(tally.n);
    for (std::size_t k = 1; k <= tally.n; ++k) {
      sum += (as_double(above.n_wrong) + as_double(k) * wrong_share) / as_double(above.n + k);
    }
    above.n += tally.n;
    above.n_wrong += tally.n_wrong;
  }
  return sum / as_double(confidence.size());
}

std::optional<double> coverage_at_risk(std::span<const double> confidence,
                                       std::span<const char> right, double risk) {
  if (confidence.empty()) return std::nullopt;
  double coverage = 0;
  for (const RiskPoint& point : risk_coverage(confidence, right)) {
    if (point.risk <= risk) coverage = point.coverage;
  }
  return coverage;
}

}  // namespace logit::eval
