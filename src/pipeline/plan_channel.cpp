// Plans the second round: the state weighed under the candidates that lead. Entry: plan_channels.
// Tested by tests/pipeline/mix_test.cpp.
#include <algorithm>
#include <numeric>

#include "pipeline/defaults.h"
#include "pipeline/planning.h"

namespace logit::pipeline {
namespace {

// By score, highest first; equal ones by what is listed, so that the caller's order does not count.
std::vector<std::size_t> leaders_of(const QuestionText& text, std::span<const double> scores) {
  std::vector<std::string> listed;
  for (const Candidate& candidate : text.candidates) listed.push_back(listed_text(candidate));
  std::vector<std::size_t> order(text.candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : listed[a] < listed[b];
  });
  order.resize(std::min(order.size(), kLeaders));
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<std::size_t> all_of(const QuestionText& text) {
  std::vector<std::size_t> all(text.candidates.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Adds the prompt that opens with one candidate and the reads of every token of the state.
Result<Spelling> weigh_state(Planning& planning, const Asked& asked, const Candidate& candidate) {
  Result<Tokens> root =
      assemble_channel(planning.backend, planning.backend.frames().front(), asked.text, candidate);
  if (!root) return root.error();
  // The state's first token is read behind the prompt's last, which therefore stands below the
  // root: a root's own reads would be lost when it comes from the prefix cache.
  Tokens stem{root->back()};
  root->pop_back();
  const Tokens& state = asked.scope.state;
  stem.insert(stem.end(), state.begin(), state.end() - 1);
  const std::size_t needed = root->size() + stem.size();
  if (needed > planning.backend.info().n_context) return too_long(planning, asked.question, needed);
  const std::uint32_t node =
      planning.forest.add_prompt(*root, stem, Purpose::kInput, asked.scope.cost);
  return planning.forest.add_token_reads(node, state);
}

Result<ChannelReading> plan_channel(Planning& planning, const Asked& asked,
                                    std::vector<std::size_t> candidates, bool decline) {
  ChannelReading reading;
  reading.candidates = std::move(candidates);
  for (const std::size_t candidate : reading.candidates) {
    Result<Spelling> outputs = weigh_state(planning, asked, asked.text.candidates[candidate]);
    if (!outputs) return outputs.error();
    reading.outputs.push_back(std::move(*outputs));
  }
  if (!decline) return reading;
  Result<Spelling> outputs = weigh_state(planning, asked, {decline_text(asked.question), ""});
  if (!outputs) return outputs.error();
  reading.decline = std::move(*outputs);
  return reading;
}

// Of a choice alone: the texts of yes and no have no baseline, and so no gain to compare with.
bool may_decline(const ClassifierOptions& options, const Question& question) {
  return question.type == QuestionType::kChoice && may_abstain(options, question);
}

bool has_second_round(const Reading& reading, const Scope& scope) {
  if (scope.state.empty()) return false;
  if (reading.way.readout == Readout::kChannel) return true;
  return reading.way.readout == Readout::kTextChannel && scope.state.size() <= kShortState;
}

Result<ChannelRequest> plan_request(Planning& planning, const FirstRound& first, Scope& scope) {
  scope.state = first.plan->state;
  scope.cost.input_tokens = first.plan->input_tokens;
  ChannelRequest planned;
  for (std::size_t i = 0; i < first.request->questions.size(); ++i) {
    const Question& question = first.request->questions[i];
    planned.questions.emplace_back();
    if (!has_second_round(first.plan->questions[i], scope)) continue;
    const Asked asked{question, question_text(question), scope};
    const std::vector<double>& scores = first.questions[i].scores;
    const bool is_mix = !scores.empty();
    Result<ChannelReading> reading =
        plan_channel(planning, asked, is_mix ? leaders_of(asked.text, scores) : all_of(asked.text),
                     is_mix && may_decline(planning.options, question));
    if (!reading) return reading.error();
    planned.questions.back() = std::move(*reading);
    if (scope.cost.total() > planning.options.max_request_tokens) {
      return over_budget(planning, question, scope);
    }
  }
  planned.input_tokens = scope.cost.input_tokens - first.plan->input_tokens;
  return planned;
}

}  // namespace

ChannelPlan plan_channels(const Backend& backend, const ClassifierOptions& options,
                          std::span<const FirstRound> rounds) {
  BaselineCache no_baselines(0);
  Planning planning{backend, options, no_baselines};
  ChannelPlan all;
  for (const FirstRound& first : rounds) {
    const Forest::Mark before = planning.forest.mark();
    Scope scope;
    Result<ChannelRequest> planned = plan_request(planning, first, scope);
    if (!planned) planning.forest.rewind(before);
    all.requests.push_back(std::move(planned));
  }
  all.tree = planning.forest.take();
  return all;
}

}  // namespace logit::pipeline
