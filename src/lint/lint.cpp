// Runs every rule over a question; entry: lint. Tested by tests/lint/lint_test.cpp.
#include "logit/lint.h"

#include <utility>

#include "lint/rules.h"
#include "lint/text.h"

namespace logit {
namespace {

void check_instructions(const Question& question, std::vector<Finding>& findings) {
  if (!lint_rules::folded(prompt_text(question.instructions)).empty()) return;
  const bool is_noul = question.type == QuestionType::kNoul;
  findings.push_back(
      {"no_instructions",
       Severity::kWarning,
       {"instructions"},
       is_noul ? "nothing says what is asked" : "nothing says what the candidates are about",
       is_noul ? "state what is to be true, or ask a question"
               : "ask for what tells the candidates apart, as to a person"});
}

}  // namespace

const char* severity_name(Severity severity) {
  return severity == Severity::kNote ? "note" : "warning";
}

std::vector<Finding> lint(const Question& question, const LintOptions& options) {
  std::vector<Finding> findings;
  check_instructions(question, findings);
  if (question.type == QuestionType::kChoice) {
    lint_rules::check_options(question, options, findings);
  }
  if (question.type == QuestionType::kScore) lint_rules::check_levels(question, findings);
  lint_rules::check_descriptions(question, options, findings);
  return findings;
}

std::vector<Finding> lint(const Request& request, const LintOptions& options) {
  std::vector<Finding> all;
  for (const Question& question : request.questions) {
    for (Finding& finding : lint(question, options)) {
      finding.loc.insert(finding.loc.begin(), {"questions", question.id});
      all.push_back(std::move(finding));
    }
  }
  return all;
}

}  // namespace logit
