// Checks the free-form values of a request: state, instructions, descriptions, levels.
// Tested by tests/wire/parse_request_test.cpp.
#include "wire/prose.h"

#include <string>
#include <utility>
#include <variant>

#include "wire/pictures.h"
#include "wire/repeated_keys.h"

namespace logit::wire {

Content take_prose(Content& value, Nulls nulls, const char* what, const Place& place,
                   FaultList& faults) {
  const bool is_scalar = std::holds_alternative<bool>(value.value) ||
                         std::holds_alternative<Content::Number>(value.value);
  if (is_scalar || (value.is_null() && nulls == Nulls::kRefused)) {
    const char* types = nulls == Nulls::kAllowed ? " must be a string, an object, an array or null"
                                                 : " must be a string, an object or an array";
    faults.add("wrong_type", &place, std::string(what) + types);
    return {};
  }
  refuse_pictures(value, place, faults);
  keep_last_members(value);
  return std::move(value);
}

void add_missing(const char* what, const Place& place, FaultList& faults) {
  faults.add("missing", &place, std::string(what) + " is missing");
}

}  // namespace logit::wire
