// The requests that benchmarks measure.
#pragma once

#include <string>
#include <vector>

#include "logit/types.h"

namespace logit::bench {

struct Case {
  std::string name;
  Request request;
};

// A ticket with four questions, a long ticket with eight, 77 options, 255 options, 256 questions.
std::vector<Case> all_cases();

}  // namespace logit::bench
