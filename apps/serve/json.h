// Shorthand for building replies as Content.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "logit/content.h"
#include "logit/wire.h"

namespace logit::serve {

inline Content json_count(std::size_t count) {
  return Content(Content::Number{std::to_string(count)});
}

// REQUIRES: finite.
inline Content json_number(double number) {
  return Content(Content::Number{format_double(number)});
}

inline Content json_texts(std::span<const std::string> texts) {
  Content::Array items;
  for (const std::string& text : texts) items.emplace_back(text);
  return Content(std::move(items));
}

// The last member of that name; null when there is none or `content` is no object.
inline const Content* find_member(const Content& content, std::string_view name) {
  const auto* members = std::get_if<Content::Object>(&content.value);
  if (members == nullptr) return nullptr;
  const Content* found = nullptr;
  for (const auto& [key, value] : *members) {
    if (key == name) found = &value;
  }
  return found;
}

}  // namespace logit::serve
