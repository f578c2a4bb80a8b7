// Reports as one HTML page for people: no script, nothing from outside, light and dark.
#pragma once

#include <span>
#include <string>

#include "eval/report.h"

namespace logit::eval {

// A table of all reports, then a section each with diagrams, the worst pairs and every measure.
// Whatever rows, names and settings say is escaped.
std::string html_report(std::span<const Report> reports);

}  // namespace logit::eval
