// Terminal: what a stream can show, and the drawing that depends on it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace logit::cli {

// The value of an environment variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

enum class Glyphs : unsigned char { kAscii, kUnicode };
enum class Colours : unsigned char { kOff, kOn };

struct Terminal {
  bool is_interactive = false;  // a person sees it
  Colours colours = Colours::kOff;
  Glyphs glyphs = Glyphs::kAscii;
  std::size_t width = 80;  // columns
};

// Colours only at a terminal, without NO_COLOR and TERM=dumb; blocks only in a UTF-8 locale.
Terminal inspect_terminal(int descriptor, const Environment& environment);

// Whether LC_ALL, LC_CTYPE or LANG, the first that is set, names UTF-8.
bool is_utf8_locale(const Environment& environment);

// `fraction` of `width` columns filled, the rest spaces. REQUIRES: 0 <= fraction <= 1.
std::string draw_bar(double fraction, std::size_t width, Glyphs glyphs);

enum class Tone : unsigned char { kStrong, kFaint, kGood, kWarning };

// `text` in a colour where the terminal has any.
std::string toned(std::string_view text, Tone tone, const Terminal& terminal);

}  // namespace logit::cli
