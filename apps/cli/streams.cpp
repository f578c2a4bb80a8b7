// Writes to the standard streams, past the buffers of C and C++, so that every failure is seen;
// entry: prepare_streams. Tested by tests/cli/program_test.sh.
#include "streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>

#include "text.h"

namespace logit::cli {
namespace {

// The errno of the failure, 0 for none.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

}  // namespace

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // Read-only for standard output: writing to a closed one must stay an error.
    const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    [[maybe_unused]] const int opened = open("/dev/null", mode);
  }
}

Result<Done> write_stdout(std::string_view text) {
  const int fault = write_all(STDOUT_FILENO, text);
  if (fault == 0 || fault == EPIPE) return Done{};
  return Error{ErrorCode::kFile,
               "cannot be written: " + std::generic_category().message(fault),
               "standard output",
               {}};
}

void write_stderr(std::string_view text) { write_all(STDERR_FILENO, text); }

void warn(std::string_view message) { write_stderr("warning: " + printable(message) + "\n"); }

}  // namespace logit::cli
