// Pictures inside a document: found, and in this version refused.
#pragma once

#include <string_view>

#include "logit/content.h"
#include "wire/faults.h"

namespace logit::wire {

inline constexpr const char* kNoPictures = "pictures are not supported by this version";

// Whether a data URL of a picture stands in the text: data:image/...;base64, in any letter case.
bool has_picture_url(std::string_view text);

// One fault for each string, at any depth, that has a picture's data URL in it; keys count too.
void refuse_pictures(const Content& content, const Place& place, FaultList& faults);

}  // namespace logit::wire
