// The identity of a model: a hash of its file's content.
#pragma once

#include <string>

#include "logit/result.h"

namespace logit {

// "xxh3-" and 32 hexadecimal digits. Errors: kModelLoad when the file cannot be read.
Result<std::string> fingerprint_of_file(const std::string& path);

}  // namespace logit
