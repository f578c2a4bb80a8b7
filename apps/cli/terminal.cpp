// Looks at a stream and draws for it; entry: inspect_terminal. Tested by
// tests/cli/terminal_test.cpp.
#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace logit::cli {
namespace {

constexpr std::size_t kNarrowest = 40;

bool is_set(const Environment& environment, std::string_view name) {
  const auto value = environment(name);
  return value && !value->empty();
}

std::size_t columns(int descriptor, const Environment& environment) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string text = environment("COLUMNS").value_or("");
  std::size_t width = 0;
  std::from_chars(text.data(), text.data() + text.size(), width);
  return width > 0 ? width : Terminal{}.width;
}

}  // namespace

bool is_utf8_locale(const Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!is_set(environment, name)) continue;
    std::string value = *environment(name);
    std::transform(value.begin(), value.end(), value.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

Terminal inspect_terminal(int descriptor, const Environment& environment) {
  Terminal terminal;
  terminal.is_interactive = isatty(descriptor) == 1;
  const bool is_plain =
      is_set(environment, "NO_COLOR") || environment("TERM").value_or("") == "dumb";
  if (terminal.is_interactive && !is_plain) terminal.colours = Colours::kOn;
  if (is_utf8_locale(environment)) terminal.glyphs = Glyphs::kUnicode;
  terminal.width = std::max(columns(descriptor, environment), kNarrowest);
  return terminal;
}

std::string draw_bar(double fraction, std::size_t width, Glyphs glyphs) {
  // Unicode has bars of 1/8 column: U+258F (1/8) down to U+2588 (8/8).
  const std::size_t parts = glyphs == Glyphs::kUnicode ? 8 : 1;
  const double scaled = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width * parts);
  const std::size_t filled = static_cast<std::size_t>(std::lround(scaled));
  std::string bar;
  for (std::size_t i = 0; i < filled / parts; ++i) {
    bar += glyphs == Glyphs::kUnicode ? "\xe2\x96\x88" : "#";
  }
  const std::size_t rest = filled % parts;
  if (rest > 0) {
    bar += "\xe2\x96";
    bar += static_cast<char>(0x90 - static_cast<int>(rest));
  }
  return bar + std::string(width - filled / parts - (rest > 0 ? 1 : 0), ' ');
}

std::string toned(std::string_view text, Tone tone, const Terminal& terminal) {
  if (terminal.colours == Colours::kOff) return std::string(text);
  constexpr const char* kCodes[] = {"\033[1m", "\033[2m", "\033[32m", "\033[33m"};
  return kCodes[static_cast<std::size_t>(tone)] + std::string(text) + "\033[0m";
}

}  // namespace logit::cli
