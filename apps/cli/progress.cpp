// Draws progress on standard error; entry: ProgressBar. Tested by tests/cli/terminal_test.cpp.
#include "progress.h"

#include <algorithm>
#include <utility>

#include "streams.h"

namespace logit::cli {

std::string draw_progress(const std::string& what, std::size_t done, std::size_t total,
                          const Terminal& terminal) {
  const double fraction =
      total == 0 ? 1.0 : static_cast<double>(std::min(done, total)) / static_cast<double>(total);
  const std::string numbers = " " + std::to_string(done) + "/" + std::to_string(total);
  const std::size_t taken = what.size() + numbers.size() + 4;
  const std::size_t room = terminal.width > taken ? terminal.width - taken : 0;
  const std::size_t width = std::clamp<std::size_t>(room, 5, 30);
  return what + " [" + draw_bar(fraction, width, terminal.glyphs) + "]" + numbers;
}

ProgressBar::ProgressBar(std::string what, const Terminal& terminal)
    : what_(std::move(what)), terminal_(terminal) {}

ProgressBar::~ProgressBar() {
  if (is_drawn_) write_stderr("\r\033[K");
}

void ProgressBar::update(std::size_t done, std::size_t total) {
  if (!terminal_.is_interactive) return;
  constexpr auto kPause = std::chrono::milliseconds(100);
  const auto now = std::chrono::steady_clock::now();
  if (is_drawn_ && now - last_ < kPause && done < total) return;
  last_ = now;
  is_drawn_ = true;
  write_stderr("\r" + draw_progress(what_, done, total, terminal_) + "\033[K");
}

}  // namespace logit::cli
