// A calibration in words: what was fitted, what it gained, what was refused and why.
#pragma once

#include <string>
#include <vector>

#include "logit/calibration.h"

namespace logit::cli {

// Of which model, when, and fitted on what: two lines.
std::string heading_text(const Calibration& calibration);

// A block of lines, the first of which is its title.
std::string question_text(const QuestionCalibration& known, const std::string& name);
std::string kind_text(const KindCalibration& kind);

// The heading and one block for each question and kind. `names` are the questions' names in order;
// where there is none, a question is named by its instructions.
std::string calibration_text(const Calibration& calibration,
                             const std::vector<std::string>& names = {});

}  // namespace logit::cli
