// Helpers of the wire tests: bodies in, faults out as short texts.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "logit/result.h"
#include "logit/wire.h"
#include "wire/faults.h"

namespace logit::test {

inline std::vector<std::string> described(const Error& error) {
  std::vector<std::string> out;
  for (const Fault& fault : error.faults) {
    out.push_back(fault.type + " at " + wire::loc_text(fault.loc));
  }
  return out;
}

// "type at place" of every fault of a body, in order; empty when it parses.
inline std::vector<std::string> faults_of(std::string_view body) {
  const auto request = parse_request(body);
  if (request) return {};
  EXPECT_EQ(request.error().code, ErrorCode::kSchema);
  EXPECT_FALSE(request.error().faults.empty());
  return described(request.error());
}

// The request of a body that parses; an empty one and a failure otherwise.
inline Request parsed(std::string_view body) {
  auto request = parse_request(body);
  if (request) return *request;
  ADD_FAILURE() << request.error().where << ": " << request.error().message << "\n" << body;
  return {};
}

// A body around one question "q", and one around a state.
inline std::string with_question(std::string_view question) {
  return std::string(R"({"state":"x","questions":{"q":)").append(question).append("}}");
}
inline std::string with_state(std::string_view state) {
  return std::string(R"({"state":)")
      .append(state)
      .append(R"(,"questions":{"q":{"type":"noul","instructions":"?"}}})");
}

}  // namespace logit::test
