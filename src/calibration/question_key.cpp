// What makes two questions the same; entries: question_key, align. Tested by
// tests/calibration/question_key_test.cpp.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "logit/calibration.h"

namespace logit {
namespace {

// With its length before it, so that no two lists of parts give one text. A null is no text.
void add_part(std::string& key, const Content& content) {
  if (content.is_null()) {
    key += "-;";
    return;
  }
  const std::string text = prompt_text(content);
  key += std::to_string(text.size()) + ":" + text + ";";
}

std::string option_part(const Option& option) {
  std::string part = std::to_string(option.name.size()) + ":" + option.name + ";";
  add_part(part, option.description);
  return part;
}

// For each option of `to`, where it stands in `from`.
std::vector<std::size_t> places(const Question& from, const Question& to) {
  std::vector<std::size_t> found;
  for (const Option& option : to.options) {
    const auto same =
        std::find_if(from.options.begin(), from.options.end(),
                     [&](const Option& candidate) { return candidate.name == option.name; });
    found.push_back(static_cast<std::size_t>(same - from.options.begin()));
  }
  return found;
}

void reorder(std::vector<double>& values, const std::vector<std::size_t>& from) {
  if (values.empty()) return;
  std::vector<double> moved;
  for (const std::size_t place : from) moved.push_back(values[place]);
  values = std::move(moved);
}

}  // namespace

std::string question_key(const Question& question) {
  std::string key = question_type_name(question.type) + std::string(";");
  add_part(key, question.instructions);
  if (question.type == QuestionType::kNoul) {
    add_part(key, question.when_true);
    add_part(key, question.when_false);
  }
  for (const Content& level : question.levels) add_part(key, level);
  std::vector<std::string> parts;
  for (const Option& option : question.options) parts.push_back(option_part(option));
  std::sort(parts.begin(), parts.end());
  for (const std::string& part : parts) key += part;
  return key;
}

QuestionCalibration align(const QuestionCalibration& calibration, const Question& question) {
  QuestionCalibration aligned = calibration;
  if (question.type == QuestionType::kChoice) {
    const std::vector<std::size_t> from = places(calibration.question, question);
    reorder(aligned.prior, from);
    reorder(aligned.map.bias, from);
  }
  aligned.question = question;
  return aligned;
}

}  // namespace logit
