// Replaces files in one step; entry: write_file. Tested by tests/cli/predictions_test.cpp.
#include "eval/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace logit::eval {
namespace {

// 0, or the errno of what failed.
int write_durably(const std::string& path, std::string_view text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) return errno;
  int fault = 0;
  while (!text.empty() && fault == 0) {
    const ssize_t n = write(descriptor, text.data(), text.size());
    if (n >= 0) text.remove_prefix(static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) fault = errno;
  }
  if (fault == 0 && fsync(descriptor) != 0) fault = errno;
  if (close(descriptor) != 0 && fault == 0) fault = errno;
  return fault;
}

std::string temporary_of(const std::string& path) {
  return path + ".tmp" + std::to_string(getpid());
}

Error file_error(const std::string& path, int fault) {
  return {
      ErrorCode::kFile, "cannot be written: " + std::generic_category().message(fault), path, {}};
}

// A device or a folder would be replaced by a file of its name.
bool is_in_the_way(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode);
}

Error in_the_way(const std::string& path) {
  return {ErrorCode::kFile, "cannot be written: it is no ordinary file", path, {}};
}

}  // namespace

Result<Done> write_file(const std::string& path, std::string_view text) {
  if (is_in_the_way(path)) return in_the_way(path);
  const std::string temporary = temporary_of(path);
  int fault = write_durably(temporary, text);
  if (fault == EEXIST) return file_error(temporary, fault);  // not ours to remove
  if (fault == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) fault = errno;
  if (fault == 0) return Done{};
  std::remove(temporary.c_str());
  return file_error(path, fault);
}

Result<Done> check_writable(const std::string& path) {
  if (is_in_the_way(path)) return in_the_way(path);
  const std::string temporary = temporary_of(path);
  const int fault = write_durably(temporary, "");
  if (fault != 0) return file_error(path, fault);
  std::remove(temporary.c_str());
  return Done{};
}

}  // namespace logit::eval
