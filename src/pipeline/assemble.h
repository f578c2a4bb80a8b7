// A question's prompt as tokens, with a gap where a state goes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "logit/backend.h"
#include "logit/result.h"
#include "logit/token_tree.h"
#include "logit/types.h"
#include "pipeline/prompt.h"

namespace logit::pipeline {

// What stands first, and is therefore shared: the question, by many states, or the state, by its
// questions.
enum class Placement : std::uint8_t { kQuestionFirst, kStateFirst };

// head + state + tail is the whole prompt. The shared part is the head, and the state too when it
// stands first.
struct PromptParts {
  Placement placement = Placement::kQuestionFirst;
  Tokens head;
  Tokens tail;
};

// Tokens of a state as prompts hold it.
Result<Tokens> encode_state(const Backend& backend, std::string_view state);

// Tokens of a text that is weighed after the prompt.
Result<Tokens> encode_answer(const Backend& backend, std::string_view text);

// The prompt of a text readout, ending where an answer's text would begin.
Result<PromptParts> assemble_text(const Backend& backend, const Frame& frame,
                                  const QuestionText& question, Placement placement);

// The prompt of a channel readout, which opens with a candidate's name as the answer and ends
// where the state would begin.
Result<Tokens> assemble_channel(const Backend& backend, const Frame& frame,
                                const QuestionText& question, const Candidate& candidate);

// The prompt of a label readout: the state, then lines listed behind labels, ending in an open
// bracket. A list before the state binds worse. REQUIRES: backend.info().labels.size() >=
// lines.size().
Result<PromptParts> assemble_label(const Backend& backend, const Frame& frame,
                                   const QuestionText& question,
                                   std::span<const std::string> lines);

}  // namespace logit::pipeline
