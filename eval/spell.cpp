// Spells numbers and names; entry: fixed_text. Tested by tests/cli/report_test.cpp.
#include "eval/spell.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

namespace logit::eval {

std::string fixed_text(const std::optional<double>& value, int digits) {
  if (!value || !std::isfinite(*value)) return "no data";
  char spelled[400];
  const auto [end, fault] =
      std::to_chars(spelled, spelled + sizeof spelled, *value, std::chars_format::fixed, digits);
  return fault == std::errc() ? std::string(spelled, end) : "no data";
}

std::string signed_text(double value, int digits) {
  const std::string spelled = fixed_text(value, digits);
  if (!spelled.starts_with("-") && spelled != "no data") return std::string("+").append(spelled);
  return spelled;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& byte : line) {
    if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f) byte = '?';
  }
  return line;
}

std::string cut_text(std::string_view text, std::size_t n_bytes) {
  if (text.size() <= n_bytes) return std::string(text);
  while (n_bytes > 0 && (static_cast<unsigned char>(text[n_bytes]) & 0xc0U) == 0x80U) --n_bytes;
  return std::string(text.substr(0, n_bytes)) + "...";
}

std::string hash_digits(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4U) {
    *digit = "0123456789abcdef"[hash & 15U];
  }
  return digits;
}

}  // namespace logit::eval
