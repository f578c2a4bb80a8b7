// A model and its profile, for machines and for people.
#pragma once

#include <string>
#include <vector>

#include "logit/backend.h"
#include "logit/content.h"
#include "logit/profile.h"
#include "terminal.h"

namespace logit::cli {

struct ModelDescription {
  const ModelInfo& model;
  const std::vector<std::string>& frames;
  const Profile& profile;
  std::string profile_file;  // empty: none is kept
  bool is_probed_now = false;
};

Content description_json(const ModelDescription& description);
std::string description_text(const ModelDescription& description, const Terminal& terminal);

}  // namespace logit::cli
