// A model and its profile, for machines and for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logit/backend.h"
#include "logit/content.h"
#include "logit/llama_backend.h"
#include "logit/profile.h"
#include "terminal.h"

namespace logit::cli {

struct ModelDescription {
  const ModelInfo& model;
  const std::vector<std::string>& frames;
  const Profile& profile;
  std::string profile_file;  // empty: none is kept
  bool is_probed_now = false;
  std::vector<MemoryPlan> memory{};    // the first is of the context in use; may be empty
  std::uint64_t cache_bytes = 0;       // of saved prefixes, at most
  std::uint64_t available_memory = 0;  // that the system still has to give
};

Content description_json(const ModelDescription& description);
std::string description_text(const ModelDescription& description, const Terminal& terminal);

}  // namespace logit::cli
