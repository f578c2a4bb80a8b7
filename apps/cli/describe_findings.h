// What lint found, for people and for machines.
#pragma once

#include <string>
#include <vector>

#include "logit/content.h"
#include "logit/lint.h"

namespace logit::cli {

// "criteria.a: differs from ...; keep one of them".
std::string finding_line(const Finding& finding);

// One finding a line with its severity and rule, and how many there were.
std::string findings_text(const std::vector<Finding>& findings);

// {"findings": [{"rule", "severity", "loc", "message", "advice"}]}
Content findings_json(const std::vector<Finding>& findings);

}  // namespace logit::cli
