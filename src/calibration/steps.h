// The steps of the ladder, as many as the rows carry.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "calibration/ladder.h"
#include "calibration/samples.h"
#include "logit/types.h"

namespace logit::calibration {

// What the rows are enough for. `notes` says what was refused and why.
struct Allowance {
  bool has_temperature = false;
  bool has_tilt = false;
  std::vector<char> has_bias{};  // one a candidate; empty: none
  double temperature_spread = 0;
  std::vector<std::string> notes{};
};

// For samples of one question type; biases are considered for `n_bias` candidates (0: never).
// REQUIRES: at least kLeastLabelledRows samples.
Allowance allow(const Ladder& ladder, QuestionType type, std::size_t n_bias);

// What was refused, what was not kept and what held-out rows show; all but the area under the curve
// and the rows without labels.
FitReport make_report(const Allowance& allowance, const Ladder& ladder);

enum class Part : unsigned char { kTemperature, kTilt, kBias };

// A fit of a part and of the temperature, where it is allowed, to samples from which a prior is
// subtracted already. A bias takes the pull that does best on folds of the samples.
ScoreMap fit_part(Part part, std::vector<Sample> samples, const ScoreMap& start,
                  const Allowance& allowance, QuestionType type);

}  // namespace logit::calibration
