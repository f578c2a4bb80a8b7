// Plans the text readout. Entry: plan_text. Tested by tests/pipeline/plan_test.cpp.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/defaults.h"
#include "pipeline/planning.h"

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

// What a baseline is the mean of.
struct BaselineState {
  std::string_view text;
  double share;
};

bool takes_plain_questions(const Asked& asked, Way way, Placement placement) {
  return asked.scope.state_asks && placement == Placement::kQuestionFirst &&
         way.readout != Readout::kLabelText && asked.question.type == QuestionType::kChoice &&
         asked.text.candidates.size() <= kMostOptionsWithPlainQuestions;
}

// What a request itself needs may fit the context where a plain question in its state's place would
// not. No token is shorter than a byte.
bool has_room_for_plain_questions(const Backend& backend, const PromptParts& parts,
                                  const AnswerTokens& answers) {
  std::size_t longest_answer = 0;
  for (const Tokens& answer : answers.sequences) {
    longest_answer = std::max(longest_answer, answer.size());
  }
  std::size_t longest_state = 0;
  for (std::string_view state : kPlainQuestions) {
    longest_state = std::max(longest_state, state.size());
  }
  return parts.head.size() + longest_state + parts.tail.size() + longest_answer <=
         backend.info().n_context;
}

std::vector<BaselineState> baseline_states(bool with_plain_questions) {
  std::vector<BaselineState> states;
  for (std::string_view text : kEmptyStates) states.push_back({text, 1});
  if (!with_plain_questions) return states;
  for (std::string_view text : kPlainQuestions) states.push_back({text, kPlainQuestionShare});
  return states;
}

// Everything a baseline depends on, as bytes.
std::string baseline_key(const PromptParts& parts, const AnswerTokens& answers,
                         std::size_t n_states) {
  std::string key = std::to_string(n_states);
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
      key += std::to_string(use.scale);
      for (std::size_t sequence : use.spellings) append(answers.sequences[sequence]);
    }
  }
  return key;
}

// Each candidate's texts; those without a description are weighed by their name every time.
Result<AnswerTokens> answer_texts(const Backend& backend, const QuestionText& text,
                                  double length_exponent) {
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
      const double scale = std::pow(static_cast<double>(tokens->size()), -length_exponent);
      answers.rounds.back().candidates.push_back({{answers.sequences.size()}, scale});
      answers.sequences.push_back(std::move(*tokens));
    }
  }
  return answers;
}

double length_exponent(Way way) {
  return way.readout == Readout::kLabelText ? kLengthExponentBesideLabels : kLengthExponent;
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

// Adds the prompt with `state` and the answers below it; appends what its outputs mean, with this
// share in the mean.
Result<Done> weigh(Planning& planning, const Asked& asked, const PromptParts& parts,
                   const AnswerTokens& answers, const Tokens& state, Purpose purpose, double share,
                   std::vector<Weighing>& weighings) {
  Result<std::uint32_t> stem = add_prompt(planning, asked, parts, state, purpose);
  if (!stem) return stem.error();
  const Forest::Answers added =
      planning.forest.add_answers(*stem, answers.sequences, purpose, asked.scope.cost);
  if (added.longest > planning.backend.info().n_context) {
    return too_long(planning, asked.question, added.longest);
  }
  for (const AnswerTokens::Round& round : answers.rounds) {
    Weighing weighing{{}, round.share * share};
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

Result<Done> plan_baseline(Planning& planning, const Asked& asked, const PromptParts& parts,
                           const AnswerTokens& answers, bool with_plain_questions,
                           BaselinePlan& baseline) {
  const std::vector<BaselineState> states = baseline_states(with_plain_questions);
  baseline.key = baseline_key(parts, answers, states.size());
  if (const std::vector<double>* known = planning.cache.find(baseline.key)) {
    baseline.known = *known;
    return Done{};
  }
  if (const auto found = planning.pending.find(baseline.key); found != planning.pending.end()) {
    baseline.weighings = found->second.weighings;
    return Done{};
  }
  const std::size_t node = planning.forest.tree().nodes.size();
  for (const BaselineState& state : states) {
    Result<Tokens> tokens = encode_state(planning.backend, state.text);
    if (!tokens) return tokens.error();
    Result<Done> done = weigh(planning, asked, parts, answers, *tokens, Purpose::kBaseline,
                              state.share, baseline.weighings);
    if (!done) return done;
  }
  planning.pending[baseline.key] = {baseline.weighings, node};
  return Done{};
}

}  // namespace

Result<Reading> plan_text(Planning& planning, const Asked& asked, Way way) {
  const bool is_noul = asked.text.is_yes_or_no;
  Result<AnswerTokens> answers =
      is_noul ? answer_words(planning.backend, asked.text)
              : answer_texts(planning.backend, asked.text, length_exponent(way));
  if (!answers) return answers.error();
  const Placement placement =
      asked.scope.state.size() <= kShortState ? Placement::kQuestionFirst : Placement::kStateFirst;
  Result<PromptParts> parts =
      assemble_text(planning.backend, frame_of(planning.backend, way.frame), asked.text, placement);
  if (!parts) return parts.error();
  Reading reading;
  reading.way = way;
  Result<Done> done = weigh(planning, asked, *parts, *answers, asked.scope.state, Purpose::kInput,
                            /*share=*/1, reading.weighings);
  // An empty state is evidence for "no", so nothing is subtracted from words.
  if (done && !is_noul) {
    const bool with_plain_questions =
        takes_plain_questions(asked, way, placement) &&
        has_room_for_plain_questions(planning.backend, *parts, *answers);
    done = plan_baseline(planning, asked, *parts, *answers, with_plain_questions, reading.baseline);
  }
  if (!done) return done.error();
  return reading;
}

}  // namespace logit::pipeline
