// Reads members of a Content and makes Contents from numbers; entry: json_content.h.
// Tested by tests/cli/report_test.cpp.
#include "eval/json_content.h"

#include <charconv>
#include <cmath>
#include <system_error>
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

std::optional<double> number_of(const Content& value) {
  const auto* number = std::get_if<Content::Number>(&value.value);
  if (number == nullptr) return std::nullopt;
  const std::string& digits = number->spelling;
  double parsed = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), parsed);
  if (fault != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return parsed;
}

Content json_number(double value) {
  if (!std::isfinite(value)) return Content();
  return Content(Content::Number{format_double(value)});
}

Content json_number(const std::optional<double>& value) {
  return value ? json_number(*value) : Content();
}

Content json_count(std::size_t value) { return Content(Content::Number{std::to_string(value)}); }

Content json_numbers(std::span<const double> values) {
  Content::Array items;
  for (const double value : values) items.push_back(json_number(value));
  return Content(std::move(items));
}

Content json_texts(const std::vector<std::string>& texts) {
  Content::Array items;
  for (const std::string& text : texts) items.emplace_back(text);
  return Content(std::move(items));
}

}  // namespace logit::eval
