// The identity of a model: a hash of the content of its file or files.
#pragma once

#include <span>
#include <string>

#include "logit/result.h"

namespace logit {

// "xxh3-" and 32 hexadecimal digits. Errors: kModelLoad when a file cannot be read.
Result<std::string> fingerprint_of_files(std::span<const std::string> paths);

}  // namespace logit
