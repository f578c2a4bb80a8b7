// Files that are replaced in one step.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "logit/result.h"

namespace logit::calibration {

inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;

// Writes a temporary file of a name of its own in the same folder, synchronises it, renames it
// over `path` and synchronises the folder. A crash or a failure leaves the old file or the new
// one, whole; a failure leaves no other file behind. Errors: kFile with the reason.
Result<Done> replace_file(const std::filesystem::path& path, std::string_view text);

// Whether replace_file() could write there: makes and removes a temporary file. Errors: its own.
Result<Done> check_replaceable(const std::filesystem::path& path);

// Nothing when there is no such file. Errors: kFile; kTooLong above kLargestFile.
Result<std::optional<std::string>> read_if_there(const std::filesystem::path& path);

// While it lives, no other process holds a lock on the same path. Released by the system when the
// process ends, however it ends.
class FileLock {
 public:
  // Makes `path` where it is not there (an empty file, which stays). Waits up to a second.
  // Errors: kFile; kBusy when another process holds the lock for longer.
  static Result<FileLock> take(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace logit::calibration
