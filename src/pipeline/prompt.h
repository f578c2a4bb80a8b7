// What a question says to the model, as text; plan.cpp puts the pieces together as tokens.
//
// Text that a caller wrote and the literals around it are tokenised apart, so a space that belongs
// to a caller's text in byte-pair vocabularies stands at the front of it here.
#pragma once

#include <string>
#include <vector>

#include "logit/types.h"

namespace logit::pipeline {

struct Candidate {
  std::string name;
  std::string description;  // empty: the name speaks for itself
};

struct QuestionText {
  std::string instructions;  // never empty: a plain wording of the type stands in
  std::vector<Candidate> candidates;
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

// The other ways to write "Yes" and "No" whose probabilities belong to the same answer.
std::vector<std::string> spellings_of(const std::string& word);

}  // namespace logit::pipeline
