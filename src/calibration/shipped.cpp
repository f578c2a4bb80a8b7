// The calibrations that come with this library. Entry: shipped_calibration.
// Tested by tests/calibration/shipped_test.cpp.
#include <optional>
#include <string_view>
#include <utility>

#include "logit/calibration.h"

namespace logit {

namespace calibration {
extern const std::string_view shipped_smollm2_135m;  // data/calibration, embedded
}

std::optional<Calibration> shipped_calibration(std::string_view fingerprint) {
  // A fingerprint is looked for before a file of some kilobytes is parsed.
  const std::string_view file = calibration::shipped_smollm2_135m;
  if (fingerprint.empty() || file.find(fingerprint) == file.npos) return std::nullopt;
  Result<Calibration> calibration = parse_calibration(file);
  if (!calibration || calibration->fingerprint != fingerprint) return std::nullopt;
  return *std::move(calibration);
}

}  // namespace logit
