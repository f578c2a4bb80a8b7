// Reads members of a Content and makes Contents from numbers; entry: json_content.h.
// Tested by tests/cli/report_test.cpp.
#include "eval/json_content.h"

#include <cmath>
#include <utility>

#include "logit/wire.h"

namespace logit::eval {

const Content* find_member(const Content& value, std::string_view key) {
  const auto* object = std::get_if<Content::Object>(&value.value);
  if (object == nullptr) return nullptr;
  for (const auto& [name, member] : *object) {
    if (name == key) return &member;
  }
  return nullptr;
}

Content json_number(double value) {
  if (!std::isfinite(value)) return Content();
  return Content(Content::Number{format_double(value)});
}

Content json_number(const std::optional<double>& value) {
  return value ? json_number(*value) : Content();
}

Content json_count(std::size_t value) { return Content(Content::Number{std::to_string(value)}); }

Content json_texts(const std::vector<std::string>& texts) {
  Content::Array items;
  for (const std::string& text : texts) items.emplace_back(text);
  return Content(std::move(items));
}

}  // namespace logit::eval
