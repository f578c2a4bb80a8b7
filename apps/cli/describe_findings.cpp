// Tells findings; entry: findings_text. Tested by tests/cli/describe_findings_test.cpp.
#include "describe_findings.h"

#include <algorithm>
#include <utility>

#include "eval/json_content.h"
#include "exit_code.h"
#include "text.h"

namespace logit::cli {
namespace {

std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

std::string finding_line(const Finding& finding) {
  const std::string place = place_text(finding.loc);
  return (place.empty() ? "" : place + ": ") + finding.message + "; " + finding.advice;
}

std::string findings_text(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += std::string(severity_name(finding.severity)) + ": " + printable(finding_line(finding)) +
            " [" + finding.rule + "]\n";
  }
  const auto n_warnings =
      std::count_if(findings.begin(), findings.end(),
                    [](const Finding& finding) { return finding.severity == Severity::kWarning; });
  return text + counted(static_cast<std::size_t>(n_warnings), "warning") + ", " +
         counted(findings.size() - static_cast<std::size_t>(n_warnings), "note") + "\n";
}

Content findings_json(const std::vector<Finding>& findings) {
  Content::Array items;
  for (const Finding& finding : findings) {
    Content::Array loc;
    for (const LocStep& step : finding.loc) {
      const auto* key = std::get_if<std::string>(&step);
      loc.push_back(key != nullptr ? Content(*key) : eval::json_count(std::get<std::size_t>(step)));
    }
    Content::Object object;
    object.emplace_back("rule", finding.rule);
    object.emplace_back("severity", severity_name(finding.severity));
    object.emplace_back("loc", Content(std::move(loc)));
    object.emplace_back("message", finding.message);
    object.emplace_back("advice", finding.advice);
    items.emplace_back(std::move(object));
  }
  Content::Object all;
  all.emplace_back("findings", Content(std::move(items)));
  return Content(std::move(all));
}

}  // namespace logit::cli
