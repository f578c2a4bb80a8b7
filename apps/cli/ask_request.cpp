// Builds a request from flags; entry: build_request. Tested by tests/cli/ask_request_test.cpp.
#include "ask_request.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "text.h"

namespace logit::cli {
namespace {

const char* flag_name(AskFlag flag) {
  switch (flag) {
    case AskFlag::kChoice:
      return "--choice";
    case AskFlag::kNoul:
      return "--noul";
    case AskFlag::kScore:
      return "--score";
    case AskFlag::kInstructions:
      break;
  }
  return "--instructions";
}

Error bad_flag(AskFlag flag, const std::string& message) {
  return {ErrorCode::kConfig, message, flag_name(flag), {}};
}

// Position of `mark` in `text` that no backslash precedes, or npos.
std::size_t find_mark(std::string_view text, std::string_view mark) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text.substr(i).starts_with(mark)) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 1 < text.size() &&
                           std::string_view("|:\\").find(text[i + 1]) != std::string_view::npos;
    out += is_escape ? text[++i] : text[i];
  }
  return out;
}

std::vector<std::string_view> split_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = find_mark(text, "|");
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Option parse_option(std::string_view part) {
  const std::size_t colon = find_mark(part, ": ");
  if (colon == std::string_view::npos) return {unescaped(part), Content()};
  return {unescaped(trimmed(part.substr(0, colon))),
          Content(unescaped(trimmed(part.substr(colon + 1))))};
}

Result<Question> choice_question(const std::string& text) {
  Question question;
  question.type = QuestionType::kChoice;
  std::set<std::string> names;
  for (const std::string_view part : split_parts(text)) {
    Option option = parse_option(part);
    if (option.name.empty()) return bad_flag(AskFlag::kChoice, "an option has no name");
    if (!names.insert(option.name).second) {
      return bad_flag(AskFlag::kChoice, "option '" + option.name + "' stands there twice");
    }
    question.options.push_back(std::move(option));
  }
  if (question.options.size() > kMaxOptions) {
    return bad_flag(AskFlag::kChoice, "has more than " + std::to_string(kMaxOptions) + " options");
  }
  return question;
}

Result<Question> score_question(const std::string& text) {
  Question question;
  question.type = QuestionType::kScore;
  for (const std::string_view part : split_parts(text)) {
    if (part.empty()) return bad_flag(AskFlag::kScore, "a level has no text");
    question.levels.emplace_back(unescaped(part));
  }
  if (question.levels.size() > kMaxLevels) {
    return bad_flag(AskFlag::kScore, "has more than " + std::to_string(kMaxLevels) + " levels");
  }
  return question;
}

Result<Question> noul_question(const std::string& text) {
  if (trimmed(text).empty()) return bad_flag(AskFlag::kNoul, "asks nothing");
  Question question;
  question.instructions = Content(text);
  return question;
}

Result<Question> question_of(const AskItem& item) {
  switch (item.flag) {
    case AskFlag::kChoice:
      return choice_question(item.text);
    case AskFlag::kScore:
      return score_question(item.text);
    case AskFlag::kNoul:
    case AskFlag::kInstructions:
      break;
  }
  return noul_question(item.text);
}

Result<Done> instruct(Question& question, const std::string& text) {
  if (!question.instructions.is_null()) {
    return bad_flag(AskFlag::kInstructions, question.id + " has instructions already");
  }
  question.instructions = Content(text);
  return Done{};
}

// A request while its flags are read.
struct Draft {
  Request request;
  std::optional<std::size_t> target;   // index of the last choice or score
  std::optional<std::string> leading;  // instructions that came before any
};

Result<Done> add_instructions(Draft& draft, const std::string& text) {
  if (draft.target) return instruct(draft.request.questions[*draft.target], text);
  if (draft.leading) {
    return bad_flag(AskFlag::kInstructions, "is given twice before any --choice or --score");
  }
  draft.leading = text;
  return Done{};
}

Result<Done> add_item(Draft& draft, const AskItem& item) {
  if (!is_utf8(item.text)) return bad_flag(item.flag, "is not UTF-8");
  if (item.flag == AskFlag::kInstructions) return add_instructions(draft, item.text);
  Result<Question> question = question_of(item);
  if (!question) return std::move(question).error();
  std::vector<Question>& questions = draft.request.questions;
  if (questions.size() == kMaxQuestions) {
    return bad_flag(item.flag, "more than " + std::to_string(kMaxQuestions) + " questions");
  }
  question->id = "q" + std::to_string(questions.size() + 1);
  if (question->type != QuestionType::kNoul) draft.target = questions.size();
  questions.push_back(*std::move(question));
  return Done{};
}

// Leading instructions go to the only choice or score.
Result<Done> place_leading(Draft& draft) {
  if (!draft.leading) return Done{};
  std::vector<Question>& questions = draft.request.questions;
  const auto n_targets = std::count_if(questions.begin(), questions.end(), [](const Question& q) {
    return q.type != QuestionType::kNoul;
  });
  if (n_targets == 1) return instruct(questions[*draft.target], *draft.leading);
  return bad_flag(AskFlag::kInstructions, "must follow the --choice or --score that it is for");
}

}  // namespace

Result<Request> build_request(const std::string& state, std::span<const AskItem> items) {
  if (!is_utf8(state)) return Error{ErrorCode::kConfig, "is not UTF-8", "--state", {}};
  Draft draft;
  draft.request.state = Content(state);
  for (const AskItem& item : items) {
    Result<Done> added = add_item(draft, item);
    if (!added) return std::move(added).error();
  }
  if (draft.request.questions.empty()) {
    return Error{ErrorCode::kConfig, "ask something: --choice, --noul or --score", "--state", {}};
  }
  Result<Done> placed = place_leading(draft);
  if (!placed) return std::move(placed).error();
  return std::move(draft.request);
}

}  // namespace logit::cli
