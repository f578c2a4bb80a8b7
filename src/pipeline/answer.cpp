// Runs plan, evaluate, calibrate, normalise and conclude. Entry: answer.
// Tested by tests/pipeline/classifier_test.cpp.
#include "pipeline/answer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

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

double label_mass(std::span<const double> raw) {
  double mass = 0;
  for (double value : raw) mass += std::exp(value);
  return std::min(mass, 1.0);
}

void describe_reading(const QuestionPlan& planned, const TypeProfile& type, Answer& answer) {
  answer.readout = planned.way.readout;
  answer.temperature = planned.temperature;
  if (planned.way.readout == Readout::kLabel && planned.contrast.empty()) {
    answer.label_mass = label_mass(answer.raw);
    if (*answer.label_mass < kLowLabelMass) {
      answer.warnings.push_back("the labels hold less than half of the model's probability");
    }
  } else if (!answer.baseline.empty()) {
    answer.lift = *std::max_element(answer.scores.begin(), answer.scores.end());
  }
  if (type.at_chance) answer.warnings.push_back(at_chance_warning(type));
}

Answer answer_question(const Question& question, const QuestionPlan& planned,
                       const TypeProfile& type, std::span<const double> outputs,
                       BaselineCache& cache) {
  std::vector<double> raw = read_scores(planned.weighings, outputs);
  if (!planned.contrast.empty()) raw = against(raw, read_scores(planned.contrast, outputs));
  std::vector<double> baseline = planned.baseline.known;
  if (!planned.baseline.weighings.empty()) {
    baseline = read_scores(planned.baseline.weighings, outputs);
    cache.put(planned.baseline.key, baseline);
  }
  std::vector<double> scores = gain(raw, baseline);
  Answer answer = conclude(question, normalise(calibrate(scores, planned.temperature)));
  answer.raw = std::move(raw);
  answer.scores = std::move(scores);
  answer.baseline = std::move(baseline);
  describe_reading(planned, type, answer);
  return answer;
}

Reply reply_to(const Request& request, const RequestPlan& planned, const Backend& backend,
               const Profile& profile, std::span<const double> outputs, BaselineCache& cache) {
  Reply reply;
  reply.model = backend.info().id;
  reply.usage.input_tokens = planned.input_tokens;
  for (std::size_t i = 0; i < request.questions.size(); ++i) {
    const Question& question = request.questions[i];
    reply.answers.push_back(
        answer_question(question, planned.questions[i], profile.of(question.type), outputs, cache));
  }
  return reply;
}

Diagnostics diagnose(const Plan& plan, const EvaluateStats& stats, double plan_ms,
                     double evaluate_ms) {
  Diagnostics diagnostics;
  for (const TokenTree::Node& node : plan.tree.nodes) {
    (node.parent == TokenTree::kNoParent ? diagnostics.prefix_tokens : diagnostics.branch_tokens) +=
        node.n_tokens;
  }
  diagnostics.baseline_tokens = plan.baseline_tokens;
  diagnostics.evaluated_tokens = stats.evaluated_tokens;
  diagnostics.reused_tokens = stats.reused_tokens;
  diagnostics.passes = stats.passes;
  diagnostics.plan_ms = plan_ms;
  diagnostics.evaluate_ms = evaluate_ms;
  return diagnostics;
}

std::vector<Result<Reply>> all_failed(const Plan& plan, const Error& error) {
  std::vector<Result<Reply>> replies;
  for (const auto& planned : plan.requests) replies.push_back(planned ? error : planned.error());
  return replies;
}

bool worth_alone(const Error& error, std::size_t n_requests) {
  return n_requests > 1 && error.code != ErrorCode::kCancelled;
}

}  // namespace

std::vector<Result<Reply>> answer(Backend& backend, const ClassifierOptions& options,
                                  const Profile& profile, BaselineCache& cache,
                                  std::span<const Request> requests, std::stop_token stop) {
  const auto start = Clock::now();
  const Plan planned = plan(backend, options, profile, cache, requests);
  const double plan_ms = ms_since(start);

  const auto evaluate_start = Clock::now();
  std::vector<double> outputs(planned.tree.n_outputs());
  const Result<EvaluateStats> stats = backend.evaluate(planned.tree, outputs, stop);
  const double evaluate_ms = ms_since(evaluate_start);
  std::vector<Result<Reply>> replies;
  if (!stats) {
    if (!worth_alone(stats.error(), requests.size())) return all_failed(planned, stats.error());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      replies.push_back(
          answer(backend, options, profile, cache, requests.subspan(i, 1), stop).front());
    }
    return replies;
  }

  const auto conclude_start = Clock::now();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Result<RequestPlan>& one = planned.requests[i];
    if (!one) {
      replies.push_back(one.error());
      continue;
    }
    Reply reply = reply_to(requests[i], *one, backend, profile, outputs, cache);
    reply.diagnostics = diagnose(planned, *stats, plan_ms, evaluate_ms);
    reply.diagnostics.conclude_ms = ms_since(conclude_start);
    replies.push_back(std::move(reply));
  }
  return replies;
}

}  // namespace logit::pipeline
