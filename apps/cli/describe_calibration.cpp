// Describes a calibration; entries: those of describe_calibration.h. Tested by
// tests/calibration/describe_calibration_test.cpp.
#include "describe_calibration.h"

#include <cstddef>

#include "logit/wire.h"
#include "text.h"

namespace logit::cli {
namespace {

constexpr std::size_t kNameWidth = 12;
constexpr std::size_t kNumberWidth = 10;
constexpr std::size_t kTitleWidth = 60;

std::string line(const std::string& name, const std::string& text) {
  return "  " + padded(name, kNameWidth) + text + "\n";
}

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }

std::string before_after(const std::string& name, double before, double after,
                         const std::string& remark) {
  return line(name, padded(fixed(before, 4), kNumberWidth) +
                        (remark.empty() ? fixed(after, 4)
                                        : padded(fixed(after, 4), kNumberWidth) + remark));
}

std::string band_text(std::size_t band) {
  static constexpr const char* kTexts[kBands] = {"up to 2", "3-5",   "6-10",
                                                 "11-25",   "26-77", "78 and more"};
  return band < kBands ? kTexts[band] : "?";
}

std::string map_text(const ScoreMap& map, const std::vector<double>& prior) {
  std::string text = "temperature " + fixed(map.temperature, 3);
  if (map.tilt != 0) text += ", tilt " + fixed(map.tilt, 3);
  if (!prior.empty()) text += ", prior";
  if (!map.bias.empty()) text += ", bias";
  return text;
}

std::string held_out_text(const HeldOut& measured) {
  return line("held out", padded("before", kNumberWidth) + "after") +
         before_after("log loss", measured.log_loss_before, measured.log_loss_after,
                      "standard error of the gain " + fixed(measured.log_loss_se, 4)) +
         before_after("ECE", measured.ece_before, measured.ece_after, "") +
         before_after("accuracy", measured.accuracy_before, measured.accuracy_after,
                      "always the most frequent answer " + fixed(measured.majority, 4));
}

std::string report_text(const FitReport& report) {
  std::string rows = std::to_string(report.n_labelled) + " labelled";
  if (report.n_unlabelled > 0) rows += ", " + std::to_string(report.n_unlabelled) + " unlabelled";
  std::string text = line("rows", rows);
  if (report.held_out) text += held_out_text(*report.held_out);
  if (report.abstain_auroc) text += line("abstain", "AUROC " + fixed(*report.abstain_auroc, 4));
  return text;
}

std::string notes_text(const FitReport& report) {
  std::string text;
  for (const std::string& note : report.notes) text += line("note", printable(note));
  return text;
}

std::string promises_text(const QuestionCalibration& known) {
  std::string text;
  for (const Acceptance& acceptance : known.acceptances) {
    const double share =
        static_cast<double>(acceptance.n_accepted) / static_cast<double>(acceptance.n);
    text += line("accept", "from " + fixed(acceptance.threshold, 4) + ": " + percent(share) +
                               " of the rows, wrong at most " + percent(acceptance.upper_bound) +
                               " (" + std::to_string(acceptance.n_errors) + " of " +
                               std::to_string(acceptance.n_accepted) + " here)");
  }
  for (const ConformalQuantile& conformal : known.conformal) {
    text += line("set", percent(conformal.coverage) + ": candidates from " +
                            fixed(1 - conformal.quantile, 4));
  }
  return text;
}

std::string title_of(const Question& question) {
  if (!question.instructions.is_null()) return prompt_text(question.instructions);
  std::string names;
  for (const Option& option : question.options) names += (names.empty() ? "" : ", ") + option.name;
  for (const Content& level : question.levels) {
    names += (names.empty() ? "" : ", ") + prompt_text(level);
  }
  return names;
}

}  // namespace

std::string heading_text(const Calibration& calibration) {
  std::string sets;
  for (const std::string& set : calibration.sets) sets += (sets.empty() ? "" : ", ") + set;
  return "calibration of " + printable(calibration.fingerprint) + ", prompts " +
         std::to_string(calibration.prompts) + ", " + printable(calibration.created) +
         "\nfitted on " + printable(sets) + "\n";
}

std::string question_text(const QuestionCalibration& known, const std::string& name) {
  const Question& question = known.question;
  const std::string title = name.empty() ? title_of(question) : name;
  std::string text =
      shortened(printable(title), kTitleWidth) + ": " + question_type_name(question.type);
  text += " of " + std::to_string(candidate_count(question)) + ", " +
          describe(known.source, question.type) + "\n";
  text += report_text(known.report);
  text += line("map", map_text(known.map, known.prior));
  return text + promises_text(known) + notes_text(known.report);
}

std::string kind_text(const KindCalibration& kind) {
  std::string text = std::string("every ") + question_type_name(kind.type);
  text += " of " + band_text(kind.band) + ", " + describe(kind.source, kind.type) + "\n";
  text += report_text(kind.report);
  return text + line("map", map_text(kind.map, {})) + notes_text(kind.report);
}

std::string calibration_text(const Calibration& calibration,
                             const std::vector<std::string>& names) {
  std::string text = heading_text(calibration);
  for (std::size_t i = 0; i < calibration.questions.size(); ++i) {
    text += "\n" + question_text(calibration.questions[i], i < names.size() ? names[i] : "");
  }
  for (const KindCalibration& kind : calibration.kinds) text += "\n" + kind_text(kind);
  return text;
}

}  // namespace logit::cli
