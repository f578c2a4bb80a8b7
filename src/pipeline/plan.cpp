// Requests to one TokenTree and the meaning of its outputs. Entry: plan.
// Tested by tests/pipeline/plan_test.cpp.
#include <algorithm>
#include <cmath>
#include <map>

#include "pipeline/assemble.h"
#include "pipeline/baseline_cache.h"
#include "pipeline/defaults.h"
#include "pipeline/forest.h"
#include "pipeline/prompt.h"
#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

// What is weighed of one question, apart from the state it is weighed under.
struct AnswerTokens {
  struct Use {
    std::vector<std::size_t> spellings;  // indices of sequences
    double scale = 1;
  };
  struct Round {
    std::vector<Use> candidates;
    double share = 1;
  };
  std::vector<Tokens> sequences;
  std::vector<Round> rounds;  // each weighs every candidate once
};

// Everything a baseline depends on, as bytes.
std::string baseline_key(const PromptParts& parts, const AnswerTokens& answers) {
  std::string key;
  const auto append = [&key](const Tokens& tokens) {
    key += std::to_string(tokens.size()) + ":";
    key.append(reinterpret_cast<const char*>(tokens.data()), tokens.size() * sizeof(Token));
  };
  key += parts.placement == Placement::kQuestionFirst ? 'q' : 's';
  append(parts.head);
  append(parts.tail);
  for (const auto& round : answers.rounds) {
    key += 'w';
    for (const auto& use : round.candidates) {
      key += 'c';
      for (std::size_t sequence : use.spellings) append(answers.sequences[sequence]);
    }
  }
  return key;
}

const Frame& frame_of(const Backend& backend, FrameKind kind) {
  const auto frames = backend.frames();
  return *std::find_if(frames.begin(), frames.end(),
                       [&](const Frame& frame) { return frame.kind == kind; });
}

// Each candidate's texts; those without a description are weighed by their name every time.
Result<AnswerTokens> answer_texts(const Backend& backend, const QuestionText& text) {
  std::vector<std::vector<WeighedText>> texts;
  std::size_t most = 0;  // index of the candidate with the most texts
  for (const Candidate& candidate : text.candidates) {
    texts.push_back(weighed_texts(candidate));
    if (texts.back().size() > texts[most].size()) most = texts.size() - 1;
  }
  AnswerTokens answers;
  for (std::size_t round = 0; round < texts[most].size(); ++round) {
    answers.rounds.push_back({{}, texts[most][round].share});
    for (const auto& own : texts) {
      Result<Tokens> tokens = encode_answer(backend, own[std::min(round, own.size() - 1)].text);
      if (!tokens) return tokens.error();
      const double scale = std::pow(static_cast<double>(tokens->size()), -kLengthExponent);
      answers.rounds.back().candidates.push_back({{answers.sequences.size()}, scale});
      answers.sequences.push_back(std::move(*tokens));
    }
  }
  return answers;
}

// Words in all their spellings.
Result<AnswerTokens> answer_words(const Backend& backend, const QuestionText& text) {
  AnswerTokens answers;
  answers.rounds.emplace_back();
  for (const Candidate& candidate : text.candidates) {
    AnswerTokens::Use use;
    for (const std::string& spelling : spellings_of(candidate.name)) {
      Result<Tokens> tokens = backend.encode(spelling);
      if (!tokens) return tokens.error();
      use.spellings.push_back(answers.sequences.size());
      answers.sequences.push_back(std::move(*tokens));
    }
    answers.rounds.back().candidates.push_back(std::move(use));
  }
  return answers;
}

class PlanBuilder {
 public:
  PlanBuilder(const Backend& backend, const ClassifierOptions& options, const Profile& profile,
              BaselineCache& cache)
      : backend_(backend), options_(options), profile_(profile), cache_(cache) {}

  void add(const Request& request) {
    const Forest::Mark before = forest_.mark();
    Scope scope;
    Result<RequestPlan> planned = plan_request(request, scope);
    if (planned) {
      plan_.baseline_tokens += scope.cost.baseline_tokens;
    } else {
      forest_.rewind(before);
      std::erase_if(pending_, [&](const auto& entry) { return entry.second.node >= before.nodes; });
    }
    plan_.requests.push_back(std::move(planned));
  }

  Plan take() {
    plan_.tree = forest_.take();
    return std::move(plan_);
  }

 private:
  // One request while its questions are planned.
  struct Scope {
    Tokens state;
    Cost cost;
  };

  // A question on its way into the tree.
  struct Draft {
    const Question& question;
    QuestionText text;
    Scope& scope;
    QuestionPlan plan;
  };

  Result<RequestPlan> plan_request(const Request& request, Scope& scope) {
    Result<Tokens> state = encode_state(backend_, prompt_text(request.state));
    if (!state) return state.error();
    scope.state = std::move(*state);
    RequestPlan planned;
    for (const Question& question : request.questions) {
      Result<QuestionPlan> one = plan_question(question, scope);
      if (!one) return one.error();
      planned.questions.push_back(std::move(*one));
      if (scope.cost.total() > options_.max_request_tokens) return over_budget(question, scope);
    }
    planned.input_tokens = scope.cost.input_tokens;
    return planned;
  }

  Error over_budget(const Question& question, const Scope& scope) const {
    return {ErrorCode::kTooLong,
            "up to question '" + question.id + "' the request needs " +
                std::to_string(scope.cost.total()) + " tokens, " +
                std::to_string(options_.max_request_tokens) + " are allowed for one request",
            "questions." + question.id};
  }

  Result<QuestionPlan> plan_question(const Question& question, Scope& scope) {
    Result<Way> way = choose_way(question, backend_, options_, profile_);
    if (!way) return way.error();
    Draft draft{question, question_text(question), scope, {}};
    draft.plan.way = *way;
    draft.plan.temperature = options_.temperature.value_or(
        way->readout == Readout::kLabel ? kLabelTemperature : kTextTemperature);
    const bool levels_alone =
        question.type == QuestionType::kScore && options_.score_method == ScoreMethod::kIndependent;
    Result<Done> done = levels_alone ? plan_levels(draft) : plan_way(draft);
    if (!done) return done.error();
    return std::move(draft.plan);
  }

  Result<Done> plan_way(Draft& draft) {
    if (draft.plan.way.readout == Readout::kLabel) return plan_label(draft);
    return draft.question.type == QuestionType::kNoul ? plan_words(draft) : plan_text(draft);
  }

  Result<Done> plan_label(Draft& draft) {
    const Frame& frame = frame_of(backend_, draft.plan.way.frame);
    Result<PromptParts> parts = assemble_label(backend_, frame, draft.text);
    if (!parts) return parts.error();
    Result<std::uint32_t> stem = add_prompt(draft, *parts, draft.scope.state, Purpose::kInput);
    if (!stem) return stem.error();
    Tokens ids;
    for (std::size_t i = 0; i < draft.text.candidates.size(); ++i) {
      ids.push_back(backend_.info().labels[i].id);
    }
    Weighing weighing;
    for (std::uint32_t output : forest_.add_read(*stem, ids))
      weighing.candidates.push_back({{{output}}});
    draft.plan.weighings.push_back(std::move(weighing));
    return Done{};
  }

  // Independent scoring: each level is a yes-or-no question.
  Result<Done> plan_levels(Draft& draft) {
    Weighing yes;
    Weighing no;
    for (std::size_t level = 0; level < draft.question.levels.size(); ++level) {
      Draft one{draft.question, level_text(draft.question, level), draft.scope, {}};
      one.plan.way = draft.plan.way;
      Result<Done> done =
          one.plan.way.readout == Readout::kLabel ? plan_label(one) : plan_words(one);
      if (!done) return done;
      auto& words = one.plan.weighings.front().candidates;
      yes.candidates.push_back(std::move(words[0]));
      no.candidates.push_back(std::move(words[1]));
    }
    draft.plan.weighings.push_back(std::move(yes));
    draft.plan.contrast.push_back(std::move(no));
    return Done{};
  }

  // An empty state is evidence for "no", so nothing is subtracted.
  Result<Done> plan_words(Draft& draft) {
    Result<AnswerTokens> answers = answer_words(backend_, draft.text);
    if (!answers) return answers.error();
    Result<PromptParts> parts = text_parts(draft);
    if (!parts) return parts.error();
    return weigh(draft, *parts, *answers, draft.scope.state, Purpose::kInput, draft.plan.weighings);
  }

  Result<Done> plan_text(Draft& draft) {
    Result<AnswerTokens> answers = answer_texts(backend_, draft.text);
    if (!answers) return answers.error();
    Result<PromptParts> parts = text_parts(draft);
    if (!parts) return parts.error();
    Result<Done> own =
        weigh(draft, *parts, *answers, draft.scope.state, Purpose::kInput, draft.plan.weighings);
    if (!own) return own;
    return plan_baseline(draft, *parts, *answers);
  }

  Result<PromptParts> text_parts(const Draft& draft) const {
    const Placement placement = draft.scope.state.size() <= kShortState ? Placement::kQuestionFirst
                                                                        : Placement::kStateFirst;
    return assemble_text(backend_, frame_of(backend_, draft.plan.way.frame), draft.text, placement);
  }

  Result<Done> plan_baseline(Draft& draft, const PromptParts& parts, const AnswerTokens& answers) {
    BaselinePlan& baseline = draft.plan.baseline;
    baseline.key = baseline_key(parts, answers);
    if (const std::vector<double>* known = cache_.find(baseline.key)) {
      baseline.known = *known;
      return Done{};
    }
    if (const auto found = pending_.find(baseline.key); found != pending_.end()) {
      baseline.weighings = found->second.weighings;
      return Done{};
    }
    const std::size_t node = forest_.tree().nodes.size();
    for (std::string_view state : kEmptyStates) {
      Result<Tokens> tokens = encode_state(backend_, state);
      if (!tokens) return tokens.error();
      Result<Done> done =
          weigh(draft, parts, answers, *tokens, Purpose::kBaseline, baseline.weighings);
      if (!done) return done;
    }
    pending_[baseline.key] = {baseline.weighings, node};
    return Done{};
  }

  // Adds the prompt with `state` and the answers below it; appends what its outputs mean.
  Result<Done> weigh(const Draft& draft, const PromptParts& parts, const AnswerTokens& answers,
                     const Tokens& state, Purpose purpose, std::vector<Weighing>& weighings) {
    Result<std::uint32_t> stem = add_prompt(draft, parts, state, purpose);
    if (!stem) return stem.error();
    const Forest::Answers added =
        forest_.add_answers(*stem, answers.sequences, purpose, draft.scope.cost);
    if (added.longest > backend_.info().n_context) return too_long(draft.question, added.longest);
    for (const AnswerTokens::Round& round : answers.rounds) {
      Weighing weighing{{}, round.share};
      for (const AnswerTokens::Use& use : round.candidates) {
        Weight weight{{}, use.scale};
        for (std::size_t sequence : use.spellings) {
          weight.spellings.push_back(added.outputs[sequence]);
        }
        weighing.candidates.push_back(std::move(weight));
      }
      weighings.push_back(std::move(weighing));
    }
    return Done{};
  }

  // Returns the node at whose end an answer begins.
  Result<std::uint32_t> add_prompt(const Draft& draft, const PromptParts& parts,
                                   const Tokens& state, Purpose purpose) {
    Tokens root = parts.head;
    Tokens stem;
    Tokens& home = parts.placement == Placement::kQuestionFirst ? stem : root;
    home.insert(home.end(), state.begin(), state.end());
    stem.insert(stem.end(), parts.tail.begin(), parts.tail.end());
    const std::size_t needed = root.size() + stem.size();
    if (needed > backend_.info().n_context) return too_long(draft.question, needed);
    return forest_.add_prompt(root, stem, purpose, draft.scope.cost);
  }

  Error too_long(const Question& question, std::size_t needed) const {
    return {ErrorCode::kTooLong,
            "state and question '" + question.id + "' need " + std::to_string(needed) +
                " tokens, " + std::to_string(backend_.info().n_context) + " are available",
            "questions." + question.id};
  }

  // A baseline that this plan evaluates, and the first node it added.
  struct Pending {
    std::vector<Weighing> weighings;
    std::size_t node = 0;
  };

  const Backend& backend_;
  const ClassifierOptions& options_;
  const Profile& profile_;
  BaselineCache& cache_;
  Forest forest_;
  std::map<std::string, Pending> pending_;
  Plan plan_;
};

}  // namespace

Plan plan(const Backend& backend, const ClassifierOptions& options, const Profile& profile,
          BaselineCache& cache, std::span<const Request> requests) {
  PlanBuilder builder(backend, options, profile, cache);
  for (const Request& request : requests) builder.add(request);
  return builder.take();
}

}  // namespace logit::pipeline
