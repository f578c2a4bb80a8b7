// A report for machines; entry: report_json. Tested by tests/cli/report_test.cpp.
#include <utility>

#include "eval/json_content.h"
#include "eval/labels.h"
#include "eval/report.h"

namespace logit::eval {
namespace {

Content rows_json(const Report& report) {
  Content::Array ids;
  Content::Array hashes;
  Content::Array labels;
  Content::Array predicted;
  Content::Array p_labels;
  for (const Prediction& row : report.run.predictions) {
    if (!row.label) continue;
    ids.emplace_back(row.id);
    hashes.emplace_back(row.state_hash);
    labels.push_back(label_json(row.label, report.question));
    predicted.push_back(label_json(row.answer.best, report.question));
    p_labels.push_back(json_number(row.answer.probabilities[*row.label]));
  }
  Content::Object columns;
  columns.emplace_back("id", Content(std::move(ids)));
  columns.emplace_back("state_hash", Content(std::move(hashes)));
  columns.emplace_back("label", Content(std::move(labels)));
  columns.emplace_back("predicted", Content(std::move(predicted)));
  columns.emplace_back("p_label", Content(std::move(p_labels)));
  return Content(std::move(columns));
}

}  // namespace

Content report_json(const Report& report) {
  Content::Object object;
  object.emplace_back("task", report.task);
  if (!report.variant.empty()) object.emplace_back("variant", report.variant);
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
  Content::Object settings;
  for (const auto& [name, value] : report.settings) settings.emplace_back(name, value);
  object.emplace_back("settings", Content(std::move(settings)));
  if (report.against_first) {
    object.emplace_back("against_first", comparison_json(*report.against_first));
  }
  object.emplace_back("failed", json_texts(report.run.failed));
  object.emplace_back("warnings", json_texts(report.run.warnings));
  object.emplace_back("rows", rows_json(report));
  return Content(std::move(object));
}

Content reports_json(std::span<const Report> reports) {
  if (reports.size() == 1) return report_json(reports.front());
  Content::Array all;
  for (const Report& report : reports) all.push_back(report_json(report));
  Content::Object object;
  object.emplace_back("reports", Content(std::move(all)));
  return Content(std::move(object));
}

std::vector<ComparableRow> comparable_rows(const Report& report) {
  std::vector<ComparableRow> rows;
  for (const Prediction& row : report.run.predictions) {
    if (!row.label) continue;
    rows.push_back({report.task, row.id, row.state_hash,
                    compact_json(label_json(row.label, report.question)),
                    compact_json(label_json(row.answer.best, report.question)),
                    row.answer.probabilities[*row.label]});
  }
  return rows;
}

}  // namespace logit::eval
