// Checks one question against the rules of its type. Its entry is take_question.
// Tested by tests/wire/parse_request_test.cpp.
#include "wire/parse_question.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "wire/pictures.h"
#include "wire/prose.h"
#include "wire/repeated_keys.h"

namespace logit::wire {
namespace {

const Content* find(const Content::Object& members, std::string_view key) {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const auto& member) { return member.first == key; });
  return found == members.end() ? nullptr : &found->second;
}

std::optional<QuestionType> type_named(std::string_view name) {
  for (const auto type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    if (name == question_type_name(type)) return type;
  }
  return std::nullopt;
}

std::optional<QuestionType> type_of(const Content::Object& fields) {
  const Content* value = find(fields, "type");
  const std::string* name = value == nullptr ? nullptr : value->text();
  return name == nullptr ? std::nullopt : type_named(*name);
}

void check_type(const Content& value, const Place& place, FaultList& faults) {
  const std::string* name = value.text();
  if (name == nullptr) {
    faults.add("wrong_type", &place, "type must be a string: noul, choice or score");
  } else if (*name == "box") {
    faults.add("unsupported", &place, "box questions are not supported by this version");
  } else if (!type_named(*name)) {
    faults.add("unknown_type", &place, "type must be noul, choice or score");
  }
}

void check_count(std::size_t n, std::size_t max, const char* what, const Place& place,
                 FaultList& faults) {
  if (n == 0) {
    faults.add("too_few", &place, std::string("at least one ") + what + " is needed");
  } else if (n > max) {
    faults.add(
        "too_many", &place,
        std::to_string(n) + " " + what + "s, at most " + std::to_string(max) + " are allowed");
  }
}

void take_noul_criteria(Content& value, const Place& place, Question& question, FaultList& faults) {
  if (value.is_null()) return;
  auto* sides = std::get_if<Content::Object>(&value.value);
  if (sides == nullptr) {
    faults.add("wrong_type", &place, "criteria of a noul must be an object or null");
    return;
  }
  const std::vector<bool> is_repeated = repeated_members(*sides);
  for (std::size_t i = 0; i < sides->size(); ++i) {
    auto& [key, description] = (*sides)[i];
    const Place inside{&place, std::string_view(key)};
    if (is_repeated[i]) {
      add_repeated(inside, faults);
    } else if (key == "true" || key == "false") {
      Content& side = key == "true" ? question.when_true : question.when_false;
      side = take_prose(description, Nulls::kAllowed, "a description", inside, faults);
    } else {
      faults.add("unknown_key", &inside, "criteria of a noul have the keys true and false only");
    }
  }
}

void take_choice_criteria(Content& value, const Place& place, Question& question,
                          FaultList& faults) {
  auto* options = std::get_if<Content::Object>(&value.value);
  if (options == nullptr) {
    faults.add("wrong_type", &place, "criteria of a choice must be an object of options");
    return;
  }
  check_count(options->size(), kMaxOptions, "option", place, faults);
  const std::vector<bool> is_repeated = repeated_members(*options);
  for (std::size_t i = 0; i < options->size(); ++i) {
    auto& [name, description] = (*options)[i];
    const Place inside{&place, std::string_view(name)};
    if (is_repeated[i]) {
      add_repeated(inside, faults);
      continue;
    }
    if (has_picture_url(name)) faults.add("unsupported", &inside, kNoPictures);
    Content text = take_prose(description, Nulls::kAllowed, "a description", inside, faults);
    question.options.push_back({.name = std::move(name), .description = std::move(text)});
  }
}

void take_score_criteria(Content& value, const Place& place, Question& question,
                         FaultList& faults) {
  auto* levels = std::get_if<Content::Array>(&value.value);
  if (levels == nullptr) {
    faults.add("wrong_type", &place, "levels must be a list");
    return;
  }
  check_count(levels->size(), kMaxLevels, "level", place, faults);
  for (std::size_t i = 0; i < levels->size(); ++i) {
    const Place inside{&place, i};
    question.levels.push_back(take_prose((*levels)[i], Nulls::kRefused, "a level", inside, faults));
  }
}

void take_criteria(Content& value, const Place& place, Question& question, FaultList& faults) {
  switch (question.type) {
    case QuestionType::kNoul:
      return take_noul_criteria(value, place, question, faults);
    case QuestionType::kChoice:
      return take_choice_criteria(value, place, question, faults);
    case QuestionType::kScore:
      return take_score_criteria(value, place, question, faults);
  }
}

// Something that says what a noul asks: instructions, or a side's description.
bool asks_something(const Content::Object& fields) {
  const auto is_given = [](const Content* value) { return value != nullptr && !value->is_null(); };
  if (is_given(find(fields, "instructions"))) return true;
  const Content* criteria = find(fields, "criteria");
  if (!is_given(criteria)) return false;
  const auto* sides = std::get_if<Content::Object>(&criteria->value);
  if (sides == nullptr) return true;  // has a fault of its own
  return std::any_of(sides->begin(), sides->end(),
                     [](const auto& side) { return !side.second.is_null(); });
}

struct Needs {
  bool type = false;
  bool instructions = false;
  bool criteria = false;
};

Needs needs_of(const Content::Object& fields, std::optional<QuestionType> type) {
  Needs needs;
  needs.type = find(fields, "type") == nullptr;
  needs.instructions = type == QuestionType::kNoul && !asks_something(fields);
  needs.criteria = type && type != QuestionType::kNoul && find(fields, "criteria") == nullptr;
  return needs;
}

void add_needs(const Needs& needs, const Place& place, FaultList& faults) {
  const Place type{&place, std::string_view("type")};
  const Place instructions{&place, std::string_view("instructions")};
  const Place criteria{&place, std::string_view("criteria")};
  if (needs.type) add_missing("type", type, faults);
  if (needs.instructions) {
    faults.add("missing", &instructions, "a noul needs instructions or criteria");
  }
  if (needs.criteria) add_missing("criteria", criteria, faults);
}

}  // namespace

Question take_question(std::string id, Content& body, const Place& place, FaultList& faults) {
  Question question;
  question.id = std::move(id);
  auto* fields = std::get_if<Content::Object>(&body.value);
  if (fields == nullptr) {
    faults.add("wrong_type", &place, "a question must be an object");
    return question;
  }
  const std::optional<QuestionType> type = type_of(*fields);
  question.type = type.value_or(QuestionType::kNoul);
  const Needs needs = needs_of(*fields, type);
  const std::vector<bool> is_repeated = repeated_members(*fields);
  for (std::size_t i = 0; i < fields->size(); ++i) {
    auto& [key, value] = (*fields)[i];
    const Place inside{&place, std::string_view(key)};
    if (is_repeated[i]) {
      add_repeated(inside, faults);
    } else if (key == "type") {
      check_type(value, inside, faults);
    } else if (key == "instructions") {
      question.instructions = take_prose(value, Nulls::kAllowed, "instructions", inside, faults);
    } else if (key == "criteria" && type) {
      take_criteria(value, inside, question, faults);
    }
  }
  add_needs(needs, place, faults);
  return question;
}

void add_repeated(const Place& place, FaultList& faults) {
  faults.add("duplicate_key", &place, "this key stands here more than once");
}

}  // namespace logit::wire
