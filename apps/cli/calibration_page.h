// A calibration as one HTML page: what each fit changed, in numbers and reliability diagrams.
#pragma once

#include <string>
#include <vector>

#include "logit/calibration.h"

namespace logit::cli {

// `names` of its questions, as for calibration_text.
std::string calibration_page(const Calibration& calibration,
                             const std::vector<std::string>& names = {});

}  // namespace logit::cli
