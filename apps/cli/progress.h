// A progress bar on one line of standard error, drawn only where a person sees it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "terminal.h"

namespace logit::cli {

std::string draw_progress(const std::string& what, std::size_t done, std::size_t total,
                          const Terminal& terminal);

// Clears its line when destroyed, also on an error path.
class ProgressBar {
 public:
  ProgressBar(std::string what, const Terminal& terminal);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::size_t done, std::size_t total);

 private:
  std::string what_;
  Terminal terminal_;
  std::chrono::steady_clock::time_point last_{};
  bool is_drawn_ = false;
};

}  // namespace logit::cli
