// Reports for people at a terminal; entries: report_text, reports_table. Tested by
// tests/cli/report_test.cpp.
#include <algorithm>
#include <utility>

#include "eval/report.h"
#include "eval/spell.h"

namespace logit::eval {
namespace {

constexpr std::size_t kNameWidth = 26;

void add_line(std::string& text, const std::string& name, const std::string& value) {
  const std::size_t n_spaces = name.size() < kNameWidth ? kNameWidth - name.size() : 1;
  text += "  " + name + std::string(n_spaces, ' ') + value + "\n";
}

void add_left_out(std::string& text, const RunResult& run) {
  if (run.n_out_of_scope > 0) {
    const std::size_t n_asked = run.predictions.size() - run.outcomes.size();
    add_line(text, "out of scope",
             std::to_string(run.n_out_of_scope) + (n_asked == 0 ? " (not asked)" : " (asked)"));
  }
  if (!run.failed.empty()) {
    add_line(text, "failed", std::to_string(run.failed.size()) + " (not measured)");
  }
}

// Columns as wide as their widest cell; the first `n_left` begin at the left.
std::string aligned(const std::vector<std::vector<std::string>>& lines, std::size_t n_left) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string spaces(widths[i] - line[i].size(), ' ');
      if (i > 0) row += "  ";
      row += i < n_left ? line[i] + spaces : spaces + line[i];
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

std::vector<std::string> table_line(const Report& report, bool has_variants) {
  std::vector<std::string> line{one_line(report.task)};
  if (has_variants) line.push_back(one_line(report.variant));
  line.push_back(report.type);
  line.push_back(report.readout);
  line.push_back(std::to_string(report.n));
  line.push_back(std::to_string(report.n_candidates));
  for (const char* name : {"accuracy", "accuracy_se", "majority", "log_loss", "ece", "aurc"}) {
    line.push_back(fixed_text(report.measure(name), 3));
  }
  line.push_back(fixed_text(report.measure("evaluated_per_row"), 1));
  line.push_back(fixed_text(report.measure("ms_per_row"), 1));
  return line;
}

std::string spelled(const PairedDifference& difference) {
  return signed_text(difference.mean, 3) + " [" + signed_text(difference.interval.low, 3) + ", " +
         signed_text(difference.interval.high, 3) + "] p " + fixed_text(difference.p, 4);
}

std::string differences(std::span<const Report> reports) {
  std::vector<std::vector<std::string>> lines{
      {"against the first", "", "accuracy", "log loss", "changed"}};
  for (const Report& report : reports) {
    if (!report.against_first) continue;
    const Comparison& comparison = *report.against_first;
    lines.push_back({one_line(report.task), one_line(report.variant), spelled(comparison.accuracy),
                     spelled(comparison.log_loss),
                     std::to_string(comparison.changed.size()) + " rows"});
  }
  return lines.size() == 1 ? "" : "\n" + aligned(lines, 5);
}

}  // namespace

std::string report_text(const Report& report) {
  std::string text = one_line(report.task) +
                     (report.variant.empty() ? "" : " (" + one_line(report.variant) + ")") + ": " +
                     report.type + ", " + std::to_string(report.n_candidates) + " candidates, " +
                     one_line(report.model) + ", readout " + report.readout + "\n";
  add_line(text, "rows", std::to_string(report.n));
  add_left_out(text, report.run);
  for (const auto& [name, value] : report.measures) add_line(text, name, fixed_text(value));
  add_line(text, "rows_per_second", fixed_text(report.rows_per_second));
  add_line(text, "tokens_evaluated", std::to_string(report.run.evaluated_tokens));
  return text;
}

std::string reports_table(std::span<const Report> reports) {
  const bool has_variants = std::any_of(
      reports.begin(), reports.end(), [](const Report& report) { return !report.variant.empty(); });
  std::vector<std::string> head{"set"};
  if (has_variants) head.emplace_back("variant");
  const std::size_t n_left = head.size() + 2;
  for (const char* name : {"type", "readout", "n", "of", "accuracy", "+-", "majority", "log loss",
                           "ECE", "AURC", "tokens", "ms"}) {
    head.emplace_back(name);
  }
  std::vector<std::vector<std::string>> lines{std::move(head)};
  for (const Report& report : reports) lines.push_back(table_line(report, has_variants));
  return aligned(lines, n_left) + differences(reports);
}

}  // namespace logit::eval
