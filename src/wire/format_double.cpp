// Spells a double for a reply, the same in every locale: clients tell 1.0 from 1, and their typed
// decoders want a point. Tested by tests/wire/format_double_test.cpp.
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <string>

#include "logit/wire.h"

namespace logit {

std::string format_double(double value) {
  assert(std::isfinite(value));
  std::array<char, 32> digits{};  // the longest is -2.2250738585072014e-308
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  std::string text(digits.data(), end);
  if (text.find('.') == std::string::npos) {
    const auto exponent = text.find('e');
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}

}  // namespace logit
