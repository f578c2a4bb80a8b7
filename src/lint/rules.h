// The rules by what they look at. Each appends its findings, places below the question.
#pragma once

#include <vector>

#include "logit/lint.h"

namespace logit::lint_rules {

void check_options(const Question& question, const LintOptions& options,
                   std::vector<Finding>& findings);                           // kChoice
void check_levels(const Question& question, std::vector<Finding>& findings);  // kScore
void check_descriptions(const Question& question, const LintOptions& options,
                        std::vector<Finding>& findings);  // kChoice and kNoul

}  // namespace logit::lint_rules
