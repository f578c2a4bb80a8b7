// Text at a terminal: UTF-8 checks, columns taken, control characters made visible.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace logit::cli {

bool is_utf8(std::string_view text);

// Columns a terminal needs: combining marks 0, East Asian wide and emoji 2. Approximate by range.
// REQUIRES: UTF-8.
std::size_t display_width(std::string_view text);

// One line that cannot steer a terminal: control characters as \n, \t or \xNN.
std::string printable(std::string_view text);

// `text` cut to `width` columns, "..." at its end when something was cut. REQUIRES: UTF-8.
std::string shortened(std::string_view text, std::size_t width);

// `text` with spaces behind it up to `width` columns.
std::string padded(std::string_view text, std::size_t width);

// `value` with `digits` digits after the point, whatever the locale. REQUIRES: finite.
std::string fixed(double value, int digits);

// Blanks removed at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace logit::cli
