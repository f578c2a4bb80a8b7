// Whether a command can write what it is asked to, found out before long work.
#pragma once

#include <string>
#include <vector>

#include "logit/result.h"

namespace logit::cli {

// A path and the flag that gave it; an empty path was not given.
struct NamedPath {
  std::string flag;
  std::string path;
};

// Errors: kConfig with the flag when an output is also an input or another output, which it would
// overwrite; kFile when it cannot be written.
Result<Done> check_outputs(const std::vector<NamedPath>& outputs,
                           const std::vector<NamedPath>& inputs);

}  // namespace logit::cli
