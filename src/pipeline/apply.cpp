// Finds what applies to a question's scores. Entries: find_applied,
// default_temperature. Tested by tests/pipeline/apply_test.cpp.
#include "pipeline/apply.h"

#include <utility>

#include "pipeline/defaults.h"

namespace logit::pipeline {
namespace {

void apply_question(const QuestionCalibration& fitted, const Question& question, Applied& applied) {
  QuestionCalibration own = align(fitted, question);
  applied.known = &fitted.report;
  applied.map = std::move(own.map);
  applied.acceptances = std::move(own.acceptances);
  applied.conformal = std::move(own.conformal);
  if (own.abstain) applied.abstain = own.abstain;
  applied.prior = std::move(own.prior);
}

// Why what was fitted to this very question is left out, though it is read as it was then.
std::optional<std::string> why_left_out(const QuestionCalibration& fitted,
                                        const ClassifierOptions& options) {
  if (options.temperature) {
    return "the question's calibration is not used, as a temperature was set";
  }
  if (options.prior != PriorSource::kFitted && !fitted.prior.empty()) {
    return "the question's calibration is not used, as it holds only with its own prior";
  }
  return std::nullopt;
}

// REQUIRES: there is an own calibration.
void apply_own(const Calibration& own, const Question& question, const ScoreSource& source,
               const ClassifierOptions& options, Applied& applied) {
  const QuestionCalibration* fitted = own.find(question, source);
  if (fitted == nullptr) {
    applied.warning = why_unused(own, question, source);
  } else if (std::optional<std::string> why = why_left_out(*fitted, options)) {
    applied.warning = std::move(why);
  } else {
    apply_question(*fitted, question, applied);
  }
}

const KindCalibration* find_kind(const Calibrations& calibrations, QuestionType type,
                                 const ScoreSource& source, std::size_t n) {
  for (const Calibration* calibration : {calibrations.own, calibrations.shipped}) {
    if (calibration == nullptr) continue;
    if (const KindCalibration* kind = calibration->find(type, source, n)) return kind;
  }
  return nullptr;
}

}  // namespace

double default_temperature(Readout readout, std::string_view model_name) {
  const double labels = published_label_temperature(model_name).value_or(kLabelTemperature);
  switch (readout) {
    case Readout::kLabel:
      return labels;
    case Readout::kChannel:
      return kChannelTemperature;
    case Readout::kTextChannel:
      return kTextChannelTemperature;
    case Readout::kLabelText:
      return kLabelTextTemperature * labels / kLabelTemperature;
    default:
      return kTextTemperature;
  }
}

Applied find_applied(const Question& question, const ScoreSource& source,
                     const ClassifierOptions& options, const Calibrations& calibrations,
                     std::string_view model_name) {
  Applied applied;
  applied.map.temperature = default_temperature(source.readout, model_name);
  const KindCalibration* kind =
      find_kind(calibrations, question.type, source, candidate_count(question));
  if (options.temperature) {
    applied.map.temperature = *options.temperature;
  } else if (kind != nullptr) {
    applied.map = kind->map;
    if (kind->abstain) applied.abstain = kind->abstain;
  }
  if (calibrations.own != nullptr) {
    apply_own(*calibrations.own, question, source, options, applied);
  }
  return applied;
}

}  // namespace logit::pipeline
