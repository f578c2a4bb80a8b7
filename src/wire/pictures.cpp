// Looks for pictures in what would become prompt text: base64 read as words is thousands of tokens
// of noise, and an answer that never saw the picture.
// Tested by tests/wire/parse_request_test.cpp.
#include "wire/pictures.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>

namespace logit::wire {
namespace {

constexpr std::string_view kBase64 = "base64";

// Not std::tolower: what counts must not depend on the locale.
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_in_any_case(char a, char b) { return lower(a) == lower(b); }

bool starts_with_in_any_case(std::string_view text, std::string_view head) {
  return text.size() >= head.size() &&
         std::equal(head.begin(), head.end(), text.begin(), equal_in_any_case);
}

// What may stand between "data:image/" and the comma: a subtype and parameters.
bool is_media_type_char(char c) {
  c = lower(c);
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("+-._;= \"").find(c) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// "png;base64,", "svg+xml; charset=utf-8; base64,"
bool is_rest_of_picture_url(std::string_view rest) {
  constexpr std::size_t kLongest = 256;  // bounds the look-ahead at each candidate
  rest = rest.substr(0, kLongest);
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_media_type_char);
  if (end == rest.end() || *end != ',') return false;
  const std::string_view type = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  const auto last = type.rfind(';');
  if (last == std::string_view::npos || type.front() == ' ') return false;
  const std::string_view encoding = trimmed(type.substr(last + 1));
  return std::equal(encoding.begin(), encoding.end(), kBase64.begin(), kBase64.end(),
                    equal_in_any_case);
}

}  // namespace

bool has_picture_url(std::string_view text) {
  constexpr std::string_view kHead = "data:image/";
  for (auto colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    if (colon < 4) continue;
    const std::string_view candidate = text.substr(colon - 4);
    if (starts_with_in_any_case(candidate, kHead) &&
        is_rest_of_picture_url(candidate.substr(kHead.size()))) {
      return true;
    }
  }
  return false;
}

void refuse_pictures(const Content& content, const Place& place, FaultList& faults) {
  if (const std::string* text = content.text()) {
    if (has_picture_url(*text)) faults.add("unsupported", &place, kNoPictures);
  } else if (const auto* items = std::get_if<Content::Array>(&content.value)) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      refuse_pictures((*items)[i], Place{&place, i}, faults);
    }
  } else if (const auto* members = std::get_if<Content::Object>(&content.value)) {
    for (const auto& [key, value] : *members) {
      const Place inside{&place, std::string_view(key)};
      if (has_picture_url(key)) faults.add("unsupported", &inside, kNoPictures);
      refuse_pictures(value, inside, faults);
    }
  }
}

}  // namespace logit::wire
