// Measures and cleans text for people; entry: text.h. Tested by tests/cli/terminal_test.cpp.
#include "text.h"

#include <charconv>
#include <optional>
#include <system_error>

namespace logit::cli {
namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t n_bytes = 1;
};

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Shortest form only, no surrogates, at most U+10FFFF; nothing for a broken sequence.
std::optional<CodePoint> first_code_point(std::string_view text) {
  const unsigned char lead = byte_at(text, 0);
  if (lead < 0x80) return CodePoint{lead, 1};
  const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < n) return std::nullopt;
  char32_t value = lead & (0x7fu >> n);
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte_at(text, i) & 0xc0u) != 0x80u) return std::nullopt;
    value = (value << 6) | (byte_at(text, i) & 0x3fu);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kSmallest[n] || value > 0x10ffff || is_surrogate) return std::nullopt;
  return CodePoint{value, n};
}

struct Range {
  char32_t first;
  char32_t last;
};

constexpr Range kZeroWidth[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
                                {0x610, 0x61a},   {0x64b, 0x65f},   {0x200b, 0x200f},
                                {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
constexpr Range kDoubleWidth[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                                  {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                                  {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                                  {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t value) {
  for (const Range& range : ranges) {
    if (value >= range.first && value <= range.last) return true;
  }
  return false;
}

std::size_t columns_of(char32_t value) {
  if (is_in(kZeroWidth, value)) return 0;
  return is_in(kDoubleWidth, value) ? 2 : 1;
}

void append_hex(std::string& out, unsigned char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "\\x";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 0xf];
}

// The characters that terminals obey: C0, DEL, C1 and the marks that turn reading order around.
bool is_control(char32_t value) {
  return value < 0x20 || (value >= 0x7f && value < 0xa0) || (value >= 0x202a && value <= 0x202e) ||
         (value >= 0x2066 && value <= 0x2069);
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::optional<CodePoint> point = first_code_point(text);
    if (!point) return false;
    text.remove_prefix(point->n_bytes);
  }
  return true;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text).value_or(CodePoint{});
    width += columns_of(point.value);
    text.remove_prefix(point.n_bytes);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::optional<CodePoint> point = first_code_point(text);
    const std::size_t n_bytes = point ? point->n_bytes : 1;
    if (point && !is_control(point->value)) {
      out += text.substr(0, n_bytes);
    } else if (text.front() == '\n') {
      out += "\\n";
    } else if (text.front() == '\t') {
      out += "\\t";
    } else {
      for (std::size_t i = 0; i < n_bytes; ++i) append_hex(out, byte_at(text, i));
    }
    text.remove_prefix(n_bytes);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  constexpr std::string_view kMore = "...";
  const std::size_t room = width > kMore.size() ? width - kMore.size() : 0;
  std::size_t used = 0;
  std::size_t n_bytes = 0;
  while (n_bytes < text.size()) {
    const CodePoint point = first_code_point(text.substr(n_bytes)).value_or(CodePoint{});
    if (used + columns_of(point.value) > room) break;
    used += columns_of(point.value);
    n_bytes += point.n_bytes;
  }
  return std::string(text.substr(0, n_bytes)) + std::string(kMore);
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string fixed(double value, int digits) {
  char buffer[400];
  const auto [end, fault] =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits);
  return fault == std::errc() ? std::string(buffer, end) : "?";
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace logit::cli
