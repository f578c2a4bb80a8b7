#include "serve/worker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <semaphore>

#include "serve/support.h"

namespace logit::serve {
namespace {

using testing::choice;
using testing::noul;

Request of_questions(const std::string& state, std::size_t n, std::size_t n_options) {
  Request request{Content(state), "", {}};
  for (std::size_t i = 0; i < n; ++i) {
    Question question = choice("q" + std::to_string(i), {});
    for (std::size_t k = 0; k < n_options; ++k) {
      question.options.push_back({"option " + std::to_string(k), {}});
    }
    request.questions.push_back(std::move(question));
  }
  return request;
}

// An engine whose every call waits for a permit, and that notes what it was asked.
struct FakeEngine {
  std::counting_semaphore<1000> permits{0};
  std::counting_semaphore<1000> calls_begun{0};
  std::mutex mutex;
  std::vector<std::string> order;  // states, a call each

  Engine engine() {
    return {[](const Request& request) -> Result<Usage> {
              return Usage{request.questions.size(), 0};
            },
            [this](const Request& request, std::stop_token stop) {
              return classify(request, std::move(stop));
            }};
  }

  Result<Reply> classify(const Request& request, std::stop_token stop) {
    {
      const std::scoped_lock lock(mutex);
      order.push_back(*request.state.text());
    }
    calls_begun.release();
    while (!permits.try_acquire_for(std::chrono::milliseconds(1))) {
      if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled", "", {}};
    }
    Reply reply;
    for (const Question& question : request.questions) {
      reply.answers.emplace_back().id = question.id;
    }
    reply.diagnostics.evaluated_tokens = 10;
    return reply;
  }
};

struct Waiting {
  std::stop_source stop;
  std::future<Outcome> outcome;
  bool is_taken = false;
};

Waiting submit(Worker& worker, Request request) {
  Waiting waiting;
  const auto promise = std::make_shared<std::promise<Outcome>>();
  waiting.outcome = promise->get_future();
  Job job{std::move(request), waiting.stop,
          [promise](Outcome outcome) { promise->set_value(std::move(outcome)); }};
  waiting.is_taken = worker.submit(job);
  return waiting;
}

class WorkerTest : public ::testing::Test {
 protected:
  Worker make(std::size_t most_waiting = 8) {
    return Worker(
        most_waiting, [this](std::stop_token) -> Result<Engine> { return fake_.engine(); },
        [](Result<Done>) {});
  }

  FakeEngine fake_;
};

TEST_F(WorkerTest, AnswersComeBackWithTheirRequest) {
  Worker worker = make();
  fake_.permits.release();
  Outcome outcome = submit(worker, of_questions("s", 2, 3)).outcome.get();
  ASSERT_TRUE(outcome.reply);
  EXPECT_EQ(outcome.reply->answers.size(), 2U);
  EXPECT_EQ(outcome.request.questions.size(), 2U);
  EXPECT_GE(outcome.total_ms, outcome.queue_ms);
}

TEST_F(WorkerTest, AFullQueueRefusesAtOnceAndLeavesTheJob) {
  Worker worker = make(1);
  const Waiting first = submit(worker, of_questions("first", 1, 2));
  fake_.calls_begun.acquire();
  Waiting second = submit(worker, of_questions("second", 1, 2));
  EXPECT_TRUE(second.is_taken);
  Job third{of_questions("third", 1, 2), {}, {}};
  EXPECT_FALSE(worker.submit(third));
  EXPECT_EQ(*third.request.state.text(), "third");
  EXPECT_EQ(worker.n_waiting(), 1U);
  fake_.permits.release(2);
  EXPECT_TRUE(second.outcome.get().reply);
}

TEST_F(WorkerTest, ALargeRequestDoesNotKeepASmallOneWaiting) {
  Worker worker = make();
  Waiting large = submit(worker, of_questions("large", 10, 32));
  fake_.calls_begun.acquire();
  Waiting small = submit(worker, of_questions("small", 1, 2));
  fake_.permits.release(100);
  EXPECT_TRUE(small.outcome.get().reply);
  Outcome outcome = large.outcome.get();
  ASSERT_TRUE(outcome.reply);
  EXPECT_EQ(fake_.order[1], "small");
  EXPECT_EQ(std::count(fake_.order.begin(), fake_.order.end(), "large"), 10);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(outcome.reply->answers[i].id, "q" + std::to_string(i));
    EXPECT_EQ(outcome.request.questions[i].options.size(), 32U);
  }
  EXPECT_EQ(outcome.reply->usage.input_tokens, 10U);
  EXPECT_EQ(outcome.reply->diagnostics.evaluated_tokens, 100U);
}

TEST_F(WorkerTest, AClientThatHangsUpIsCancelledWhileItRuns) {  // case C31
  Worker worker = make();
  Waiting job = submit(worker, of_questions("gone", 1, 2));
  fake_.calls_begun.acquire();
  job.stop.request_stop();
  EXPECT_EQ(job.outcome.get().reply.error().code, ErrorCode::kCancelled);
}

TEST_F(WorkerTest, AClientThatHangsUpInTheQueueIsNeverWorkedForAndHoldsNoPlace) {
  Worker worker = make(1);
  Waiting running = submit(worker, of_questions("running", 1, 2));
  fake_.calls_begun.acquire();
  Waiting gone = submit(worker, of_questions("gone", 1, 2));
  gone.stop.request_stop();
  Waiting next = submit(worker, of_questions("next", 1, 2));
  EXPECT_TRUE(next.is_taken);
  EXPECT_EQ(gone.outcome.get().reply.error().code, ErrorCode::kCancelled);
  fake_.permits.release(2);
  EXPECT_TRUE(next.outcome.get().reply);
  EXPECT_EQ(fake_.order, (std::vector<std::string>{"running", "next"}));
}

TEST_F(WorkerTest, CancelAllEndsEveryJob) {
  Worker worker = make();
  Waiting running = submit(worker, of_questions("running", 1, 2));
  fake_.calls_begun.acquire();
  Waiting waiting = submit(worker, of_questions("waiting", 1, 2));
  worker.cancel_all();
  EXPECT_EQ(running.outcome.get().reply.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(waiting.outcome.get().reply.error().code, ErrorCode::kCancelled);
}

TEST_F(WorkerTest, TheEndOfTheWorkerEndsEveryJob) {
  std::vector<Waiting> jobs;
  {
    Worker worker = make();
    for (int i = 0; i < 5; ++i) jobs.push_back(submit(worker, of_questions("s", 1, 2)));
    fake_.calls_begun.acquire();
  }
  for (Waiting& job : jobs) {
    EXPECT_EQ(job.outcome.get().reply.error().code, ErrorCode::kCancelled);
  }
}

TEST(Worker, JobsWaitForTheModelAndEndWithItsError) {
  std::promise<void> go;
  std::promise<Result<Done>> told;
  Worker worker(
      4,
      [&go](std::stop_token) -> Result<Engine> {
        go.get_future().wait();
        return Error{ErrorCode::kModelLoad, "no such file", "", {}};
      },
      [&told](Result<Done> opened) { told.set_value(std::move(opened)); });
  Waiting job = submit(worker, of_questions("s", 1, 2));
  go.set_value();
  EXPECT_EQ(told.get_future().get().error().code, ErrorCode::kModelLoad);
  EXPECT_EQ(job.outcome.get().reply.error().code, ErrorCode::kModelLoad);
}

TEST_F(WorkerTest, AnErrandRunsBetweenTwoTurns) {
  Worker worker = make();
  Waiting large = submit(worker, of_questions("large", 2, 32));
  fake_.calls_begun.acquire();
  std::promise<std::size_t> calls_before;
  worker.post([&] {
    const std::scoped_lock lock(fake_.mutex);
    calls_before.set_value(fake_.order.size());
  });
  fake_.permits.release(2);
  EXPECT_EQ(calls_before.get_future().get(), 1U);
  EXPECT_TRUE(large.outcome.get().reply);
}

TEST_F(WorkerTest, AnErrandNeedsNoRequest) {
  Worker worker = make();
  std::promise<void> done;
  worker.post([&done] { done.set_value(); });
  done.get_future().get();
  EXPECT_TRUE(worker.is_idle());
}

TEST(Worker, TellsWhatTheModelKeepsAfterEachTurn) {
  const Engine engine{[](const Request&) -> Result<Usage> { return Usage{}; },
                      [](const Request&, std::stop_token) -> Result<Reply> { return Reply{}; },
                      [] {
                        return MemoryUse{{2, 300}, 4};
                      }};
  Worker worker(
      4, [&engine](std::stop_token) -> Result<Engine> { return engine; }, [](Result<Done>) {});
  EXPECT_EQ(worker.memory_use().n_baselines, 0U);
  submit(worker, of_questions("s", 1, 2)).outcome.get();
  EXPECT_EQ(worker.memory_use().prefixes.n_bytes, 300U);
  EXPECT_EQ(worker.memory_use().n_baselines, 4U);
}

TEST(Worker, OutOfMemoryEndsOneRequestOnly) {
  int n_calls = 0;
  const Engine engine{[](const Request&) -> Result<Usage> { return Usage{}; },
                      [&n_calls](const Request&, std::stop_token) -> Result<Reply> {
                        if (n_calls++ == 0) throw std::bad_alloc();
                        return Reply{};
                      }};
  Worker worker(
      4, [&engine](std::stop_token) -> Result<Engine> { return engine; }, [](Result<Done>) {});
  EXPECT_EQ(submit(worker, of_questions("s", 1, 2)).outcome.get().reply.error().code,
            ErrorCode::kInternal);
  EXPECT_TRUE(submit(worker, of_questions("s", 1, 2)).outcome.get().reply);
}

TEST(QuestionsOfTurn, AtLeastOneAndAboutAsMuchWorkEachTime) {
  const Request request = of_questions("s", 10, 12);
  EXPECT_EQ(questions_of_turn(request, 0), 2U);
  EXPECT_EQ(questions_of_turn(request, 9), 1U);
  EXPECT_EQ(questions_of_turn(of_questions("s", 3, 255), 1), 1U);
  EXPECT_EQ(questions_of_turn(of_questions("s", 3, 2), 0), 3U);
}

// The same numbers and the same usage, whether answered at once or in turns.
TEST(Worker, TurnsLeaveNoTrace) {
  const Request request = of_questions("The app broke and I want my money back.", 7, 20);
  const Result<Reply> at_once = scripted_classifier()->classify(request);
  ASSERT_TRUE(at_once);
  Worker worker(
      4, [](std::stop_token) -> Result<Engine> { return make_engine(scripted_classifier()); },
      [](Result<Done>) {});
  const Outcome outcome = submit(worker, request).outcome.get();
  ASSERT_TRUE(outcome.reply);
  EXPECT_EQ(render_reply(request, *outcome.reply, {}), render_reply(request, *at_once, {}));
}

TEST(Worker, TooManyTokensAreToldBeforeAnyWork) {
  Worker worker(
      4, [](std::stop_token) -> Result<Engine> { return make_engine(scripted_classifier(300)); },
      [](Result<Done>) {});
  const Outcome outcome = submit(worker, of_questions("s", 10, 32)).outcome.get();
  ASSERT_FALSE(outcome.reply);
  EXPECT_EQ(outcome.reply.error().code, ErrorCode::kTooLong);
}

}  // namespace
}  // namespace logit::serve
