// Requests to one TokenTree and the meaning of its outputs. Entry: plan.
// Tested by tests/pipeline/plan_test.cpp.
#include <algorithm>
#include <utility>

#include "pipeline/defaults.h"
#include "pipeline/planning.h"

namespace logit::pipeline {
namespace {

std::vector<Order> one_order(const Asked& asked) {
  return list_orders(asked.text, asked.question.type, 1);
}

// Whether a list has reason and room for "none of these".
bool may_list_decline(const Planning& planning, const Asked& asked) {
  return may_abstain(planning.options, asked.question) &&
         asked.text.candidates.size() < planning.backend.info().labels.size();
}

// Independent scoring: each level is a yes-or-no question of its own.
Result<Reading> plan_levels(Planning& planning, const Asked& asked, Way way) {
  Reading reading;
  // One of the two is what is read, and nothing is mixed in.
  reading.way = {uses_labels(way.readout) ? Readout::kLabel : Readout::kText, way.frame};
  for (std::size_t level = 0; level < asked.question.levels.size(); ++level) {
    const Asked one{asked.question, level_text(asked.question, level), asked.scope};
    Result<Reading> read = uses_labels(way.readout)
                               ? plan_label(planning, one, way, one_order(one), /*decline=*/false)
                               : plan_text(planning, one, way);
    if (!read) return read.error();
    std::vector<Weight>& words =
        (read->lists.empty() ? read->weighings : read->lists).front().candidates;
    if (level == 0) {
      reading.weighings.emplace_back();
      reading.contrast.emplace_back();
    }
    reading.weighings.front().candidates.push_back(std::move(words[0]));
    reading.contrast.front().candidates.push_back(std::move(words[1]));
  }
  return reading;
}

Result<Reading> plan_both(Planning& planning, const Asked& asked, Way way) {
  Result<Reading> texts = plan_text(planning, asked, way);
  if (!texts) return texts;
  if (lists_leaders_only(planning.backend, way, candidate_count(asked.question))) {
    if (Result<Done> fit = check_leaders_fit(planning, asked, way); !fit) return fit.error();
    return texts;
  }
  Result<Reading> labels = plan_lists(planning, asked, way);
  if (!labels) return labels;
  texts->lists = std::move(labels->lists);
  texts->declines = std::move(labels->declines);
  return texts;
}

Result<Reading> plan_reading(Planning& planning, const Asked& asked, Way way) {
  const Question& question = asked.question;
  if (question.type == QuestionType::kScore &&
      planning.options.score_method == ScoreMethod::kIndependent) {
    return plan_levels(planning, asked, way);
  }
  switch (way.readout) {
    case Readout::kChannel:
      return Reading{way, {}, {}, {}, {}, {}};
    case Readout::kLabel:
      return plan_lists(planning, asked, way);
    case Readout::kLabelText:
      return plan_both(planning, asked, way);
    default:
      return plan_text(planning, asked, way);
  }
}

Result<RequestPlan> plan_request(Planning& planning, const Profile& profile, const Request& request,
                                 Scope& scope) {
  const std::string text = prompt_text(request.state);
  Result<Tokens> state = encode_state(planning.backend, text);
  if (!state) return state.error();
  scope.state = std::move(*state);
  scope.state_asks = ends_in_question_mark(text);
  RequestPlan planned;
  for (const Question& question : request.questions) {
    Result<Way> way = choose_way(question, planning.backend, planning.options, profile);
    if (!way) return way.error();
    Result<Reading> reading =
        plan_reading(planning, {question, question_text(question), scope}, *way);
    if (!reading) return reading.error();
    planned.questions.push_back(std::move(*reading));
    if (scope.cost.total() > planning.options.max_request_tokens) {
      return over_budget(planning, question, scope);
    }
  }
  planned.input_tokens = scope.cost.input_tokens;
  planned.roots = planning.forest.counted_roots(scope.cost);
  planned.state = std::move(scope.state);
  return planned;
}

}  // namespace

bool may_abstain(const ClassifierOptions& options, const Question& question) {
  if (question.type == QuestionType::kChoice) return options.abstain != Abstain::kOff;
  return question.type == QuestionType::kNoul && options.abstain == Abstain::kAll;
}

Result<Reading> plan_lists(Planning& planning, const Asked& asked, Way way) {
  const std::size_t n_orders = planning.options.orders.value_or(kOrders);
  return plan_label(planning, asked, way, list_orders(asked.text, asked.question.type, n_orders),
                    may_list_decline(planning, asked));
}

bool lists_leaders_only(const Backend& backend, Way way, std::size_t n_candidates) {
  return way.readout == Readout::kLabelText && n_candidates > most_listed(backend);
}

const Frame& frame_of(const Backend& backend, FrameKind kind) {
  const auto frames = backend.frames();
  return *std::find_if(frames.begin(), frames.end(),
                       [&](const Frame& frame) { return frame.kind == kind; });
}

Error over_budget(const Planning& planning, const Question& question, const Scope& scope) {
  return {ErrorCode::kTooLong,
          "up to question '" + question.id + "' the request needs " +
              std::to_string(scope.cost.total()) + " tokens, " +
              std::to_string(planning.options.max_request_tokens) + " are allowed for one request",
          "questions." + question.id};
}

Error too_long(const Planning& planning, const Question& question, std::size_t needed) {
  return {ErrorCode::kTooLong,
          "state and question '" + question.id + "' need " + std::to_string(needed) + " tokens, " +
              std::to_string(planning.backend.info().n_context) + " are available",
          "questions." + question.id};
}

Result<std::uint32_t> add_prompt(Planning& planning, const Asked& asked, const PromptParts& parts,
                                 const Tokens& state, Purpose purpose) {
  Tokens root = parts.head;
  Tokens stem;
  Tokens& home = parts.placement == Placement::kQuestionFirst ? stem : root;
  home.insert(home.end(), state.begin(), state.end());
  stem.insert(stem.end(), parts.tail.begin(), parts.tail.end());
  const std::size_t needed = root.size() + stem.size();
  if (needed > planning.backend.info().n_context) return too_long(planning, asked.question, needed);
  return planning.forest.add_prompt(root, stem, purpose, asked.scope.cost);
}

Plan plan(const Backend& backend, const ClassifierOptions& options, const Profile& profile,
          BaselineCache& cache, std::span<const Request> requests) {
  Planning planning{backend, options, cache};
  Plan all;
  for (const Request& request : requests) {
    const Forest::Mark before = planning.forest.mark();
    Scope scope;
    Result<RequestPlan> planned = plan_request(planning, profile, request, scope);
    if (planned) {
      all.baseline_tokens += scope.cost.baseline_tokens;
    } else {
      planning.forest.rewind(before);
      std::erase_if(planning.pending,
                    [&](const auto& entry) { return entry.second.node >= before.nodes; });
    }
    all.requests.push_back(std::move(planned));
  }
  all.tree = planning.forest.take();
  return all;
}

}  // namespace logit::pipeline
