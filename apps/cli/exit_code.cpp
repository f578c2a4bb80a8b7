// Maps errors to exit codes and lines; entry: exit_code. Tested by tests/cli/settings_test.cpp.
#include "exit_code.h"

#include "text.h"

namespace logit::cli {
namespace {

std::string line(const std::string& where, const std::string& message) {
  return "error: " + printable(where.empty() ? message : where + ": " + message) + "\n";
}

}  // namespace

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kSchema:
    case ErrorCode::kConfig:
    case ErrorCode::kTooLong:
    case ErrorCode::kVisionUnsupported:
    case ErrorCode::kImage:
      return kExitBadInput;
    case ErrorCode::kModelLoad:
    case ErrorCode::kLabelBoundary:
    case ErrorCode::kBackendContract:
    case ErrorCode::kMissingDependency:
      return kExitModel;
    case ErrorCode::kModelRun:
      return kExitModelRun;
    case ErrorCode::kFile:
      return kExitFile;
    case ErrorCode::kCancelled:
      return kExitCancelled;
    case ErrorCode::kBusy:
    case ErrorCode::kInternal:
      break;
  }
  return kExitInternal;
}

std::string error_lines(const Error& error) {
  if (error.faults.empty()) return line(error.where, error.message);
  std::string lines;
  for (const Fault& fault : error.faults) lines += line(place_text(fault.loc), fault.msg);
  return lines;
}

std::string place_text(const std::vector<LocStep>& loc) {
  std::string place;
  for (const LocStep& step : loc) {
    if (!place.empty()) place += ".";
    const auto* key = std::get_if<std::string>(&step);
    if (key == nullptr) {
      place += std::to_string(std::get<std::size_t>(step));
    } else if (trimmed(*key).size() < key->size() || key->empty()) {
      place += "'" + *key + "'";
    } else {
      place += *key;
    }
  }
  return place;
}

}  // namespace logit::cli
