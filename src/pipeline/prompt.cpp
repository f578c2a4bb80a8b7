// The wording of prompts. Entries: those of prompt.h. Tested by tests/pipeline/prompt_test.cpp.
#include "pipeline/prompt.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "pipeline/defaults.h"

namespace logit::pipeline {
namespace {

constexpr const char* kQuestionMarks[] = {"?", "\xD8\x9F", "\xEF\xBC\x9F"};

std::string instructions_of(const Question& question, const char* stand_in) {
  std::string text = prompt_text(question.instructions);
  return text.empty() ? stand_in : text;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

// Text without a question mark (that of Latin, Arabic or East Asian scripts).
bool is_statement(const Content& instructions) {
  const std::string* text = instructions.text();
  if (text == nullptr || text->find_first_not_of(" \t\n") == std::string::npos) return false;
  return std::all_of(std::begin(kQuestionMarks), std::end(kQuestionMarks),
                     [&](const char* mark) { return text->find(mark) == std::string::npos; });
}

// A statement is judged true or false: asked for yes or no, models lean to yes.
QuestionText noul_text(const Question& question) {
  const std::string yes = prompt_text(question.when_true);
  const std::string no = prompt_text(question.when_false);
  if (is_statement(question.instructions)) {
    return {prompt_text(question.instructions) + "\nQuestion: Is the statement true or false?",
            {{"True", yes}, {"False", no}},
            true,
            "Statement: "};
  }
  return {instructions_of(question, "Does the description of yes fit the text?"),
          {{"Yes", yes}, {"No", no}},
          true};
}

QuestionText choice_text(const Question& question) {
  QuestionText text{
      instructions_of(question, "Which of the answers fits the text best?"), {}, false};
  for (const Option& option : question.options) {
    text.candidates.push_back({option.name, prompt_text(option.description)});
  }
  return text;
}

QuestionText score_text(const Question& question) {
  QuestionText text{instructions_of(question, "Which level fits the text best?"), {}, false};
  for (const Content& level : question.levels) text.candidates.push_back({prompt_text(level), ""});
  return text;
}

}  // namespace

bool ends_in_question_mark(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return false;
  text = text.substr(0, last + 1);
  return std::any_of(std::begin(kQuestionMarks), std::end(kQuestionMarks),
                     [&](const char* mark) { return text.ends_with(mark); });
}

QuestionText question_text(const Question& question) {
  switch (question.type) {
    case QuestionType::kNoul:
      return noul_text(question);
    case QuestionType::kChoice:
      return choice_text(question);
    case QuestionType::kScore:
      break;
  }
  return score_text(question);
}

QuestionText level_text(const Question& question, std::size_t level) {
  const std::string about = instructions_of(question, "Which level fits the text best?");
  return {about + "\nIs this answer right: " + prompt_text(question.levels[level]),
          {{"Yes", ""}, {"No", ""}},
          true};
}

std::vector<WeighedText> weighed_texts(const Candidate& candidate) {
  if (candidate.description.empty()) return {{candidate.name, 1}};
  return {{candidate.description, kDescriptionShare}, {candidate.name, 1 - kDescriptionShare}};
}

std::string listed_text(const Candidate& candidate) {
  if (candidate.description.empty()) return candidate.name;
  return candidate.name + ": " + candidate.description;
}

std::string decline_text(const Question& question) {
  if (question.type == QuestionType::kNoul) return "The text does not say";
  for (const char* text : {"none of these", "something else", "no answer fits"}) {
    if (std::none_of(question.options.begin(), question.options.end(),
                     [&](const Option& option) { return lower_case(option.name) == text; })) {
      return text;
    }
  }
  return "none of the answers above";
}

std::vector<std::string> spellings_of(const std::string& word) {
  const std::string lower = lower_case(word);
  std::string upper = word;
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return {" " + word, " " + lower, " " + upper, word, lower, upper};
}

}  // namespace logit::pipeline
