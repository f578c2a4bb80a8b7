// Calibrations on disk; entries: load_calibration, save_calibration. Tested by
// tests/calibration/durable_file_test.cpp.
#include <optional>
#include <string>
#include <utility>

#include "calibration/durable_file.h"
#include "logit/calibration.h"

namespace logit {

Result<Calibration> load_calibration(const std::string& path) {
  Result<std::optional<std::string>> text = calibration::read_if_there(path);
  if (!text) return std::move(text).error();
  if (!*text) return Error{ErrorCode::kFile, "there is no such file", path, {}};
  Result<Calibration> calibration = parse_calibration(**text);
  if (calibration) return calibration;
  Error error = std::move(calibration).error();
  error.where = path + (error.where.empty() ? "" : ": " + error.where);
  return error;
}

Result<Done> save_calibration(const std::string& path, const Calibration& calibration) {
  return calibration::replace_file(path, calibration_json(calibration) + "\n");
}

}  // namespace logit
