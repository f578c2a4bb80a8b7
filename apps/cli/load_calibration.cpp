// Reads the calibration of a model; entry: load_calibration_for. Tested by
// tests/calibration/load_calibration_test.cpp.
#include "load_calibration.h"

#include <utility>

#include "logit/profile.h"

namespace logit::cli {

Result<Calibration> load_calibration_for(std::string_view fingerprint, const std::string& path) {
  Result<Calibration> calibration = load_calibration(path);
  if (!calibration) return calibration;
  Result<Done> fits = check_calibration(*calibration, fingerprint, Profile::kVersion);
  if (fits) return calibration;
  Error error = std::move(fits).error();
  error.where = path;
  return error;
}

}  // namespace logit::cli
