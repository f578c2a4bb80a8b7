// Lint: what in a question is likely to be answered badly, before anything is asked.
//
// Pure functions over plain values: nothing is evaluated, no model is needed. Every finding is
// about a valid request; what is wrong is refused by parse_request().
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "logit/result.h"
#include "logit/types.h"

namespace logit {

enum class Severity : unsigned char {
  kNote,     // worth a thought
  kWarning,  // answers are likely to suffer
};
const char* severity_name(Severity severity);  // "note", "warning"

struct Finding {
  std::string rule;  // stable name: "near_equal_names", "levels_descend", ...
  Severity severity = Severity::kWarning;
  std::vector<LocStep> loc;  // as in Fault; below the question where a question was given
  std::string message;       // one sentence
  std::string advice;        // one sentence: what to do about it
};

// Of `n` rows labelled `label`, `n_confused` were answered `predicted`.
struct Confusion {
  std::string label;
  std::string predicted;
  std::size_t n_confused = 0;
  std::size_t n = 0;
};

struct LintOptions {
  std::size_t many_options = 12;        // more of them without a description are noted
  std::size_t long_prefix = 24;         // bytes that descriptions may share at their beginning
  double confused_share = 0.2;          // of a label's rows, from which a confusion counts
  std::vector<Confusion> confusions{};  // measured, of options by name; see eval --predictions
};

// Findings in the order of the document. docs/eval.md lists the rules.
std::vector<Finding> lint(const Question& question, const LintOptions& options = {});
std::vector<Finding> lint(const Request& request, const LintOptions& options = {});

}  // namespace logit
