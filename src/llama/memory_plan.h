// The arithmetic behind plan_memory().
#pragma once

#include <cstddef>

#include "llama/model_header.h"
#include "logit/llama_backend.h"

namespace logit {

MemoryPlan plan_for(const ModelHeader& header, std::size_t n_context);

}  // namespace logit
