// Runs the stages: plan, evaluate, judge, a second round where there is one, conclude.
// Entry: answer. Tested by tests/pipeline/classifier_test.cpp.
#include "pipeline/answer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "pipeline/defaults.h"
#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Below this probability of all labels together the model was about to say something else.
constexpr double kLowLabelMass = 0.5;

std::string at_chance_warning(const TypeProfile& type) {
  return std::string("this model answers ") + question_type_name(type.type) +
         " questions no better than guessing (built-in probe); do not rely on this answer";
}

double default_temperature(Readout readout) {
  switch (readout) {
    case Readout::kLabel:
      return kLabelTemperature;
    case Readout::kChannel:
      return kChannelTemperature;
    case Readout::kMix:
      return kMixTemperature;
    default:
      return kTextTemperature;
  }
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

class Answering {
 public:
  Answering(Backend& backend, const ClassifierOptions& options, const Profile& profile,
            BaselineCache& cache, std::span<const Request> requests)
      : backend_(backend),
        options_(options),
        profile_(profile),
        cache_(cache),
        requests_(requests) {}

  // Errors: of an evaluation, which no request survives.
  Result<std::vector<Result<Reply>>> run(const std::stop_token& stop) {
    const auto plan_start = Clock::now();
    plan_ = plan(backend_, options_, profile_, cache_, requests_);
    cost_.plan_ms = ms_since(plan_start);
    cost_.baseline_tokens = plan_.baseline_tokens;
    const auto evaluate_start = Clock::now();
    Result<Round> first = run_round(backend_, plan_.tree, stop);
    if (!first) return first.error();
    judge_all(first->outputs);
    second_plan_ = plan_channels(backend_, options_, planned_);
    Result<Round> second = run_round(backend_, second_plan_.tree, stop);
    if (!second) return second.error();
    cost_.evaluate_ms = ms_since(evaluate_start);
    add_tokens(plan_.tree, cost_);
    add_tokens(second_plan_.tree, cost_);
    add_stats(first->stats, cost_);
    add_stats(second->stats, cost_);
    return conclude_all(first->outputs, second->outputs);
  }

  // When an evaluation failed for all.
  std::vector<Result<Reply>> all_failed(const Error& error) const {
    std::vector<Result<Reply>> replies;
    for (const auto& planned : plan_.requests) replies.push_back(planned ? error : planned.error());
    return replies;
  }

 private:
  void judge_all(std::span<const double> outputs) {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (!plan_.requests[i]) continue;
      FirstRound& first = planned_.emplace_back();
      first.request = &requests_[i];
      first.plan = &*plan_.requests[i];
      for (const Reading& reading : first.plan->questions) {
        first.questions.push_back(judge(reading, outputs));
        if (!reading.baseline.weighings.empty()) {
          cache_.put(reading.baseline.key, first.questions.back().baseline);
        }
      }
    }
  }

  std::vector<Result<Reply>> conclude_all(std::span<const double> first,
                                          std::span<const double> second) {
    const auto start = Clock::now();
    std::vector<Result<Reply>> replies;
    std::size_t next = 0;  // of the requests that were planned
    for (const Result<RequestPlan>& planned : plan_.requests) {
      if (!planned) {
        replies.push_back(planned.error());
        continue;
      }
      const Result<ChannelRequest>& channels = second_plan_.requests[next];
      FirstRound& round = planned_[next++];
      if (!channels) {
        replies.push_back(channels.error());
        continue;
      }
      Reply reply = reply_to(round, *channels, first, second);
      reply.diagnostics = cost_;
      reply.diagnostics.second_round_tokens = channels->input_tokens;
      reply.diagnostics.conclude_ms = ms_since(start);
      replies.push_back(std::move(reply));
    }
    return replies;
  }

  Reply reply_to(FirstRound& round, const ChannelRequest& channels, std::span<const double> first,
                 std::span<const double> second) {
    Reply reply;
    reply.model = backend_.info().id;
    reply.usage.input_tokens = round.plan->input_tokens + channels.input_tokens;
    for (std::size_t i = 0; i < round.request->questions.size(); ++i) {
      const Question& question = round.request->questions[i];
      const Reading& reading = round.plan->questions[i];
      Answer answer = conclude_question(question, reading, std::move(round.questions[i]),
                                        channels.questions[i], second);
      if (reading.way.readout == Readout::kLabel && reading.contrast.empty()) {
        describe_lists(reading, first, answer);
      }
      reply.answers.push_back(std::move(answer));
    }
    return reply;
  }

  Answer conclude_question(const Question& question, const Reading& reading, Judged judged,
                           const ChannelReading& channel, std::span<const double> outputs) const {
    const Readout readout = readout_used(reading, channel);
    const double temperature = options_.temperature.value_or(default_temperature(readout));
    std::vector<double> weights;
    std::vector<double> scores = judged.scores;
    if (readout == Readout::kChannel || readout == Readout::kMix) {
      scores = mix_channel(scores, channel, candidate_count(question),
                           readout == Readout::kMix ? kChannelShare : 1, outputs, weights);
    }
    Answer answer = conclude(question, normalise(calibrate(scores, temperature)));
    answer.readout = readout;
    answer.temperature = temperature;
    if (!judged.baseline.empty()) {
      answer.lift = *std::max_element(judged.scores.begin(), judged.scores.end());
    }
    answer.raw = std::move(judged.raw);
    answer.baseline = std::move(judged.baseline);
    answer.channel = std::move(weights);
    answer.scores = std::move(scores);
    const TypeProfile& type = profile_.of(question.type);
    if (type.at_chance) answer.warnings.push_back(at_chance_warning(type));
    return answer;
  }

  // A mix whose state is long or empty has no second round.
  static Readout readout_used(const Reading& reading, const ChannelReading& channel) {
    const Readout readout = reading.way.readout;
    return readout == Readout::kMix && channel.candidates.empty() ? Readout::kText : readout;
  }

  static void describe_lists(const Reading& reading, std::span<const double> outputs,
                             Answer& answer) {
    answer.label_mass = label_mass(reading, outputs);
    if (*answer.label_mass < kLowLabelMass) {
      answer.warnings.push_back("the labels hold less than half of the model's probability");
    }
    if (reading.weighings.size() > 1) {
      answer.order_spread = order_spread(reading.weighings, outputs);
    }
    if (!reading.declines.empty()) {
      answer.abstain = 1 / (1 + std::exp(-decline_log_odds(reading, answer.raw, outputs)));
    }
  }

  Backend& backend_;
  const ClassifierOptions& options_;
  const Profile& profile_;
  BaselineCache& cache_;
  std::span<const Request> requests_;
  Plan plan_;
  std::vector<FirstRound> planned_;  // of the requests that could be planned
  ChannelPlan second_plan_;
  Diagnostics cost_;
};

bool worth_alone(const Error& error, std::size_t n_requests) {
  return n_requests > 1 && error.code != ErrorCode::kCancelled;
}

}  // namespace

std::vector<Result<Reply>> answer(Backend& backend, const ClassifierOptions& options,
                                  const Profile& profile, BaselineCache& cache,
                                  std::span<const Request> requests, std::stop_token stop) {
  Answering all(backend, options, profile, cache, requests);
  Result<std::vector<Result<Reply>>> replies = all.run(stop);
  if (replies) return *std::move(replies);
  if (!worth_alone(replies.error(), requests.size())) return all.all_failed(replies.error());
  std::vector<Result<Reply>> each;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    each.push_back(answer(backend, options, profile, cache, requests.subspan(i, 1), stop).front());
  }
  return each;
}

}  // namespace logit::pipeline
