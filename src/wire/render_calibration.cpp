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
  line.text("readout", readout_name(source.readout));
  line.text("frame", source.frame);
  line.count("orders", source.orders);
  line.text("score_method", source.score_method);
  line.flag("lists_none", source.lists_none);
  line.close('}');
}

void add_map(JsonLine& line, const ScoreMap& map) {
  line.open('{');
  line.number("temperature", map.temperature);
  line.number("tilt", map.tilt);
  line.numbers("bias", map.bias);
  line.close('}');
}

// An array of [rows, mean confidence, share right]; nothing without bins.
void add_reliability(JsonLine& line, const char* name, const std::vector<ReliabilityBin>& bins) {
  if (bins.empty()) return;
  line.open(name, '[');
  for (const ReliabilityBin& bin : bins) {
    line.open('[');
    line.count(bin.n);
    line.number(bin.confidence);
    line.number(bin.right);
    line.close(']');
  }
  line.close(']');
}

void add_held_out(JsonLine& line, const HeldOut& measured) {
  const std::pair<const char*, double> measures[] = {
      {"log_loss_before", measured.log_loss_before},
      {"log_loss_after", measured.log_loss_after},
      {"log_loss_se", measured.log_loss_se},
      {"ece_before", measured.ece_before},
      {"ece_after", measured.ece_after},
      {"accuracy_before", measured.accuracy_before},
      {"accuracy_after", measured.accuracy_after},
      {"majority", measured.majority},
  };
  for (const auto& [name, value] : measures) {
    line.number(name, value);
  }
  add_reliability(line, "reliability_before", measured.reliability_before);
  add_reliability(line, "reliability_after", measured.reliability_after);
}

void add_report(JsonLine& line, const FitReport& report) {
  line.open('{');
  line.count("n_labelled", report.n_labelled);
  line.count("n_unlabelled", report.n_unlabelled);
  if (report.held_out) add_held_out(line, *report.held_out);
  if (report.abstain_auroc) {
    line.number("abstain_auroc", *report.abstain_auroc);
  }
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
    line.numbers("abstain", entry.abstain->weights);
  }
  line.key("report");
  add_report(line, entry.report);
}

void add_kind(JsonLine& line, const KindCalibration& kind) {
  line.open('{');
  line.text("type", question_type_name(kind.type));
  line.count("band", kind.band);
  add_fit(line, kind);
  line.close('}');
}

void add_criteria(JsonLine& line, const Question& question) {
  line.open("criteria", question.type == QuestionType::kScore ? '[' : '{');
  for (const Option& option : question.options) {
    line.raw(option.name, compact_json(option.description));
  }
  for (const Content& level : question.levels) line.raw(compact_json(level));
  if (question.type == QuestionType::kNoul) {
    line.raw("true", compact_json(question.when_true));
    line.raw("false", compact_json(question.when_false));
  }
  line.close(question.type == QuestionType::kScore ? ']' : '}');
}

void add_acceptance(JsonLine& line, const Acceptance& acceptance) {
  line.open('{');
  line.number("risk", acceptance.risk);
  line.number("threshold", acceptance.threshold);
  line.number("upper_bound", acceptance.upper_bound);
  line.count("n", acceptance.n);
  line.count("n_accepted", acceptance.n_accepted);
  line.count("n_errors", acceptance.n_errors);
  line.close('}');
}

void add_conformal(JsonLine& line, const ConformalQuantile& conformal) {
  line.open('{');
  line.number("coverage", conformal.coverage);
  line.number("quantile", conformal.quantile);
  line.close('}');
}

// The fields of the question itself are those of a request and stand no deeper than there.
void add_question(JsonLine& line, const QuestionCalibration& known) {
  line.open('{');
  line.text("type", question_type_name(known.question.type));
  line.raw("instructions", compact_json(known.question.instructions));
  add_criteria(line, known.question);
  line.numbers("prior", known.prior);
  add_fit(line, known);
  line.open("acceptances", '[');
  for (const Acceptance& acceptance : known.acceptances) add_acceptance(line, acceptance);
  line.close(']');
  line.open("conformal", '[');
  for (const ConformalQuantile& conformal : known.conformal) add_conformal(line, conformal);
  line.close(']');
  line.close('}');
}

}  // namespace

std::string calibration_body(const Calibration& calibration) {
  JsonLine line;
  line.open('{');
  line.count("version", std::size_t{Calibration::kVersion});
  line.text("fingerprint", calibration.fingerprint);
  line.count("prompts", static_cast<std::size_t>(calibration.prompts));
  line.text("created", calibration.created);
  line.key("sets");
  add_texts(line, calibration.sets);
  line.open("kinds", '[');
  for (const KindCalibration& kind : calibration.kinds) add_kind(line, kind);
  line.close(']');
  line.open("questions", '[');
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
