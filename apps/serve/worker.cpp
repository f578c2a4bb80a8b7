// Runs requests in turns on one thread; entry: Worker. Tested by tests/serve/worker_test.cpp.
#include "worker.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <utility>

#include "access_log.h"

namespace logit::serve {
namespace {

using Clock = std::chrono::steady_clock;

// Candidates that one turn weighs: some tenths of a second of a small model on two cores where
// their baselines are known, seconds where they are not.
constexpr std::size_t kCandidatesOfTurn = 32;

double ms_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

// A request that needs more memory than there is must not take the others with it.
template <class T>
Result<T> guarded(const std::function<Result<T>()>& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kInternal, "out of memory", "", {}};
  } catch (const std::exception& failure) {
    return Error{ErrorCode::kInternal, failure.what(), "", {}};
  }
}

Error cancelled() { return {ErrorCode::kCancelled, "the request was cancelled", "", {}}; }

void add_cost(const Diagnostics& more, Diagnostics& sum) {
  sum.prefix_tokens += more.prefix_tokens;
  sum.branch_tokens += more.branch_tokens;
  sum.baseline_tokens += more.baseline_tokens;
  sum.second_round_tokens += more.second_round_tokens;
  sum.evaluated_tokens += more.evaluated_tokens;
  sum.reused_tokens += more.reused_tokens;
  sum.passes += more.passes;
  sum.plan_ms += more.plan_ms;
  sum.evaluate_ms += more.evaluate_ms;
  sum.conclude_ms += more.conclude_ms;
}

}  // namespace

std::size_t questions_of_turn(const Request& request, std::size_t first) {
  std::size_t n_candidates = 0;
  std::size_t end = first;
  while (end < request.questions.size()) {
    n_candidates += candidate_count(request.questions[end]);
    if (end > first && n_candidates > kCandidatesOfTurn) break;
    ++end;
  }
  return end - first;
}

Engine make_engine(std::shared_ptr<Classifier> classifier) {
  return {[classifier](const Request& request) { return classifier->measure(request); },
          [classifier](const Request& request, std::stop_token stop) {
            Result<Reply> reply = classifier->classify(request, std::move(stop));
            for (const std::string& warning : classifier->take_warnings()) {
              write_without_waiting(STDERR_FILENO, "warning: " + warning + "\n");
            }
            return reply;
          },
          [classifier] { return classifier->memory_use(); }};
}

// A job, and how far it has come.
struct Worker::Task {
  explicit Task(Job started) : job(std::move(started)), arrived(Clock::now()) {}

  bool is_cancelled() const { return job.stop.stop_requested(); }

  void finish(Result<Reply> result) {
    const Clock::time_point now = Clock::now();
    const double queue_ms = ms_between(arrived, first_turn.value_or(now));
    job.done({std::move(result), std::move(job.request), queue_ms, ms_between(arrived, now)});
  }

  // What to finish with; nothing when more turns are needed.
  std::optional<Result<Reply>> take_turn(const Engine& engine) {
    const bool is_first = !first_turn;
    if (is_first) first_turn = Clock::now();
    if (is_cancelled()) return cancelled();
    const std::size_t n_all = job.request.questions.size();
    const std::size_t n_now = questions_of_turn(job.request, n_answered);
    if (n_now == n_all) return classify(engine, job.request);
    if (is_first) {
      Result<Usage> usage = guarded<Usage>([&] { return engine.measure(job.request); });
      if (!usage) return std::move(usage).error();
      reply.usage = *usage;
    }
    Result<Reply> part = classify_part(engine, n_now);
    if (!part) return std::move(part).error();
    add_part(*std::move(part));
    if (n_answered < n_all) return std::nullopt;
    return std::move(reply);
  }

 private:
  Result<Reply> classify(const Engine& engine, const Request& request) const {
    return guarded<Reply>([&] { return engine.classify(request, job.stop.get_token()); });
  }

  // The request lends its state and some questions to a smaller one; nothing is copied.
  Result<Reply> classify_part(const Engine& engine, std::size_t n_now) {
    Request part;
    part.state = std::move(job.request.state);
    const auto from = job.request.questions.begin() + static_cast<std::ptrdiff_t>(n_answered);
    const auto to = from + static_cast<std::ptrdiff_t>(n_now);
    part.questions.assign(std::make_move_iterator(from), std::make_move_iterator(to));
    Result<Reply> result = classify(engine, part);
    std::move(part.questions.begin(), part.questions.end(), from);
    job.request.state = std::move(part.state);
    return result;
  }

  void add_part(Reply part) {
    reply.model = std::move(part.model);
    n_answered += part.answers.size();
    std::move(part.answers.begin(), part.answers.end(), std::back_inserter(reply.answers));
    // What measure() could not foresee.
    reply.usage.input_tokens += part.diagnostics.second_round_tokens;
    add_cost(part.diagnostics, reply.diagnostics);
  }

  Job job;
  Clock::time_point arrived;
  std::optional<Clock::time_point> first_turn;
  std::size_t n_answered = 0;
  Reply reply;

  friend class Worker;
};

Worker::Worker(std::size_t most_waiting, Open open, std::function<void(Result<Done>)> on_open)
    : most_waiting_(most_waiting),
      thread_([this, open = std::move(open), on_open = std::move(on_open)](std::stop_token stop) {
        run(std::move(stop), open, on_open);
      }) {}

Worker::~Worker() {
  thread_.request_stop();
  cancel_all();
  thread_.join();
  // What came in between is told, too.
  for (const auto& task : take_if([](const Task&) { return true; })) task->finish(cancelled());
}

bool Worker::submit(Job& job) {
  // A request whose client has gone holds no place.
  const auto gone = take_if([](const Task& task) { return task.is_cancelled(); });
  for (const auto& task : gone) task->finish(cancelled());
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::make_unique<Task>(std::move(job)));
  }
  changed_.notify_one();
  return true;
}

std::size_t Worker::n_waiting() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.size();
}

bool Worker::is_idle() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.empty() && !running_;
}

MemoryUse Worker::memory_use() const {
  const std::scoped_lock lock(mutex_);
  return memory_use_;
}

void Worker::post(std::function<void()> errand) {
  {
    const std::scoped_lock lock(mutex_);
    errands_.push_back(std::move(errand));
  }
  changed_.notify_one();
}

void Worker::cancel_all() {
  const auto tasks = take_if([](const Task&) { return true; });
  for (const auto& task : tasks) task->finish(cancelled());
  std::optional<std::stop_source> running;
  {
    const std::scoped_lock lock(mutex_);
    running = running_;
  }
  if (running) running->request_stop();
}

std::list<std::unique_ptr<Worker::Task>> Worker::take_if(
    const std::function<bool(const Task&)>& wanted) {
  std::list<std::unique_ptr<Task>> taken;
  const std::scoped_lock lock(mutex_);
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    const auto here = at++;
    if (wanted(**here)) taken.splice(taken.end(), waiting_, here);
  }
  return taken;
}

std::unique_ptr<Worker::Task> Worker::next(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  running_.reset();
  for (;;) {
    changed_.wait(lock, stop, [this] { return !waiting_.empty() || !errands_.empty(); });
    if (stop.stop_requested()) return nullptr;
    if (errands_.empty()) break;
    const std::function<void()> errand = std::move(errands_.front());
    errands_.pop_front();
    lock.unlock();
    errand();
    lock.lock();
  }
  std::unique_ptr<Task> task = std::move(waiting_.front());
  waiting_.pop_front();
  running_ = task->job.stop;
  return task;
}

void Worker::put_back(std::unique_ptr<Task> task) {
  const std::scoped_lock lock(mutex_);
  waiting_.push_back(std::move(task));
}

void Worker::note_memory(const Engine& engine) {
  if (!engine.memory_use) return;
  const MemoryUse now = engine.memory_use();
  const std::scoped_lock lock(mutex_);
  memory_use_ = now;
}

void Worker::run(std::stop_token stop, const Open& open,
                 const std::function<void(Result<Done>)>& on_open) {
  Result<Engine> engine = guarded<Engine>([&] { return open(stop); });
  on_open(engine ? Result<Done>(Done{}) : Result<Done>(engine.error()));
  while (std::unique_ptr<Task> task = next(stop)) {
    if (!engine) {
      task->finish(engine.error());
      continue;
    }
    std::optional<Result<Reply>> result = task->take_turn(*engine);
    note_memory(*engine);
    if (result) {
      task->finish(*std::move(result));
    } else {
      put_back(std::move(task));
    }
  }
}

}  // namespace logit::serve
