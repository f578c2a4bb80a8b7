// Turns a run into a report; entry: make_report. Tested by tests/cli/report_test.cpp.
#include "eval/report.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "eval/json_content.h"
#include "eval/metrics.h"

namespace logit::eval {
namespace {

constexpr std::size_t kNameWidth = 18;

std::string readout_of(const RunResult& run) {
  if (run.outcomes.size() == 0) return "none";
  if (run.n_label_readout == 0) return readout_name(Readout::kText);
  if (run.n_label_readout == run.outcomes.size()) return readout_name(Readout::kLabel);
  return "mixed";
}

void add_measures(Report& report, const Outcomes& outcomes, QuestionType type) {
  auto& measures = report.measures;
  measures.emplace_back("accuracy", accuracy(outcomes));
  measures.emplace_back("balanced_accuracy", balanced_accuracy(outcomes));
  measures.emplace_back("macro_f1", macro_f1(outcomes));
  measures.emplace_back("majority", majority(outcomes));
  measures.emplace_back("log_loss", log_loss(outcomes));
  measures.emplace_back("brier", brier(outcomes));
  measures.emplace_back("ece", calibration_error(outcomes));
  if (type == QuestionType::kNoul) measures.emplace_back("auroc", auroc(outcomes));
  if (type == QuestionType::kScore) {
    measures.emplace_back("mae", mean_absolute_error(outcomes));
    measures.emplace_back("within_1", within_one(outcomes));
    measures.emplace_back("rps", ranked_probability_score(outcomes));
  }
}

// Four digits after the point, whatever the locale.
std::string fixed_text(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return "no data";
  char digits[400];
  const auto [end, fault] =
      std::to_chars(digits, digits + sizeof digits, *value, std::chars_format::fixed, 4);
  return fault == std::errc() ? std::string(digits, end) : "no data";
}

void add_line(std::string& text, const std::string& name, const std::string& value) {
  const std::size_t n_spaces = name.size() < kNameWidth ? kNameWidth - name.size() : 1;
  text += "  " + name + std::string(n_spaces, ' ') + value + "\n";
}

}  // namespace

Report make_report(const Task& task, RunResult run, const ModelInfo& model) {
  Report report;
  report.task = task.name;
  report.type = question_type_name(task.question.type);
  report.model = model.id;
  report.fingerprint = model.fingerprint;
  report.readout = readout_of(run);
  report.n = run.outcomes.size();
  report.n_candidates = run.outcomes.n_candidates;
  add_measures(report, run.outcomes, task.question.type);
  if (report.n > 0 && run.seconds > 0) {
    report.rows_per_second = static_cast<double>(report.n) / run.seconds;
  }
  run.outcomes = Outcomes{};
  report.run = std::move(run);
  return report;
}

Content report_json(const Report& report) {
  Content::Object object;
  object.emplace_back("task", report.task);
  object.emplace_back("type", report.type);
  object.emplace_back("candidates", json_count(report.n_candidates));
  object.emplace_back("n", json_count(report.n));
  object.emplace_back("n_out_of_scope", json_count(report.run.n_out_of_scope));
  object.emplace_back("n_failed", json_count(report.run.failed.size()));
  for (const auto& [name, value] : report.measures) object.emplace_back(name, json_number(value));
  object.emplace_back("seconds", json_number(report.run.seconds));
  object.emplace_back("rows_per_second", json_number(report.rows_per_second));
  object.emplace_back("input_tokens", json_count(report.run.input_tokens));
  object.emplace_back("tokens_evaluated", json_count(report.run.evaluated_tokens));
  object.emplace_back("tokens_reused", json_count(report.run.reused_tokens));
  object.emplace_back("readout", report.readout);
  object.emplace_back("model", report.model);
  object.emplace_back("fingerprint", report.fingerprint);
  object.emplace_back("failed", json_texts(report.run.failed));
  object.emplace_back("warnings", json_texts(report.run.warnings));
  return Content(std::move(object));
}

std::string report_text(const Report& report) {
  std::string text = report.task + ": " + report.type + ", " + std::to_string(report.n_candidates) +
                     " candidates, " + report.model + ", readout " + report.readout + "\n";
  add_line(text, "rows", std::to_string(report.n));
  if (report.run.n_out_of_scope > 0) {
    add_line(text, "out of scope", std::to_string(report.run.n_out_of_scope) + " (not asked)");
  }
  if (!report.run.failed.empty()) {
    add_line(text, "failed", std::to_string(report.run.failed.size()) + " (not measured)");
  }
  for (const auto& [name, value] : report.measures) add_line(text, name, fixed_text(value));
  add_line(text, "rows_per_second", fixed_text(report.rows_per_second));
  add_line(text, "tokens_evaluated", std::to_string(report.run.evaluated_tokens));
  return text;
}

}  // namespace logit::eval
