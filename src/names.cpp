// The stable names of enumerators, and look-ups on plain values that need no stage of their own.
// Tested by tests/wire/names_test.cpp.
#include <algorithm>
#include <cassert>
#include <cstddef>

#include "logit/backend.h"
#include "logit/profile.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit {

const char* error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kSchema:
      return "schema";
    case ErrorCode::kConfig:
      return "config";
    case ErrorCode::kLabelBoundary:
      return "label_boundary";
    case ErrorCode::kBackendContract:
      return "backend_contract";
    case ErrorCode::kVisionUnsupported:
      return "vision_unsupported";
    case ErrorCode::kImage:
      return "image";
    case ErrorCode::kMissingDependency:
      return "missing_dependency";
    case ErrorCode::kTooLong:
      return "too_long";
    case ErrorCode::kBusy:
      return "busy";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kModelLoad:
      return "model_load";
    case ErrorCode::kModelRun:
      return "model_run";
    case ErrorCode::kFile:
      return "file";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

const char* question_type_name(QuestionType type) {
  switch (type) {
    case QuestionType::kNoul:
      return "noul";
    case QuestionType::kChoice:
      return "choice";
    case QuestionType::kScore:
      return "score";
  }
  return "noul";
}

const char* readout_name(Readout readout) {
  switch (readout) {
    case Readout::kAuto:
      return "auto";
    case Readout::kLabel:
      return "label";
    case Readout::kText:
      return "text";
    case Readout::kChannel:
      return "channel";
    case Readout::kTextChannel:
      return "text+channel";
    case Readout::kLabelText:
      return "label+text";
  }
  return "auto";
}

const char* frame_kind_name(FrameKind kind) { return kind == FrameKind::kChat ? "chat" : "plain"; }

std::size_t candidate_count(const Question& question) {
  switch (question.type) {
    case QuestionType::kNoul:
      return 2;
    case QuestionType::kChoice:
      return question.options.size();
    case QuestionType::kScore:
      return question.levels.size();
  }
  return 0;
}

const TypeProfile& Profile::of(QuestionType type) const {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const TypeProfile& entry) { return entry.type == type; });
  assert(found != types.end());
  return *found;
}

}  // namespace logit
