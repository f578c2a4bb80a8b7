// Descriptions of options and of yes and no; entry: check_descriptions. Tested by
// tests/lint/lint_test.cpp.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "lint/rules.h"
#include "lint/text.h"

namespace logit::lint_rules {
namespace {

struct Described {
  std::string name;
  std::string text;  // folded, not empty
};

std::vector<Described> described_options(const Question& question) {
  std::vector<Described> found;
  const auto add = [&](const std::string& name, const Content& description) {
    std::string text = folded(prompt_text(description));
    if (!text.empty()) found.push_back({name, std::move(text)});
  };
  for (const Option& option : question.options) add(option.name, option.description);
  if (question.type == QuestionType::kNoul) {
    add("true", question.when_true);
    add("false", question.when_false);
  }
  return found;
}

void check_equal(const std::vector<Described>& options, std::vector<Finding>& findings) {
  std::map<std::string, std::string> seen;  // text to the first name with it
  for (const Described& option : options) {
    const auto [first, is_new] = seen.emplace(option.text, option.name);
    if (is_new) continue;
    findings.push_back({"equal_descriptions",
                        Severity::kWarning,
                        {"criteria", option.name},
                        "has the same description as '" + first->second + "'",
                        "say what tells them apart"});
  }
}

void add_prefix_finding(const std::vector<Described>& group, std::vector<Finding>& findings) {
  std::size_t length = group.front().text.size();
  std::vector<std::string> names;
  for (const Described& option : group) {
    length = std::min(length, shared_prefix(group.front().text, option.text));
    names.push_back(option.name);
  }
  findings.push_back({"shared_beginning",
                      Severity::kNote,
                      {"criteria", names.front()},
                      "the descriptions of " + name_list(names) + " begin with the same " +
                          std::to_string(length) + " bytes",
                      "begin with what differs; move what they share into the instructions"});
}

// Runs of neighbours in sorted order that share a beginning of at least half of the shorter text.
void check_shared_beginnings(std::vector<Described> options, std::size_t long_prefix,
                             std::vector<Finding>& findings) {
  std::stable_sort(options.begin(), options.end(),
                   [](const Described& a, const Described& b) { return a.text < b.text; });
  std::vector<Described> group;
  for (const Described& option : options) {
    if (!group.empty()) {
      const std::size_t shared = shared_prefix(group.back().text, option.text);
      const std::size_t shorter = std::min(group.back().text.size(), option.text.size());
      const bool is_equal = group.back().text == option.text;  // has its own rule
      if (is_equal) continue;
      if (shared < long_prefix || 2 * shared < shorter) {
        if (group.size() > 1) add_prefix_finding(group, findings);
        group.clear();
      }
    }
    group.push_back(option);
  }
  if (group.size() > 1) add_prefix_finding(group, findings);
}

}  // namespace

void check_descriptions(const Question& question, const LintOptions& options,
                        std::vector<Finding>& findings) {
  std::vector<Described> described = described_options(question);
  check_equal(described, findings);
  check_shared_beginnings(std::move(described), options.long_prefix, findings);
}

}  // namespace logit::lint_rules
