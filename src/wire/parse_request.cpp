// Checks a request body against the System One format. Its entries are parse_request and
// parse_record, parse_content; docs/protocol.md has the rules. Tested by
// tests/wire/parse_request_test.cpp.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "logit/wire.h"
#include "wire/faults.h"
#include "wire/json_reader.h"
#include "wire/parse_question.h"
#include "wire/pictures.h"
#include "wire/prose.h"
#include "wire/repeated_keys.h"

namespace logit {
namespace wire {
namespace {

std::vector<Question> take_questions(Content& value, const Place& place, FaultList& faults) {
  std::vector<Question> questions;
  auto* members = std::get_if<Content::Object>(&value.value);
  if (members == nullptr) {
    faults.add("wrong_type", &place, "questions must be an object of questions by id");
    return questions;
  }
  if (members->empty()) faults.add("too_few", &place, "at least one question is needed");
  if (members->size() > kMaxQuestions) {
    faults.add("too_many", &place,
               std::to_string(members->size()) + " questions, at most " +
                   std::to_string(kMaxQuestions) + " are allowed");
  }
  const std::vector<bool> is_repeated = repeated_members(*members);
  for (std::size_t i = 0; i < members->size(); ++i) {
    auto& [id, body] = (*members)[i];
    const Place inside{&place, std::string_view(id)};
    if (is_repeated[i]) {
      add_repeated(inside, faults);
    } else {
      questions.push_back(take_question(id, body, inside, faults));
    }
  }
  return questions;
}

std::string take_model(Content& value, const Place& place, FaultList& faults) {
  auto* name = std::get_if<std::string>(&value.value);
  if (name == nullptr) {
    faults.add("wrong_type", &place, "model must be a string");
    return {};
  }
  return std::move(*name);
}

bool holds_pictures(std::string_view field) {
  return field == "assets" || field == "images" || field == "files";
}

struct Seen {
  bool state = false;
  bool questions = false;
};

// One field of the body; those that the format does not know are ignored.
void take_field(std::string_view key, Content& value, const Place& place, Request& request,
                Seen& seen, FaultList& faults) {
  if (key == "state") {
    seen.state = true;
    request.state = take_prose(value, Nulls::kRefused, "state", place, faults);
  } else if (key == "model") {
    request.model = take_model(value, place, faults);
  } else if (key == "questions") {
    seen.questions = true;
    request.questions = take_questions(value, place, faults);
  } else if (holds_pictures(key) && !value.is_null()) {
    faults.add("unsupported", &place, kNoPictures);
  }
}

Request take_request(Content& body, FaultList& faults) {
  Request request;
  auto* fields = std::get_if<Content::Object>(&body.value);
  if (fields == nullptr) {
    faults.add("wrong_type", nullptr, "the body must be an object");
    return request;
  }
  Seen seen;
  const std::vector<bool> is_repeated = repeated_members(*fields);
  for (std::size_t i = 0; i < fields->size(); ++i) {
    auto& [key, value] = (*fields)[i];
    const Place place{nullptr, std::string_view(key)};
    if (is_repeated[i]) {
      add_repeated(place, faults);
    } else {
      take_field(key, value, place, request, seen, faults);
    }
  }
  const Place state{nullptr, std::string_view("state")};
  const Place questions{nullptr, std::string_view("questions")};
  if (!seen.state) add_missing("state", state, faults);
  if (!seen.questions) add_missing("questions", questions, faults);
  return request;
}

}  // namespace
}  // namespace wire

Result<Request> parse_request(std::string_view body) {
  auto document = wire::read_json(body);
  if (!document) return std::move(document).error();
  wire::FaultList faults;
  Request request = wire::take_request(*document, faults);
  if (!faults.empty()) return wire::schema_error(std::move(faults).take());
  return request;
}

Result<Content> parse_record(std::string_view json) {
  auto record = wire::read_json(json);
  const auto* members = record ? std::get_if<Content::Object>(&record->value) : nullptr;
  if (members == nullptr) return record;
  wire::FaultList faults;
  const std::vector<bool> is_repeated = wire::repeated_members(*members);
  for (std::size_t i = 0; i < members->size(); ++i) {
    const wire::Place place{nullptr, std::string_view((*members)[i].first)};
    if (is_repeated[i]) wire::add_repeated(place, faults);
  }
  if (!faults.empty()) return wire::schema_error(std::move(faults).take());
  return record;
}

Result<Content> parse_content(std::string_view json) {
  auto content = wire::read_json(json);
  if (content) wire::keep_last_members(*content);
  return content;
}

}  // namespace logit
