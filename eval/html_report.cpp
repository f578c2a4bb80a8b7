// Puts reports on a page; entry: html_report. Tested by tests/cli/html_report_test.cpp.
#include "eval/html_report.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "eval/confusion.h"
#include "eval/html_text.h"
#include "eval/metrics.h"
#include "eval/plots.h"
#include "eval/spell.h"

namespace logit::eval {
namespace {

constexpr std::size_t kLongestName = 80;
constexpr std::size_t kMostWarnings = 10;

std::string name_text(std::string_view text) { return escaped(cut_text(text, kLongestName)); }

std::string cell(const std::string& text) { return "<td>" + text + "</td>"; }
std::string name_cell(std::string_view text) {
  return "<td class=\"name\">" + name_text(text) + "</td>";
}

std::string number_cell(const Report& report, const char* name, int digits) {
  return cell(fixed_text(report.measure(name), digits));
}

// A bar of `share` of its track, from plain numbers only.
std::string track(double share) {
  const double percent = std::clamp(share, 0.0, 1.0) * 100;
  return "<span class=\"track\"><span style=\"width:" + fixed_text(percent, 1) +
         "%\"></span></span>";
}

std::string accuracy_cell(const Report& report) {
  const std::optional<double> accuracy = report.measure("accuracy");
  if (!accuracy) return cell("no data");
  return cell(track(*accuracy) + fixed_text(accuracy, 3) + " &plusmn; " +
              fixed_text(report.measure("accuracy_se"), 3));
}

std::string ece_cell(const Report& report) {
  if (!report.measure("ece_low")) return number_cell(report, "ece", 3);
  return cell(fixed_text(report.measure("ece"), 3) + " [" +
              fixed_text(report.measure("ece_low"), 3) + ", " +
              fixed_text(report.measure("ece_high"), 3) + "]<br>by chance " +
              fixed_text(report.measure("ece_by_chance"), 3));
}

bool has_variants(std::span<const Report> reports) {
  return std::any_of(reports.begin(), reports.end(),
                     [](const Report& report) { return !report.variant.empty(); });
}

std::string summary_row(const Report& report, bool has_variant) {
  std::string row = "<tr>" + name_cell(report.task);
  if (has_variant) row += name_cell(report.variant);
  row += name_cell(report.type + ", " + report.readout);
  row += cell(std::to_string(report.n)) + cell(std::to_string(report.n_candidates));
  row += accuracy_cell(report) + number_cell(report, "majority", 3);
  row += number_cell(report, "log_loss", 3) + ece_cell(report);
  row += number_cell(report, "aurc", 3) + number_cell(report, "coverage_at_5_risk", 3);
  row += number_cell(report, "evaluated_per_row", 1) + number_cell(report, "ms_per_row", 1);
  return row + "</tr>\n";
}

std::string summary_table(std::span<const Report> reports) {
  const bool has_variant = has_variants(reports);
  std::string text = "<div class=\"wide\"><table><tr><th class=\"name\">set</th>";
  if (has_variant) text += "<th class=\"name\">variant</th>";
  text += "<th class=\"name\">type, readout</th>";
  for (const char* head :
       {"rows", "of", "accuracy &plusmn; standard error", "majority", "log loss", "ECE [95&nbsp;%]",
        "AURC", "answered at<br>5&nbsp;% risk", "tokens<br>a row", "ms<br>a row"}) {
    text += std::string("<th>") + head + "</th>";
  }
  text += "</tr>\n";
  for (const Report& report : reports) text += summary_row(report, has_variant);
  return text + "</table></div>\n";
}

std::string difference_cell(const PairedDifference& difference) {
  return cell(signed_text(difference.mean, 3) + " [" + signed_text(difference.interval.low, 3) +
              ", " + signed_text(difference.interval.high, 3) + "]") +
         cell(fixed_text(difference.p, 4));
}

std::string differences_table(std::span<const Report> reports) {
  std::string rows;
  for (const Report& report : reports) {
    if (!report.against_first) continue;
    const Comparison& comparison = *report.against_first;
    rows += "<tr>" + name_cell(report.task) + name_cell(report.variant) +
            difference_cell(comparison.accuracy) + difference_cell(comparison.log_loss) +
            cell(std::to_string(comparison.n_gained)) + cell(std::to_string(comparison.n_lost)) +
            "</tr>\n";
  }
  if (rows.empty()) return "";
  return "<h3>Against the first variant, paired bootstrap on the same rows</h3>"
         "<div class=\"wide\"><table><tr><th class=\"name\">set</th><th class=\"name\">variant</th>"
         "<th>accuracy [95&nbsp;%]</th><th>p</th><th>log loss [95&nbsp;%]</th><th>p</th>"
         "<th>became right</th><th>became wrong</th></tr>\n" +
         rows + "</table></div>\n";
}

std::string pairs_card(const Report& report) {
  const std::vector<ConfusedPair> pairs = worst_pairs(report.run.outcomes);
  std::string text = "<div class=\"card\"><h3>Most confused</h3>";
  if (pairs.empty()) return text + "<p class=\"faint\">No row was answered wrongly.</p></div>\n";
  text +=
      "<table><tr><th class=\"name\">label</th><th class=\"name\">answered</th>"
      "<th>rows</th><th>confidence</th></tr>\n";
  for (const ConfusedPair& pair : pairs) {
    text += "<tr>" + name_cell(report.candidates[pair.label]) +
            name_cell(report.candidates[pair.predicted]) +
            cell(std::to_string(pair.n) + " of " + std::to_string(pair.n_label)) +
            cell(fixed_text(pair.mean_confidence, 2)) + "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string levels_figure(const Report& report) {
  std::string caption =
      "<span class=\"key other\"></span>label <span class=\"key\"></span>predicted";
  for (std::size_t k = 0; k < report.candidates.size(); ++k) {
    caption += "<br>" + std::to_string(k) + ": " + name_text(report.candidates[k]);
  }
  return figure("Levels", level_plot(report.run.outcomes, report.candidates), caption);
}

std::string measures_details(const Report& report) {
  std::string text = "<details><summary>Every measure</summary><table>\n";
  for (const auto& [name, value] : report.measures) {
    text += "<tr>" + name_cell(name) + cell(fixed_text(value)) + "</tr>\n";
  }
  return text + "</table></details>\n";
}

std::string remarks(const Report& report) {
  const RunResult& run = report.run;
  std::string text;
  for (const auto& [name, value] : report.settings) {
    text +=
        (text.empty() ? "<p class=\"faint\">Set: " : ", ") + escaped(name) + " " + name_text(value);
  }
  if (!text.empty()) text += "</p>";
  if (run.n_out_of_scope > 0) {
    const std::size_t n_asked = run.predictions.size() - run.outcomes.size();
    text += "<p class=\"faint\">" + std::to_string(run.n_out_of_scope) +
            " rows have no right answer; " + std::to_string(n_asked) + " of them were asked.</p>";
  }
  std::vector<std::string> warnings = run.warnings;
  for (const std::string& failed : run.failed) warnings.push_back("not measured: " + failed);
  for (std::size_t i = 0; i < std::min(warnings.size(), kMostWarnings); ++i) {
    text += "<p class=\"warning\">" + escaped(warnings[i]) + "</p>";
  }
  if (warnings.size() > kMostWarnings) {
    text +=
        "<p class=\"warning\">and " + std::to_string(warnings.size() - kMostWarnings) + " more</p>";
  }
  return text;
}

std::string section(const Report& report) {
  std::string text = "<section><h2>" + name_text(report.task) +
                     (report.variant.empty() ? "" : ", " + name_text(report.variant)) + "</h2>\n";
  text += "<p class=\"faint\">" + name_text(report.type) + " of " +
          std::to_string(report.n_candidates) + ", " + std::to_string(report.n) + " rows, " +
          name_text(report.model) + ", readout " + report.readout + "</p>";
  text += remarks(report);
  if (report.n == 0) return text + "<p>No row was measured.</p></section>\n";
  const Judged rows = judged(report.run.outcomes);
  const bool is_score = report.type == question_type_name(QuestionType::kScore);
  text += is_score ? "<div class=\"cards four\">\n" : "<div class=\"cards\">\n";
  text += figure("Reliability", reliability_plot(rows),
                 "A dot a bin of equally many rows, its 95 % interval, and the rows below. On the "
                 "dashed line, confidence is what it says.");
  text += figure("Risk and coverage", risk_coverage_plot(rows),
                 "Errors when only the surest rows are answered; dashed: all rows, dotted: 5 %. "
                 "AURC " +
                     fixed_text(report.measure("aurc"), 3) + ".");
  if (is_score) text += levels_figure(report);
  text += pairs_card(report) + "</div>\n";
  return text + measures_details(report) + "</section>\n";
}

}  // namespace

std::string html_report(std::span<const Report> reports) {
  std::string text;
  if (!reports.empty()) {
    text += "<p class=\"faint\">" + name_text(reports.front().model) + ", " +
            name_text(reports.front().fingerprint) + "</p>\n";
  }
  text += summary_table(reports) + differences_table(reports);
  for (const Report& report : reports) text += section(report);
  return html_page("Evaluation", text);
}

}  // namespace logit::eval
