// Writes a calibration as one line of JSON. Its entry is calibration_json; parse_calibration.cpp
// reads it back. Tested by tests/calibration/calibration_json_test.cpp.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "logit/calibration.h"
#include "numeric/hash.h"
#include "wire/calibration_file.h"
#include "wire/json_line.h"

namespace logit {
namespace wire {
namespace {

void add_texts(JsonLine& line, const std::vector<std::string>& texts) {
  line.open('[');
  for (const std::string& text : texts) line.text(text);
  line.close(']');
}

void add_source(JsonLine& line, const ScoreSource& source) {
  line.open('{');
  line.key("readout");
  line.text(readout_name(source.readout));
  line.key("frame");
  line.text(source.frame);
  line.key("orders");
  line.count(source.orders);
  line.key("score_method");
  line.text(source.score_method);
  line.key("lists_none");
  line.flag(source.lists_none);
  line.close('}');
}

void add_map(JsonLine& line, const ScoreMap& map) {
  line.open('{');
  line.key("temperature");
  line.number(map.temperature);
  line.key("tilt");
  line.number(map.tilt);
  line.key("bias");
  line.numbers(map.bias);
  line.close('}');
}

void add_measures(JsonLine& line, const FitReport& report) {
  const std::pair<const char*, double> measures[] = {
      {"log_loss_before", report.log_loss_before},
      {"log_loss_after", report.log_loss_after},
      {"log_loss_se", report.log_loss_se},
      {"ece_before", report.ece_before},
      {"ece_after", report.ece_after},
      {"accuracy_before", report.accuracy_before},
      {"accuracy_after", report.accuracy_after},
      {"majority", report.majority},
  };
  for (const auto& [name, value] : measures) {
    line.key(name);
    line.number(value);
  }
}

// An array of [rows, mean confidence, share right]; nothing without bins.
void add_reliability(JsonLine& line, const char* name, const std::vector<ReliabilityBin>& bins) {
  if (bins.empty()) return;
  line.key(name);
  line.open('[');
  for (const ReliabilityBin& bin : bins) {
    line.open('[');
    line.count(bin.n);
    line.number(bin.confidence);
    line.number(bin.right);
    line.close(']');
  }
  line.close(']');
}

void add_report(JsonLine& line, const FitReport& report) {
  line.open('{');
  line.key("n_labelled");
  line.count(report.n_labelled);
  line.key("n_unlabelled");
  line.count(report.n_unlabelled);
  add_measures(line, report);
  if (report.abstain_auroc) {
    line.key("abstain_auroc");
    line.number(*report.abstain_auroc);
  }
  add_reliability(line, "reliability_before", report.reliability_before);
  add_reliability(line, "reliability_after", report.reliability_after);
  line.key("notes");
  add_texts(line, report.notes);
  line.close('}');
}

// What a kind and a question have in common.
template <class Entry>
void add_fit(JsonLine& line, const Entry& entry) {
  line.key("source");
  add_source(line, entry.source);
  line.key("map");
  add_map(line, entry.map);
  if (entry.abstain) {
    line.key("abstain");
    line.numbers(entry.abstain->weights);
  }
  line.key("report");
  add_report(line, entry.report);
}

void add_kind(JsonLine& line, const KindCalibration& kind) {
  line.open('{');
  line.key("type");
  line.text(question_type_name(kind.type));
  line.key("band");
  line.count(kind.band);
  add_fit(line, kind);
  line.close('}');
}

void add_criteria(JsonLine& line, const Question& question) {
  line.key("criteria");
  line.open(question.type == QuestionType::kScore ? '[' : '{');
  for (const Option& option : question.options) {
    line.key(option.name);
    line.raw(compact_json(option.description));
  }
  for (const Content& level : question.levels) line.raw(compact_json(level));
  if (question.type == QuestionType::kNoul) {
    line.key("true");
    line.raw(compact_json(question.when_true));
    line.key("false");
    line.raw(compact_json(question.when_false));
  }
  line.close(question.type == QuestionType::kScore ? ']' : '}');
}

void add_acceptance(JsonLine& line, const Acceptance& acceptance) {
  line.open('{');
  line.key("risk");
  line.number(acceptance.risk);
  line.key("threshold");
  line.number(acceptance.threshold);
  line.key("upper_bound");
  line.number(acceptance.upper_bound);
  line.key("n");
  line.count(acceptance.n);
  line.key("n_accepted");
  line.count(acceptance.n_accepted);
  line.key("n_errors");
  line.count(acceptance.n_errors);
  line.close('}');
}

void add_conformal(JsonLine& line, const ConformalQuantile& conformal) {
  line.open('{');
  line.key("coverage");
  line.number(conformal.coverage);
  line.key("quantile");
  line.number(conformal.quantile);
  line.close('}');
}

// The fields of the question itself are those of a request and stand no deeper than there.
void add_question(JsonLine& line, const QuestionCalibration& known) {
  line.open('{');
  line.key("type");
  line.text(question_type_name(known.question.type));
  line.key("instructions");
  line.raw(compact_json(known.question.instructions));
  add_criteria(line, known.question);
  line.key("prior");
  line.numbers(known.prior);
  add_fit(line, known);
  line.key("acceptances");
  line.open('[');
  for (const Acceptance& acceptance : known.acceptances) add_acceptance(line, acceptance);
  line.close(']');
  line.key("conformal");
  line.open('[');
  for (const ConformalQuantile& conformal : known.conformal) add_conformal(line, conformal);
  line.close(']');
  line.close('}');
}

}  // namespace

std::string calibration_body(const Calibration& calibration) {
  JsonLine line;
  line.open('{');
  line.key("version");
  line.count(std::size_t{Calibration::kVersion});
  line.key("fingerprint");
  line.text(calibration.fingerprint);
  line.key("prompts");
  line.count(static_cast<std::size_t>(calibration.prompts));
  line.key("created");
  line.text(calibration.created);
  line.key("sets");
  add_texts(line, calibration.sets);
  line.key("kinds");
  line.open('[');
  for (const KindCalibration& kind : calibration.kinds) add_kind(line, kind);
  line.close(']');
  line.key("questions");
  line.open('[');
  for (const QuestionCalibration& known : calibration.questions) add_question(line, known);
  line.close(']');
  line.close('}');
  return std::move(line).take();
}

std::string calibration_checksum(const std::string& body) {
  std::uint64_t hash = hash_text(body);
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash /= 16) {
    *digit = "0123456789abcdef"[hash % 16];
  }
  return digits;
}

}  // namespace wire

std::string calibration_json(const Calibration& calibration) {
  const std::string body = wire::calibration_body(calibration);
  return R"({"checksum":")" + wire::calibration_checksum(body) + "\"," + body.substr(1);
}

}  // namespace logit
