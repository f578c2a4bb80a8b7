// Interrupt: Ctrl-C as a stop token.
#pragma once

#include <stop_token>
#include <thread>

namespace logit::cli {

// While it lives, the first SIGINT requests a stop; the second ends the process as usual.
// Nothing where the process was started with SIGINT ignored.
// A thread waits for the signal, because request_stop() is not safe inside a signal handler.
// REQUIRES: made before other threads start (they inherit the blocked signal), one at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread watcher_;
};

}  // namespace logit::cli
