// Errors as a program tells them: an exit code and lines for people.
#pragma once

#include <string>
#include <vector>

#include "logit/result.h"

namespace logit::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitInternal = 1;
inline constexpr int kExitFindings = 1;  // lint --strict found something
inline constexpr int kExitBadInput = 2;  // request, flag or setting
inline constexpr int kExitModel = 3;     // the model cannot be used
inline constexpr int kExitModelRun = 4;  // the model failed
inline constexpr int kExitFile = 5;
inline constexpr int kExitCancelled = 130;

int exit_code(ErrorCode code);

// One line per fault: "error: questions.q.criteria.3: message".
std::string error_lines(const Error& error);

// "questions.q.criteria.3"; keys that are empty or have blanks at their ends stand in quotes.
std::string place_text(const std::vector<LocStep>& loc);

}  // namespace logit::cli
