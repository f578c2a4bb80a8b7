// `eval --compare`: two files of earlier runs.
#pragma once

#include <string>

#include "command.h"
#include "logit/result.h"

namespace logit::cli {

// Files of `eval --json` or `eval --predictions`, in any mix. Errors: kFile, those of
// eval::parse_comparable_rows and eval::compare.
Result<Output> compare_runs(const std::string& before, const std::string& after, Format format);

}  // namespace logit::cli
