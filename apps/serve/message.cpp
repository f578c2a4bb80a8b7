// Takes the texts of HTTP apart; entries: those of message.h. Tested by
// tests/serve/message_test.cpp.
#include "message.h"

#include <algorithm>

namespace logit::serve {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> split_list(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = trimmed(text.substr(0, end));
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<std::string_view> find_header(const Head& head, std::string_view name) {
  for (const Header& header : head.headers) {
    if (equal_in_any_case(header.name, name)) return header.value;
  }
  return std::nullopt;
}

std::size_t count_headers(const Head& head, std::string_view name) {
  return static_cast<std::size_t>(
      std::count_if(head.headers.begin(), head.headers.end(),
                    [&](const Header& header) { return equal_in_any_case(header.name, name); }));
}

std::string media_type(std::string_view content_type) {
  return lower_case(trimmed(content_type.substr(0, content_type.find(';'))));
}

Target split_target(std::string_view target) {
  Target parts;
  const std::size_t scheme = target.find("://");
  if (!target.starts_with('/') && scheme != std::string_view::npos) {
    target.remove_prefix(scheme + 3);
    const std::size_t end = std::min(target.find_first_of("/?"), target.size());
    parts.authority = target.substr(0, end);
    target.remove_prefix(end);
    if (target.empty()) target = "/";
  }
  target = target.substr(0, target.find('#'));
  const std::size_t mark = target.find('?');
  parts.path = target.substr(0, mark);
  if (mark != std::string_view::npos) parts.query = target.substr(mark + 1);
  if (parts.path.size() > 1 && parts.path.ends_with('/')) parts.path.remove_suffix(1);
  return parts;
}

bool is_switched_on(std::string_view query, std::string_view name) {
  for (const std::string_view part : split_list(query, '&')) {
    const std::size_t equals = part.find('=');
    if (part.substr(0, equals) != name) continue;
    if (equals == std::string_view::npos) return true;
    const std::string value = lower_case(part.substr(equals + 1));
    return value == "1" || value == "true" || value == "yes" || value == "on";
  }
  return false;
}

}  // namespace logit::serve
