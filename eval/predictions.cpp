// Writes answers as lines of JSON; entry: predictions_jsonl. Tested by
// tests/cli/predictions_test.cpp.
#include "eval/predictions.h"

#include <utility>

#include "eval/json_content.h"
#include "eval/labels.h"

namespace logit::eval {
namespace {

Content::Object head_of(const Report& report, const std::string& id) {
  Content::Object object;
  object.emplace_back("task", report.task);
  if (!report.variant.empty()) object.emplace_back("variant", report.variant);
  object.emplace_back("id", id);
  return object;
}

void add_answer(Content::Object& object, const Answer& answer) {
  object.emplace_back("probabilities", json_numbers(answer.probabilities));
  object.emplace_back("scores", json_numbers(answer.scores));
  object.emplace_back("raw", json_numbers(answer.raw));
  object.emplace_back("baseline", json_numbers(answer.baseline));
  object.emplace_back("temperature", json_number(answer.temperature));
  object.emplace_back("readout", readout_name(answer.readout));
  object.emplace_back("abstain", json_number(answer.abstain));
  object.emplace_back("label_mass", json_number(answer.label_mass));
  object.emplace_back("order_spread", json_number(answer.order_spread));
  object.emplace_back("accept", answer.accept ? Content(*answer.accept) : Content());
}

std::string line_of(const Report& report, const Prediction& row) {
  Content::Object object = head_of(report, row.id);
  object.emplace_back("state_hash", row.state_hash);
  object.emplace_back("label", label_json(row.label, report.question));
  object.emplace_back("predicted", label_json(row.answer.best, report.question));
  object.emplace_back("p_label",
                      row.label ? json_number(row.answer.probabilities[*row.label]) : Content());
  add_answer(object, row.answer);
  object.emplace_back("reversed", json_numbers(row.reversed));
  object.emplace_back("input_tokens", json_count(row.input_tokens));
  return compact_json(Content(std::move(object))) + "\n";
}

std::string line_of(const Report& report, const Removal& row) {
  Content::Object object = head_of(report, row.id);
  object.emplace_back("removed", label_json(row.removed, report.question));
  object.emplace_back("is_gold", Content(row.is_gold));
  add_answer(object, row.answer);
  return compact_json(Content(std::move(object))) + "\n";
}

}  // namespace

std::string predictions_jsonl(const Report& report) {
  std::string text;
  for (const Prediction& row : report.run.predictions) text += line_of(report, row);
  for (const Removal& row : report.run.removals) text += line_of(report, row);
  return text;
}

}  // namespace logit::eval
