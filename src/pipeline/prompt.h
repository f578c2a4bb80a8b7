// What a question says to the model, as text; plan.cpp puts the pieces together as tokens.
//
// The state and each answer's text are tokenised apart from what stands around them, so that they
// can be shared and swapped; a space before an answer belongs to the answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logit/types.h"

namespace logit::pipeline {

struct Candidate {
  std::string name;
  std::string description;  // empty: the name speaks for itself
};

// Ends in a question mark (that of Latin, Arabic or East Asian scripts), blanks aside.
bool ends_in_question_mark(std::string_view text);

struct QuestionText {
  std::string instructions;  // never empty: a plain wording of the type stands in
  std::vector<Candidate> candidates;
  bool is_yes_or_no = false;
  std::string heading = "Question: ";  // before the instructions
};

QuestionText question_text(const Question& question);

// A level judged alone, for independent scoring: a yes-or-no question about it.
QuestionText level_text(const Question& question, std::size_t level);

// What is weighed as a candidate's text, with its share in the mean.
struct WeighedText {
  std::string text;
  double share = 1;
};

// The description, which says more, and the name; the name alone where there is no description.
std::vector<WeighedText> weighed_texts(const Candidate& candidate);

// "name: description", or the name alone: a line of a list.
std::string listed_text(const Candidate& candidate);

// What is listed behind the candidates for a state that none of them fits: no candidate's own name.
std::string decline_text(const Question& question);

// The ways to write "Yes", "No", "True" or "False" whose probabilities belong to the same answer.
std::vector<std::string> spellings_of(const std::string& word);

}  // namespace logit::pipeline
