// Reads and spells labels; entry: parse_label. Tested by tests/cli/dataset_test.cpp.
#include "eval/labels.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace logit::eval {
namespace {

using Label = std::optional<std::size_t>;

Error schema_error(const std::string& message) { return {ErrorCode::kSchema, message, "", {}}; }

std::string level_range(const Question& question) {
  return "a level's index, 0 to " + std::to_string(question.levels.size() - 1);
}

Label option_named(std::string_view name, const Question& question) {
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    if (question.options[i].name == name) return i;
  }
  return std::nullopt;
}

Label level_at(std::string_view digits, const Question& question) {
  std::size_t index = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (fault != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return index < question.levels.size() ? Label(index) : std::nullopt;
}

Result<Label> level_of_text(std::string_view text, const Question& question) {
  Label found;
  for (std::size_t i = 0; i < question.levels.size(); ++i) {
    if (prompt_text(question.levels[i]) != text) continue;
    if (found) return schema_error("label '" + std::string(text) + "' is the text of two levels");
    found = i;
  }
  return found;
}

Result<Label> choice_label(const Content& label, const Question& question) {
  const std::string* name = label.text();
  if (name == nullptr) return schema_error("label must be an option's name or null");
  const Label index = option_named(*name, question);
  if (index) return index;
  return schema_error("label " + compact_json(label) + " is not one of the task's options");
}

Result<Label> score_label(const Content& label, const Question& question) {
  if (const auto* number = std::get_if<Content::Number>(&label.value)) {
    const Label index = level_at(number->spelling, question);
    if (index) return index;
    return schema_error("label " + number->spelling + " is not " + level_range(question));
  }
  const std::string* text = label.text();
  if (text == nullptr) {
    return schema_error("label must be " + level_range(question) + ", a level's text, or null");
  }
  Result<Label> index = level_of_text(*text, question);
  if (!index || *index) return index;
  return schema_error("label " + compact_json(label) + " is not " + level_range(question) +
                      ", or a level's text");
}

Result<Label> noul_label(const Content& label) {
  const bool* flag = std::get_if<bool>(&label.value);
  if (flag == nullptr) return schema_error("label must be true, false or null");
  return Label(*flag ? std::size_t{0} : std::size_t{1});
}

Result<Label> score_label_text(std::string_view cell, const Question& question) {
  const Label index = level_at(cell, question);
  const Result<Label> named = level_of_text(cell, question);
  if (!named) return named;
  const std::string spelled(cell);
  if (index && *named && *index != **named) {
    return schema_error("label '" + spelled + "' is one level's index and another's text");
  }
  if (index || *named) return index ? index : *named;
  return schema_error("label '" + spelled + "' is not " + level_range(question) +
                      ", or a level's text");
}

Result<Label> noul_label_text(std::string_view cell) {
  std::string lower(cell);
  for (char& byte : lower) {
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  }
  for (const char* yes : {"true", "1", "yes"}) {
    if (lower == yes) return Label(0);
  }
  for (const char* no : {"false", "0", "no"}) {
    if (lower == no) return Label(1);
  }
  return schema_error("label '" + std::string(cell) + "' is not true, false, 1, 0, yes or no");
}

}  // namespace

Result<Label> parse_label(const Content& label, const Question& question) {
  if (label.is_null()) return Label();
  if (question.type == QuestionType::kChoice) return choice_label(label, question);
  if (question.type == QuestionType::kScore) return score_label(label, question);
  return noul_label(label);
}

Result<Label> parse_label_text(std::string_view cell, const Question& question) {
  if (question.type == QuestionType::kChoice) {
    const Label index = option_named(cell, question);
    if (index || cell.empty()) return index;
    return schema_error("label '" + std::string(cell) + "' is not one of the task's options");
  }
  if (cell.empty()) return Label();
  if (question.type == QuestionType::kScore) return score_label_text(cell, question);
  return noul_label_text(cell);
}

Content label_json(Label label, const Question& question) {
  if (!label) return {};
  if (question.type == QuestionType::kChoice) return question.options[*label].name;
  if (question.type == QuestionType::kNoul) return Content(*label == 0);
  return Content(Content::Number{std::to_string(*label)});
}

std::vector<std::string> candidate_names(const Question& question) {
  if (question.type == QuestionType::kNoul) return {"true", "false"};
  std::vector<std::string> names;
  for (const Option& option : question.options) names.push_back(option.name);
  for (const Content& level : question.levels) names.push_back(prompt_text(level));
  return names;
}

}  // namespace logit::eval
