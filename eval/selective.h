// Selective answering: what is right when only the more confident rows are answered.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace logit::eval {

// The `coverage` most confident rows are answered, `risk` of them wrongly.
struct RiskPoint {
  double coverage = 0;
  double risk = 0;
  double threshold = 0;  // least confidence among them
};

// By rising coverage, one point for each different confidence: a threshold cannot part equals.
std::vector<RiskPoint> risk_coverage(std::span<const double> confidence,
                                     std::span<const char> right);

// Area under the risk-coverage curve: mean over k = 1..n of the risk of the k most confident rows
// (Geifman, Uziel & El-Yaniv 2019); equals count as if in random order.
std::optional<double> area_under_risk_coverage(std::span<const double> confidence,
                                               std::span<const char> right);

// The largest coverage at which the risk is at most `risk`; 0 when there is none. Chosen on the
// rows it is measured on, so it flatters: a promise needs `calibrate`.
std::optional<double> coverage_at_risk(std::span<const double> confidence,
                                       std::span<const char> right, double risk);

}  // namespace logit::eval
