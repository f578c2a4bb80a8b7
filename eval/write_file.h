// Writes a whole file, or nothing.
#pragma once

#include <string>
#include <string_view>

#include "logit/result.h"

namespace logit::eval {

// Through a temporary file beside it that takes its place when it is complete and on disk. Errors:
// kFile with the reason, also when what is there is no ordinary file; an older file stays as it
// was.
Result<Done> write_file(const std::string& path, std::string_view text);

// The error that write_file() would have now; for before long work.
Result<Done> check_writable(const std::string& path);

}  // namespace logit::eval
