// Values as people read them: the same digits in every locale, text that cannot steer a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace logit::eval {

// `digits` after the point; "no data" without a finite value.
std::string fixed_text(const std::optional<double>& value, int digits = 4);

// The same with a sign in front, "+0.0123".
std::string signed_text(double value, int digits = 4);

// Control characters as '?', so that a name stays on its line.
std::string one_line(std::string_view text);

// Cut to `n_bytes` with "..." at its end, never inside a character.
std::string cut_text(std::string_view text, std::size_t n_bytes);

// 16 hexadecimal digits that stand for a text: FNV-1a, 64 bits.
std::string hash_digits(std::string_view text);

}  // namespace logit::eval
