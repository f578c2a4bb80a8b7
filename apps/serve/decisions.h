// The second dialect of POST /v1/decisions: `input`, and questions as an array.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "logit/content.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit::serve {

// What the reply says of a question beside its numbers.
struct DecisionLabels {
  Content name;                 // null where the caller gave none
  std::vector<Content> levels;  // of a score
};

struct Decisions {
  Request request;  // question ids are "0", "1", ...: their places in the array
  std::vector<DecisionLabels> labels;
};

// Whether a body is in this dialect: it has `input`, or its questions are an array.
bool is_decisions_body(const Content& body);

// Errors: kSchema with every fault, at the places of this dialect. What both dialects have in
// common (limits, texts, pictures) is for parse_request to judge.
Result<Decisions> parse_decisions(const Content& body);

// {"model","answers":[...],"usage"}; answers in the order of the questions.
std::string render_decisions(const Request& request, std::span<const DecisionLabels> labels,
                             const Reply& reply);

}  // namespace logit::serve
