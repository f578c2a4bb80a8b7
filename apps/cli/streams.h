// The three standard streams of the program.
#pragma once

#include <string_view>

#include "logit/result.h"

namespace logit::cli {

// Once, first thing in main: a closed stream becomes /dev/null, so that no file opened later takes
// its number; a broken pipe, or a file that grows past a limit of the system, becomes an error of
// write() instead of the end of the process.
void prepare_streams();

// Everything or an error. A reader that has gone away (a pipe into head) is no error.
Result<Done> write_stdout(std::string_view text);

// Nothing can be done about a failure here, so none is reported.
void write_stderr(std::string_view text);

// "warning: <message>" on standard error, on one line.
void warn(std::string_view message);

}  // namespace logit::cli
