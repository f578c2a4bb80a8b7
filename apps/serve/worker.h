// Worker: the one thread that owns the model, and the queue before it.
//
// Requests take turns: each gets a few questions answered, then the next one's turn comes, so that
// a large request does not keep a small one waiting. Every connection has at most one request
// here, so turns by request are turns by client. Answers keep their bits: they depend on the state
// and the question only (docs/design.md).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "logit/classifier.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit::serve {

// What the worker needs of a model; called on the worker's thread only.
struct Engine {
  // Whether all of a request may be answered, and the usage of its first round; no
  // evaluation.
  std::function<Result<Usage>(const Request&)> measure;
  std::function<Result<Reply>(const Request&, std::stop_token)> classify;
  std::function<MemoryUse()> memory_use{};  // what it keeps; unset: not known
};

Engine make_engine(std::shared_ptr<Classifier> classifier);

struct Outcome {
  Result<Reply> reply;
  Request request;      // handed back
  double queue_ms = 0;  // before its first turn
  double total_ms = 0;
};

struct Job {
  Request request;
  // Asked to stop when the client has gone; the job then ends with kCancelled between two
  // engine calls, or at once when it waits.
  std::stop_source stop;
  // Called exactly once, on the worker's thread or by submit() and must not block.
  std::function<void(Outcome)> done;
};

// Questions of `request` from `first` on that one turn answers: at least one.
std::size_t questions_of_turn(const Request& request, std::size_t first);

// Thread-safe. The destructor cancels what is left and waits for the engine call that runs.
class Worker {
 public:
  using Open = std::function<Result<Engine>(std::stop_token)>;

  // Starts the thread, which first calls `open` and tells `on_open` how that went. Jobs that are
  // submitted before wait for it; after a failure they end with its error.
  Worker(std::size_t most_waiting, Open open, std::function<void(Result<Done>)> on_open);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // False, with `job` untouched, when as many requests wait as may.
  bool submit(Job& job);

  // Requests that wait or have some of their answers.
  std::size_t n_waiting() const;
  bool is_idle() const;

  // What the model kept after the last turn.
  MemoryUse memory_use() const;

  // Every job ends with kCancelled.
  void cancel_all();

  // Calls `errand` on the worker's thread before the next turn, after the model was opened. It is
  // dropped when the worker ends first. REQUIRES: `errand` does not throw.
  void post(std::function<void()> errand);

 private:
  struct Task;

  void run(std::stop_token stop, const Open& open,
           const std::function<void(Result<Done>)>& on_open);
  std::unique_ptr<Task> next(std::stop_token stop);
  void note_memory(const Engine& engine);
  void put_back(std::unique_ptr<Task> task);
  std::list<std::unique_ptr<Task>> take_if(const std::function<bool(const Task&)>& wanted);

  const std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<std::unique_ptr<Task>> waiting_;
  std::deque<std::function<void()>> errands_;
  std::optional<std::stop_source> running_;
  MemoryUse memory_use_;
  std::jthread thread_;  // last: it uses the members above
};

}  // namespace logit::serve
