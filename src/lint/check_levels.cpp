// Levels of a score; entry: check_levels. Tested by tests/lint/lint_test.cpp.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "lint/rules.h"
#include "lint/text.h"

namespace logit::lint_rules {
namespace {

using Ranks = std::vector<std::optional<double>>;  // one a level

// Words that people put in this order, low to high.
const std::vector<std::vector<std::string_view>>& known_scales() {
  static const std::vector<std::vector<std::string_view>> scales = {
      {"none", "low", "medium", "high", "critical"},
      {"none", "low", "moderate", "high", "very high"},
      {"very low", "low", "medium", "high", "very high"},
      {"none", "minimal", "mild", "moderate", "severe", "critical"},
      {"no problem", "minor", "moderate", "major", "critical"},
      {"no problem", "small", "medium", "severe"},
      {"tiny", "small", "medium", "large", "huge"},
      {"very negative", "negative", "somewhat negative", "neutral", "somewhat positive", "positive",
       "very positive"},
      {"terrible", "very bad", "bad", "neutral", "good", "very good", "excellent"},
      {"poor", "fair", "good", "very good", "excellent"},
      {"poor", "average", "good", "excellent"},
      {"strongly disagree", "disagree", "neutral", "agree", "strongly agree"},
      {"very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"},
      {"never", "rarely", "sometimes", "often", "always"},
      {"impossible", "unlikely", "possible", "likely", "certain"},
      {"very unlikely", "unlikely", "neutral", "likely", "very likely"},
      {"calm", "annoyed", "angry", "furious"},
      {"not urgent", "urgent", "emergency"},
      {"easy", "medium", "hard"},
      {"cold", "cool", "warm", "hot"},
      {"beginner", "intermediate", "advanced", "expert"},
      {"first", "second", "third", "fourth", "fifth"},
      {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"},
  };
  return scales;
}

// The number a level begins with: "3", "3 stars", "-1: worse".
std::optional<double> leading_number(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc()) return std::nullopt;
  const bool is_whole_word =
      end == text.data() + text.size() || !std::isalnum(static_cast<unsigned char>(*end));
  return is_whole_word ? std::optional(value) : std::nullopt;
}

// What stands before a colon, dash or bracket: "low: hardly any" is about "low".
std::string_view head_of(std::string_view text) {
  std::string_view head = text.substr(0, text.find_first_of(":(,;"));
  head = head.substr(0, head.find(" - "));
  while (head.ends_with(' ')) head.remove_suffix(1);
  return head;
}

Ranks ranks_in(const std::vector<std::string>& levels, const std::vector<std::string_view>& scale) {
  Ranks ranks;
  for (const std::string& level : levels) {
    const auto found = std::find(scale.begin(), scale.end(), head_of(level));
    ranks.push_back(found == scale.end()
                        ? std::nullopt
                        : std::optional(static_cast<double>(found - scale.begin())));
  }
  return ranks;
}

std::size_t n_known(const Ranks& ranks) {
  return static_cast<std::size_t>(std::count_if(
      ranks.begin(), ranks.end(), [](const std::optional<double>& rank) { return rank; }));
}

// Numbers when most levels have one, otherwise the scale that knows most of them.
Ranks ranks_of(const std::vector<std::string>& levels) {
  Ranks best;
  for (const std::string& level : levels) best.push_back(leading_number(level));
  for (const auto& scale : known_scales()) {
    Ranks ranks = ranks_in(levels, scale);
    if (n_known(ranks) > n_known(best)) best = std::move(ranks);
  }
  return best;
}

void check_order(const std::vector<std::string>& levels, std::vector<Finding>& findings) {
  const Ranks ranks = ranks_of(levels);
  std::size_t n_up = 0;
  std::size_t n_down = 0;
  std::optional<double> last;
  for (const std::optional<double>& rank : ranks) {
    if (!rank) continue;
    if (last && *rank > *last) ++n_up;
    if (last && *rank < *last) ++n_down;
    last = rank;
  }
  if (n_down == 0 || n_known(ranks) < 2 || 2 * n_known(ranks) < levels.size()) return;
  const bool is_reversed = n_up == 0;
  findings.push_back({is_reversed ? "levels_descend" : "levels_out_of_order",
                      Severity::kWarning,
                      {"criteria"},
                      is_reversed ? "the levels seem to run from high to low, from '" +
                                        levels.front() + "' to '" + levels.back() + "'"
                                  : "the levels seem to be out of order",
                      "list them low to high: the score is the index, 0 for the first"});
}

void check_repeated(const std::vector<std::string>& levels, std::vector<Finding>& findings) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i].empty()) {
      findings.push_back({"empty_name",
                          Severity::kWarning,
                          {"criteria", i},
                          "the level has nothing to read",
                          "say what it stands for"});
      continue;
    }
    const auto [first, is_new] = seen.emplace(levels[i], i);
    if (is_new) continue;
    findings.push_back({"equal_descriptions",
                        Severity::kWarning,
                        {"criteria", i},
                        "reads like level " + std::to_string(first->second),
                        "say what tells them apart"});
  }
}

}  // namespace

void check_levels(const Question& question, std::vector<Finding>& findings) {
  std::vector<std::string> levels;
  for (const Content& level : question.levels) levels.push_back(folded(prompt_text(level)));
  check_repeated(levels, findings);
  check_order(levels, findings);
}

}  // namespace logit::lint_rules
