// What turns the scores of one question into probabilities and decisions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logit/calibration.h"
#include "logit/classifier.h"
#include "pipeline/stages.h"

namespace logit::pipeline {

// Everything in the order of the question's candidates.
struct Applied {
  std::vector<double> prior;
  ScoreMap map;
  std::optional<AbstainMap> abstain;
  std::vector<Acceptance> acceptances;
  std::vector<ConformalQuantile> conformal;
  const FitReport* known = nullptr;  // of a calibration of this very question
  std::optional<std::string> warning;
};

// What a calibration may come from: the user's, then what is known of the model; both may be null.
struct Calibrations {
  const Calibration* own = nullptr;
  const Calibration* shipped = nullptr;
};

// Of a readout on a model of this name: what was published for its labels takes the place of theirs
// (in a mix with texts by the same factor).
double default_temperature(Readout readout, std::string_view model_name);

// A temperature of the options first, then the question's own calibration, that of its kind, and
// the readout's default. A calibration is used whole or not at all: its thresholds and sets hold
// for its own temperature and prior alone. `warning` says why one for this question is left out.
Applied find_applied(const Question& question, const ScoreSource& source,
                     const ClassifierOptions& options, const Calibrations& calibrations,
                     std::string_view model_name = {});

}  // namespace logit::pipeline
