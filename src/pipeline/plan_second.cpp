// Plans the second round: what is asked of the candidates that lead, or where lists disagree.
// Entries: plan_second, check_leaders_fit. Tested by tests/pipeline/second_round_test.cpp.
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "pipeline/defaults.h"
#include "pipeline/planning.h"

namespace logit::pipeline {
namespace {

std::vector<std::size_t> all_of(const QuestionText& text) {
  std::vector<std::size_t> all(text.candidates.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// By score, highest first; equal ones by what is listed, so that the caller's order does not count.
std::vector<std::size_t> leaders_of(const QuestionText& text, std::span<const double> scores,
                                    std::size_t n_leaders) {
  std::vector<std::string> listed;
  for (const Candidate& candidate : text.candidates) listed.push_back(listed_text(candidate));
  std::vector<std::size_t> order = all_of(text);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : listed[a] < listed[b];
  });
  order.resize(std::min(order.size(), n_leaders));
  std::sort(order.begin(), order.end());
  return order;
}

// One question between the rounds.
struct Between {
  const Reading& reading;
  const Judged& judged;
  std::span<const double> outputs;
};

// ---- The state under the leaders ----

// Of a choice alone: the texts of yes and no have no baseline, and so no gain to compare with.
bool may_weigh_decline(const ClassifierOptions& options, const Question& question) {
  return question.type == QuestionType::kChoice && may_abstain(options, question);
}

bool is_short(const Scope& scope) { return scope.state.size() <= kShortState; }

bool weighs_state(const Reading& reading, const Scope& scope) {
  if (scope.state.empty()) return false;
  if (reading.way.readout == Readout::kChannel) return true;
  return reading.way.readout == Readout::kTextChannel && is_short(scope);
}

Result<Done> plan_states(Planning& planning, const Asked& asked, const Between& first,
                         SecondReading& second) {
  const std::vector<double>& scores = first.judged.scores;
  const bool is_mix = !scores.empty();
  Result<ChannelReading> channel =
      plan_channel(planning, asked,
                   is_mix ? leaders_of(asked.text, scores, kChannelLeaders) : all_of(asked.text),
                   is_mix && may_weigh_decline(planning.options, asked.question));
  if (!channel) return channel.error();
  second.channel = std::move(*channel);
  return Done{};
}

// ---- The leaders behind labels, and the state under them ----

// One label is left for "none of these". REQUIRES: two labels.
std::size_t most_leaders(const Backend& backend) {
  return std::min(kListedLeaders, backend.info().labels.size() - 1);
}

Result<Done> plan_leaders(Planning& planning, const Asked& asked, const Between& first,
                          SecondReading& second) {
  second.leaders = leaders_of(asked.text, first.judged.scores, most_leaders(planning.backend));
  Asked few{asked.question, asked.text, asked.scope};
  few.text.candidates.clear();
  for (const std::size_t i : second.leaders)
    few.text.candidates.push_back(asked.text.candidates[i]);
  Result<Reading> lists = plan_lists(planning, few, first.reading.way);
  if (!lists) return lists.error();
  second.lists = std::move(*lists);
  if (asked.scope.state.empty() || !is_short(asked.scope)) return Done{};
  Result<ChannelReading> channel =
      plan_channel(planning, asked, leaders_of(asked.text, first.judged.scores, kChannelLeaders),
                   /*decline=*/false);
  if (!channel) return channel.error();
  second.channel = std::move(*channel);
  return Done{};
}

// ---- More orders of a list ----

bool orders_disagree(const Reading& reading, std::span<const double> outputs) {
  std::vector<std::ptrdiff_t> best;
  for (const Weighing& list : reading.lists) {
    const std::vector<double> scores = read_scores({&list, 1}, outputs);
    best.push_back(std::max_element(scores.begin(), scores.end()) - scores.begin());
  }
  return std::adjacent_find(best.begin(), best.end(), std::not_equal_to<>()) != best.end();
}

Result<Done> plan_more_orders(Planning& planning, const Asked& asked, const Between& first,
                              SecondReading& second) {
  const std::vector<Order> listed = list_orders(asked.text, asked.question.type, kOrders);
  std::vector<Order> more = list_orders(asked.text, asked.question.type, kOrdersInDoubt);
  std::erase_if(more, [&](const Order& order) {
    return std::find(listed.begin(), listed.end(), order) != listed.end();
  });
  if (more.empty()) return Done{};
  Result<Reading> lists =
      plan_label(planning, asked, first.reading.way, more, !first.reading.declines.empty());
  if (!lists) return lists.error();
  second.lists = std::move(*lists);
  return Done{};
}

// ---- All of it ----

Result<Done> plan_question(Planning& planning, const Asked& asked, const Between& first,
                           SecondReading& second) {
  if (weighs_state(first.reading, asked.scope)) return plan_states(planning, asked, first, second);
  if (lists_leaders_only(planning.backend, first.reading.way, asked.text.candidates.size())) {
    return plan_leaders(planning, asked, first, second);
  }
  if (planning.options.more_orders_in_doubt && orders_disagree(first.reading, first.outputs)) {
    return plan_more_orders(planning, asked, first, second);
  }
  return Done{};
}

Result<SecondRequest> plan_request(Planning& planning, const FirstRound& first,
                                   std::span<const double> outputs, Scope& scope) {
  scope.state = first.plan->state;
  scope.cost.input_tokens = first.plan->input_tokens;
  scope.cost.known = first.plan->roots;
  SecondRequest planned;
  for (std::size_t i = 0; i < first.request->questions.size(); ++i) {
    const Question& question = first.request->questions[i];
    planned.questions.emplace_back();
    Result<Done> done = plan_question(planning, {question, question_text(question), scope},
                                      {first.plan->questions[i], first.questions[i], outputs},
                                      planned.questions.back());
    if (!done) return done.error();
    if (scope.cost.total() > planning.options.max_request_tokens) {
      return over_budget(planning, question, scope);
    }
  }
  planned.input_tokens = scope.cost.input_tokens - first.plan->input_tokens;
  return planned;
}

// ---- Where the outputs stand ----

void move(std::vector<Spelling>& spellings, std::uint32_t by) {
  for (Spelling& spelling : spellings) {
    for (std::uint32_t& output : spelling) output += by;
  }
}

void move(std::vector<Weighing>& lists, std::uint32_t by) {
  for (Weighing& list : lists) {
    for (Weight& weight : list.candidates) {
      move(weight.spellings, by);
      for (std::uint32_t& output : weight.reference) output += by;
    }
  }
}

void move(SecondReading& reading, std::uint32_t by) {
  move(reading.channel.outputs, by);
  for (std::uint32_t& output : reading.channel.decline) output += by;
  move(reading.lists.lists, by);
  move(reading.lists.declines, by);
}

}  // namespace

Result<Done> check_leaders_fit(const Planning& planning, const Asked& asked, Way way) {
  std::vector<std::pair<std::size_t, std::string>> by_tokens;
  for (const Candidate& candidate : asked.text.candidates) {
    std::string line = listed_text(candidate);
    Result<Tokens> tokens = planning.backend.encode(line);
    if (!tokens) return tokens.error();
    by_tokens.emplace_back(tokens->size(), std::move(line));
  }
  std::sort(by_tokens.rbegin(), by_tokens.rend());
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < most_leaders(planning.backend); ++i) {
    lines.push_back(std::move(by_tokens[i].second));
  }
  lines.push_back(decline_text(asked.question));
  Result<PromptParts> parts =
      assemble_label(planning.backend, frame_of(planning.backend, way.frame), asked.text, lines);
  if (!parts) return parts.error();
  const std::size_t needed = parts->head.size() + asked.scope.state.size() + parts->tail.size();
  if (needed > planning.backend.info().n_context) return too_long(planning, asked.question, needed);
  return Done{};
}

SecondPlan plan_second(const Backend& backend, const ClassifierOptions& options,
                       std::span<const FirstRound> rounds, std::span<const double> outputs) {
  BaselineCache no_baselines(0);
  Planning planning{backend, options, no_baselines};
  SecondPlan all;
  for (const FirstRound& first : rounds) {
    const Forest::Mark before = planning.forest.mark();
    Scope scope;
    Result<SecondRequest> planned = plan_request(planning, first, outputs, scope);
    if (!planned) {
      planning.forest.rewind(before);
    } else {
      for (SecondReading& reading : planned->questions) {
        move(reading, static_cast<std::uint32_t>(outputs.size()));
      }
    }
    all.requests.push_back(std::move(planned));
  }
  all.tree = planning.forest.take();
  return all;
}

}  // namespace logit::pipeline
