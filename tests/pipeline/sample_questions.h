// Questions and profiles that several tests ask.
#pragma once

#include <initializer_list>
#include <string>

#include "logit/profile.h"
#include "logit/types.h"

namespace logit::testing {

inline Question choice(std::string id, std::initializer_list<const char*> names) {
  Question question;
  question.id = std::move(id);
  question.type = QuestionType::kChoice;
  question.instructions = "Which one?";
  for (const char* name : names) question.options.push_back({name, {}});
  return question;
}

inline Question score(std::string id, std::initializer_list<const char*> levels) {
  Question question;
  question.id = std::move(id);
  question.type = QuestionType::kScore;
  question.instructions = "How much?";
  for (const char* level : levels) question.levels.emplace_back(level);
  return question;
}

inline Question noul(std::string id, const char* instructions) {
  Question question;
  question.id = std::move(id);
  question.instructions = instructions;
  return question;
}

inline Request request(std::string state, std::initializer_list<Question> questions) {
  return {Content(std::move(state)), "", questions};
}

// Every type read in one way.
inline Profile profile_of(Way way, const std::string& fingerprint) {
  Profile profile;
  profile.fingerprint = fingerprint;
  for (QuestionType type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    profile.types.push_back({type, way, 0.25, false, {}});
  }
  return profile;
}

}  // namespace logit::testing
