// Names of options; entry: check_options. Tested by tests/lint/lint_test.cpp.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "lint/rules.h"
#include "lint/text.h"

namespace logit::lint_rules {
namespace {

using Findings = std::vector<Finding>;

std::vector<LocStep> place_of(const Option& option) { return {"criteria", option.name}; }

void check_empty_names(const Question& question, Findings& findings) {
  for (const Option& option : question.options) {
    if (!folded(option.name).empty()) continue;
    findings.push_back({"empty_name", Severity::kWarning, place_of(option),
                        "the name of an option has nothing to read",
                        "give it a word that says what it stands for"});
  }
}

void check_near_equal_names(const Question& question, Findings& findings) {
  std::map<std::string, const Option*> seen;
  for (const Option& option : question.options) {
    const std::string name = folded(option.name);
    if (name.empty()) continue;
    const auto [first, is_new] = seen.emplace(name, &option);
    if (is_new) continue;
    findings.push_back({"near_equal_names", Severity::kWarning, place_of(option),
                        "differs from '" + first->second->name + "' in case, blanks or a full stop",
                        "keep one of them, or name what tells them apart"});
  }
}

// "all of the above", "none of these", "both", ...
bool refers_to_others(std::string_view name) {
  for (const char* whole : {"all", "both", "none", "neither", "either", "any", "above", "below"}) {
    if (name == whole) return true;
  }
  static constexpr std::string_view kFirst[] = {"all of ", "none of ",         "both of ",
                                                "any of ", "neither of ",      "either of ",
                                                "one of ", "more than one of "};
  static constexpr std::string_view kThen[] = {
      "the above", "these", "those", "them", "the others", "the other", "the below", "the options"};
  for (const std::string_view first : kFirst) {
    if (!name.starts_with(first)) continue;
    const std::string_view rest = name.substr(first.size());
    if (std::any_of(std::begin(kThen), std::end(kThen),
                    [&](std::string_view then) { return rest.starts_with(then); })) {
      return true;
    }
  }
  return name == "none above" || name == "all above" || name.starts_with("all the above") ||
         name.starts_with("the above");
}

void check_references(const Question& question, Findings& findings) {
  for (const Option& option : question.options) {
    const std::string name = folded(option.name);
    if (!refers_to_others(name)) continue;
    const bool is_none = name.starts_with("none") || name.starts_with("neither");
    findings.push_back(
        {"refers_to_others", Severity::kWarning, place_of(option),
         "speaks of the other options, which are shown in another order or not at all",
         is_none ? "say what it stands for (\"another topic\"), or leave it out and abstain"
                 : "say what it stands for, or ask one yes-or-no question an option"});
  }
}

bool is_described(const Option& option) { return !folded(prompt_text(option.description)).empty(); }

void check_many(const Question& question, const LintOptions& options, Findings& findings) {
  const auto n_bare = std::count_if(question.options.begin(), question.options.end(),
                                    [](const Option& option) { return !is_described(option); });
  if (static_cast<std::size_t>(n_bare) <= options.many_options) return;
  findings.push_back({"many_without_description",
                      Severity::kNote,
                      {"criteria"},
                      std::to_string(n_bare) + " of " + std::to_string(question.options.size()) +
                          " options have no description",
                      "describe at least those that are close to each other"});
}

void check_confusions(const Question& question, const LintOptions& options, Findings& findings) {
  const auto find = [&](const std::string& name) {
    return std::find_if(question.options.begin(), question.options.end(),
                        [&](const Option& option) { return option.name == name; });
  };
  for (const Confusion& confusion : options.confusions) {
    const auto label = find(confusion.label);
    const auto predicted = find(confusion.predicted);
    if (label == question.options.end() || predicted == question.options.end()) continue;
    if (label == predicted || (is_described(*label) && is_described(*predicted))) continue;
    const double share = static_cast<double>(confusion.n_confused) /
                         static_cast<double>(std::max<std::size_t>(confusion.n, 1));
    if (confusion.n_confused < 2 || share < options.confused_share) continue;
    findings.push_back({"confused_without_description", Severity::kWarning, place_of(*label),
                        std::to_string(confusion.n_confused) + " of " +
                            std::to_string(confusion.n) + " rows were answered '" +
                            confusion.predicted + "'",
                        "describe both, naming what tells them apart"});
  }
}

}  // namespace

void check_options(const Question& question, const LintOptions& options, Findings& findings) {
  check_empty_names(question, findings);
  check_near_equal_names(question, findings);
  check_references(question, findings);
  check_many(question, options, findings);
  check_confusions(question, options, findings);
}

}  // namespace logit::lint_rules
