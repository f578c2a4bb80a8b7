// Runs the stages: plan, evaluate, judge, a second round where there is one, decide.
// Entry: answer. Tested by tests/pipeline/classifier_test.cpp.
#include "pipeline/answer.h"

#include <chrono>
#include <utility>

#include "pipeline/decide.h"

namespace logit::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The evaluation of one round.
struct Round {
  std::vector<double> outputs;
  EvaluateStats stats;
};

// An empty tree costs no call.
Result<Round> run_round(Backend& backend, const TokenTree& tree, std::stop_token stop) {
  Round round;
  if (tree.nodes.empty()) return round;
  round.outputs.resize(tree.n_outputs());
  Result<EvaluateStats> stats = backend.evaluate(tree, round.outputs, std::move(stop));
  if (!stats) return stats.error();
  round.stats = *stats;
  return round;
}

void add_tokens(const TokenTree& tree, Diagnostics& diagnostics) {
  for (const TokenTree::Node& node : tree.nodes) {
    (node.parent == TokenTree::kNoParent ? diagnostics.prefix_tokens : diagnostics.branch_tokens) +=
        node.n_tokens;
  }
}

void add_stats(const EvaluateStats& stats, Diagnostics& diagnostics) {
  diagnostics.evaluated_tokens += stats.evaluated_tokens;
  diagnostics.reused_tokens += stats.reused_tokens;
  diagnostics.passes += stats.passes;
}

void append(std::vector<Weighing>& lists, const std::vector<Weighing>& more) {
  lists.insert(lists.end(), more.begin(), more.end());
}

class Answering {
 public:
  Answering(const Setup& setup, std::span<const Request> requests)
      : setup_(setup), requests_(requests) {}

  // Errors: of an evaluation, which no request survives.
  Result<std::vector<Result<Reply>>> run(const std::stop_token& stop) {
    const auto plan_start = Clock::now();
    plan_ = plan(setup_.backend, setup_.options, setup_.profile, setup_.baselines, requests_);
    cost_.plan_ms = ms_since(plan_start);
    cost_.baseline_tokens = plan_.baseline_tokens;
    const auto evaluate_start = Clock::now();
    Result<Round> first = run_round(setup_.backend, plan_.tree, stop);
    if (!first) return first.error();
    outputs_ = std::move(first->outputs);
    judge_all();
    second_plan_ = plan_second(setup_.backend, setup_.options, planned_, outputs_);
    Result<Round> second = run_round(setup_.backend, second_plan_.tree, stop);
    if (!second) return second.error();
    outputs_.insert(outputs_.end(), second->outputs.begin(), second->outputs.end());
    add_orders();
    cost_.evaluate_ms = ms_since(evaluate_start);
    add_tokens(plan_.tree, cost_);
    add_tokens(second_plan_.tree, cost_);
    add_stats(first->stats, cost_);
    add_stats(second->stats, cost_);
    return conclude_all();
  }

  // When an evaluation failed for all.
  std::vector<Result<Reply>> all_failed(const Error& error) const {
    std::vector<Result<Reply>> replies;
    for (const auto& planned : plan_.requests) replies.push_back(planned ? error : planned.error());
    return replies;
  }

 private:
  void judge_all() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (!plan_.requests[i]) continue;
      FirstRound& first = planned_.emplace_back();
      first.request = &requests_[i];
      first.plan = &*plan_.requests[i];
      for (const Reading& reading : first.plan->questions) {
        first.questions.push_back(judge(reading, outputs_));
        if (!reading.baseline.weighings.empty()) {
          setup_.baselines.put(reading.baseline.key, first.questions.back().baseline);
        }
      }
    }
  }

  // Orders that the second round listed count as if the first had listed them.
  void add_orders() {
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      if (!second_plan_.requests[i]) continue;
      for (std::size_t k = 0; k < planned_[i].questions.size(); ++k) {
        const SecondReading& second = second_plan_.requests[i]->questions[k];
        if (!second.leaders.empty() || second.lists.lists.empty()) continue;
        Reading& reading = planned_[i].plan->questions[k];
        append(reading.lists, second.lists.lists);
        append(reading.declines, second.lists.declines);
        planned_[i].questions[k] = judge(reading, outputs_);
      }
    }
  }

  std::vector<Result<Reply>> conclude_all() {
    const auto start = Clock::now();
    std::vector<Result<Reply>> replies;
    std::size_t next = 0;  // of the requests that were planned
    for (const Result<RequestPlan>& planned : plan_.requests) {
      if (!planned) {
        replies.push_back(planned.error());
        continue;
      }
      const Result<SecondRequest>& second = second_plan_.requests[next];
      const FirstRound& first = planned_[next++];
      if (!second) {
        replies.push_back(second.error());
        continue;
      }
      Reply reply = reply_to(first, *second);
      reply.diagnostics = cost_;
      reply.diagnostics.second_round_tokens = second->input_tokens;
      reply.diagnostics.conclude_ms = ms_since(start);
      replies.push_back(std::move(reply));
    }
    return replies;
  }

  Reply reply_to(const FirstRound& first, const SecondRequest& second) {
    Reply reply;
    reply.model = setup_.backend.info().id;
    reply.usage.input_tokens = first.plan->input_tokens + second.input_tokens;
    for (std::size_t i = 0; i < first.request->questions.size(); ++i) {
      reply.answers.push_back(decide(setup_, {first.request->questions[i], first.plan->questions[i],
                                              first.questions[i], second.questions[i], outputs_}));
    }
    return reply;
  }

  const Setup& setup_;
  std::span<const Request> requests_;
  Plan plan_;
  std::vector<FirstRound> planned_;  // of the requests that could be planned
  SecondPlan second_plan_;
  std::vector<double> outputs_;  // of the first round, then the second's behind them
  Diagnostics cost_;
};

bool worth_alone(const Error& error, std::size_t n_requests) {
  return n_requests > 1 && error.code != ErrorCode::kCancelled;
}

}  // namespace

std::vector<Result<Reply>> answer(const Setup& setup, std::span<const Request> requests,
                                  std::stop_token stop) {
  Answering all(setup, requests);
  Result<std::vector<Result<Reply>>> replies = all.run(stop);
  if (replies) return *std::move(replies);
  if (!worth_alone(replies.error(), requests.size())) return all.all_failed(replies.error());
  std::vector<Result<Reply>> each;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    each.push_back(answer(setup, requests.subspan(i, 1), stop).front());
  }
  return each;
}

}  // namespace logit::pipeline
