// Turns SIGINT into a stop request; entry: Interrupt. Tested by tests/cli/program_test.sh.
#include "interrupt.h"

#include <pthread.h>

#include <condition_variable>
#include <csignal>
#include <mutex>

namespace logit::cli {
namespace {

sigset_t interrupt_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

void watch(std::stop_token end, std::stop_source source) {
  const sigset_t set = interrupt_set();
  int signal = 0;
  sigwait(&set, &signal);
  if (end.stop_requested()) return;
  source.request_stop();
  // A signal goes to any thread that lets it in: from here on to this one, which only waits.
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, end, [] { return false; });
}

// A shell that runs a job in the background has SIGINT ignored: the person means another job.
bool is_ignored() {
  struct sigaction action {};
  return sigaction(SIGINT, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interrupt::Interrupt() {
  if (is_ignored()) return;
  const sigset_t set = interrupt_set();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  watcher_ = std::jthread(watch, source_);
}

Interrupt::~Interrupt() {
  if (!watcher_.joinable()) return;
  watcher_.request_stop();
  // Wakes a watcher that still waits for its signal; one that had it is past that.
  if (!source_.stop_requested()) pthread_kill(watcher_.native_handle(), SIGINT);
  watcher_.join();
  const sigset_t set = interrupt_set();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace logit::cli
