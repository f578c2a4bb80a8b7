// Diagrams as SVG fragments, drawn with the page's colours (classes, no inline colour).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "eval/calibration.h"
#include "eval/metrics.h"

namespace logit::eval {

// Stated confidence against the share that is right, a dot a bin with its 95 % interval, and below
// it how many rows each bin has. Up to 15 bins, fewer when rows are few: 10 rows or more in each.
std::string reliability_plot(const Judged& rows);
std::string reliability_plot(std::span<const Bin> bins);

// Share of wrong answers among the most confident rows, over the share of rows answered.
std::string risk_coverage_plot(const Judged& rows);

// Rows by label and by prediction, a pair of bars a level. `names` one a level.
std::string level_plot(const Outcomes& outcomes, const std::vector<std::string>& names);

}  // namespace logit::eval
