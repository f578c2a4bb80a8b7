// Folds and compares names; entry: folded. Tested by tests/lint/lint_test.cpp.
#include "lint/text.h"

#include <algorithm>

namespace logit::lint_rules {

std::string folded(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    const bool is_blank = byte == ' ' || (byte >= '\t' && byte <= '\r');
    if (is_blank) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
    }
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '.')) out.pop_back();
  return out;
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  auto length = static_cast<std::size_t>(end - a.begin());
  while (length > 0 && length < a.size() &&
         (static_cast<unsigned char>(a[length]) & 0xc0U) == 0x80U) {
    --length;
  }
  return length;
}

std::string name_list(const std::vector<std::string>& names, std::size_t n_named) {
  std::string list;
  const std::size_t n = std::min(names.size(), n_named);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) list += i + 1 == names.size() ? " and " : ", ";
    list.append("'").append(names[i]).append("'");
  }
  if (n < names.size()) list += " and " + std::to_string(names.size() - n) + " more";
  return list;
}

}  // namespace logit::lint_rules
