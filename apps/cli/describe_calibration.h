// A calibration in words: what was fitted, what it gained, what was refused and why.
#pragma once

#include <string>
#include <vector>

#include "logit/calibration.h"

namespace logit::cli {

// One block of lines for each question and kind. `names` are the questions' names in order; where
// there is none, a question is named by its instructions.
std::string calibration_text(const Calibration& calibration,
                             const std::vector<std::string>& names = {});

}  // namespace logit::cli
