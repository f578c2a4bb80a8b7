// A calibration that --calibration names.
#pragma once

#include <string>
#include <string_view>

#include "logit/calibration.h"
#include "logit/result.h"

namespace logit::cli {

// One that the model of this fingerprint may use. Errors: those of load_calibration and
// check_calibration; Error::where begins with the path.
Result<Calibration> load_calibration_for(std::string_view fingerprint, const std::string& path);

}  // namespace logit::cli
