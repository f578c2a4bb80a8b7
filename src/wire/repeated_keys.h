// Keys that stand in an object more than once.
#pragma once

#include <vector>

#include "logit/content.h"

namespace logit::wire {

// One flag a member: its key stood before.
std::vector<bool> repeated_members(const Content::Object& members);

// Keeps one member a key, at the first one's place with the last one's value, at every depth.
void keep_last_members(Content& content);

}  // namespace logit::wire
