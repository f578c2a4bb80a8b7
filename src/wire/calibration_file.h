// The parts of a calibration file; docs/formats.md has the format.
#pragma once

#include <string>

#include "logit/calibration.h"
#include "logit/content.h"
#include "logit/result.h"

namespace logit::wire {

// The whole file but its checksum, one JSON object.
std::string calibration_body(const Calibration& calibration);

// 16 hexadecimal digits over a body. Equal values have equal bodies, so white space and the order
// of members in a file do not matter, and any changed value does.
std::string calibration_checksum(const std::string& body);

// Everything but the checksum is checked. Errors: kFile.
Result<Calibration> read_calibration(const Content& file);

}  // namespace logit::wire
