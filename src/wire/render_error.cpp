// Writes the body of an error. Its entry is render_error; docs/protocol.md has both shapes. The
// result is ASCII, and JSON whatever bytes a message holds: a path or a model's name may be in any
// encoding. Tested by tests/wire/render_error_test.cpp.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "logit/wire.h"

namespace logit {
namespace {

using nlohmann::ordered_json;

ordered_json loc_json(const Fault& fault) {
  ordered_json loc = ordered_json::array({"body"});
  for (const LocStep& step : fault.loc) {
    std::visit([&](const auto& key_or_index) { loc.push_back(key_or_index); }, step);
  }
  return loc;
}

ordered_json fault_json(const Fault& fault) {
  return {{"type", fault.type}, {"loc", loc_json(fault)}, {"msg", fault.msg}};
}

ordered_json fault_list(const Error& error) {
  ordered_json detail = ordered_json::array();
  for (const Fault& fault : error.faults) detail.push_back(fault_json(fault));
  if (detail.empty()) detail.push_back(fault_json({"schema", {}, error.message}));
  return detail;
}

// The format's closed set of names; what it has no name for is the server's own trouble.
const char* error_type(ErrorCode code) {
  switch (code) {
    case ErrorCode::kSchema:
    case ErrorCode::kConfig:
    case ErrorCode::kVisionUnsupported:
    case ErrorCode::kImage:
      return "api_usage_error";
    case ErrorCode::kTooLong:
      return "max_tokens_exceeded";
    case ErrorCode::kBusy:
    case ErrorCode::kCancelled:
      return "overloaded";
    case ErrorCode::kLabelBoundary:
    case ErrorCode::kBackendContract:
    case ErrorCode::kMissingDependency:
    case ErrorCode::kModelLoad:
    case ErrorCode::kModelRun:
    case ErrorCode::kFile:
    case ErrorCode::kInternal:
      return "internal_error";
  }
  return "internal_error";
}

ordered_json one_error(const Error& error) {
  const std::string place = error.where.empty() ? "" : error.where + ": ";
  return {{"error_type", error_type(error.code)}, {"message", place + error.message}};
}

}  // namespace

std::string render_error(const Error& error) {
  constexpr int kOneLine = -1;
  constexpr bool kEscapeNonAscii = true;
  ordered_json body;
  body["detail"] = error.code == ErrorCode::kSchema ? fault_list(error) : one_error(error);
  return body.dump(kOneLine, ' ', kEscapeNonAscii, ordered_json::error_handler_t::replace);
}

}  // namespace logit
