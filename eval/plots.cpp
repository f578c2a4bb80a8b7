// Draws diagrams; entries: reliability_plot, risk_coverage_plot, level_plot. Tested by
// tests/cli/html_report_test.cpp.
#include "eval/plots.h"

#include <algorithm>
#include <cmath>

#include "eval/selective.h"
#include "eval/spell.h"
#include "eval/svg.h"

namespace logit::eval {
namespace {

constexpr double kStripTop = 256;  // of the counts below the reliability diagram
constexpr double kStripHeight = 36;
constexpr std::size_t kMostBins = 15;
constexpr std::size_t kRowsABin = 10;  // fewer say nothing that the eye can use

std::string bin_title(const Bin& bin, const Interval& interval) {
  return std::to_string(bin.n) + " rows: said " + fixed_text(bin.confidence, 3) + ", right " +
         fixed_text(bin.right, 3) + " [" + fixed_text(interval.low, 3) + ", " +
         fixed_text(interval.high, 3) + "]";
}

std::string drawn_bin(const Frame2d& frame, const Bin& bin, std::size_t n_largest) {
  const auto n_hits = static_cast<std::size_t>(std::lround(bin.right * static_cast<double>(bin.n)));
  const Interval interval = wilson_interval(n_hits, bin.n);
  const double share = static_cast<double>(bin.n) / static_cast<double>(n_largest);
  const double x = frame.at(bin.confidence, 0).x;
  const std::string title = bin_title(bin, interval);
  const double bar = share * kStripHeight;
  return svg_line(frame.at(bin.confidence, interval.low), frame.at(bin.confidence, interval.high),
                  "range") +
         svg_dot(frame.at(bin.confidence, bin.right), 2 + 3 * std::sqrt(share), "dot", title) +
         svg_box({x - 2.5, kStripTop + kStripHeight - bar}, 5, bar, "bar", title);
}

// The smallest round number at or above `value` that makes a readable axis.
double round_top(double value) {
  for (const double top : {0.05, 0.1, 0.2, 0.5}) {
    if (value <= top) return top;
  }
  return 1;
}

struct LevelCounts {
  std::vector<std::size_t> labels;
  std::vector<std::size_t> predictions;
};

LevelCounts count_levels(const Outcomes& outcomes) {
  const std::vector<std::size_t> zeros(outcomes.n_candidates, 0);
  LevelCounts counts{zeros, zeros};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ++counts.labels[outcomes.labels[i]];
    ++counts.predictions[first_maximum(outcomes.row(i))];
  }
  return counts;
}

std::string level_bar(double x, double width, std::size_t n, double scale, const char* css_class,
                      const std::string& title) {
  const double height = static_cast<double>(n) * scale;
  return svg_box({x, 180 - height}, width, height, css_class, title) +
         svg_text({x + width / 2, 176 - height}, Anchor::kMiddle, std::to_string(n));
}

}  // namespace

std::string reliability_plot(const Judged& rows) {
  return reliability_plot(
      equal_mass_bins(rows.confidence, rows.right,
                      std::clamp<std::size_t>(rows.confidence.size() / kRowsABin, 1, kMostBins)));
}

std::string reliability_plot(std::span<const Bin> bins) {
  const Frame2d frame;
  std::size_t n_largest = 1;
  for (const Bin& bin : bins) n_largest = std::max(n_largest, bin.n);
  std::string content = frame.drawn("stated confidence", "share right");
  content += svg_line(frame.at(0, 0), frame.at(1, 1), "ideal");
  for (const Bin& bin : bins) content += drawn_bin(frame, bin, n_largest);
  content += svg_line({frame.left, kStripTop + kStripHeight},
                      {frame.right, kStripTop + kStripHeight}, "grid");
  content += svg_text({frame.left - 6, kStripTop + 8}, Anchor::kEnd, std::to_string(n_largest));
  content += svg_text({frame.left - 6, kStripTop + kStripHeight}, Anchor::kEnd, "0");
  content += svg_text({frame.right, kStripTop + kStripHeight + 14}, Anchor::kEnd, "rows a bin");
  return svg_image(kStripTop + kStripHeight + 20, "Reliability diagram", content);
}

std::string risk_coverage_plot(const Judged& rows) {
  const std::vector<RiskPoint> points = risk_coverage(rows.confidence, rows.right);
  Frame2d frame;
  double highest = 0.05;
  for (const RiskPoint& point : points) highest = std::max(highest, point.risk);
  frame.top = round_top(highest);
  std::string content = frame.drawn("share of rows answered, surest first", "share wrong");
  if (points.empty()) return svg_image(248, "Risk-coverage curve", content);
  const double all_wrong = points.back().risk;
  content += svg_line(frame.at(0, all_wrong), frame.at(1, all_wrong), "ideal");
  content += svg_line(frame.at(0, 0.05), frame.at(1, 0.05), "limit");
  std::vector<Point> corners{frame.at(points.front().coverage, points.front().risk)};
  for (const RiskPoint& point : points) corners.push_back(frame.at(point.coverage, point.risk));
  content += svg_path(corners, "curve");
  content +=
      svg_dot(corners.back(), 3.5, "dot", "all rows: " + fixed_text(all_wrong, 3) + " wrong");
  return svg_image(248, "Risk-coverage curve", content);
}

std::string level_plot(const Outcomes& outcomes, const std::vector<std::string>& names) {
  const LevelCounts counts = count_levels(outcomes);
  std::size_t n_largest = 1;
  for (std::size_t k = 0; k < outcomes.n_candidates; ++k) {
    n_largest = std::max({n_largest, counts.labels[k], counts.predictions[k]});
  }
  const double scale = 150 / static_cast<double>(n_largest);
  const double step = 336 / static_cast<double>(std::max<std::size_t>(outcomes.n_candidates, 1));
  const double width = std::min(step * 0.4, 26.0);
  std::string content = svg_line({12, 180}, {348, 180}, "grid");
  for (std::size_t k = 0; k < outcomes.n_candidates; ++k) {
    const double middle = 12 + step * (static_cast<double>(k) + 0.5);
    const std::string level = std::to_string(k) + ", " + names[k];
    content += level_bar(middle - width, width, counts.labels[k], scale, "quiet",
                         level + ": label of " + std::to_string(counts.labels[k]));
    content += level_bar(middle, width, counts.predictions[k], scale, "bar",
                         level + ": predicted for " + std::to_string(counts.predictions[k]));
    content += svg_text({middle, 194}, Anchor::kMiddle, std::to_string(k));
  }
  content += svg_text({348, 208}, Anchor::kEnd, "level");
  return svg_image(214, "Rows a level", content);
}

}  // namespace logit::eval
