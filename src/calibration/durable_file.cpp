// Replaces, reads and locks files; entries: replace_file, check_replaceable, read_if_there,
// FileLock. Tested by tests/calibration/durable_file_test.cpp.
#include "calibration/durable_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace logit::calibration {
namespace {

namespace fs = std::filesystem;

Error file_error(const fs::path& path, const char* what, int fault) {
  return {ErrorCode::kFile, what + std::generic_category().message(fault), path.string(), {}};
}

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() { close_now(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  // 0, or the errno of the close: a network file system reports a full disk here.
  int close_now() {
    const int descriptor = std::exchange(value_, -1);
    return descriptor >= 0 && ::close(descriptor) != 0 ? errno : 0;
  }

 private:
  int value_;
};

// 0, or the errno of what failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n >= 0) text.remove_prefix(static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) return errno;
  }
  return ::fsync(descriptor) == 0 ? 0 : errno;
}

// Makes a file of a name that none has yet, as a process that was killed may have left one behind.
// Its path is empty when it could not be made; errno tells why.
struct Temporary {
  fs::path path;
  int descriptor = -1;
};

Temporary try_names(const fs::path& path) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    fs::path name = path;
    name += ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(i);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor >= 0) return {std::move(name), descriptor};
    if (errno != EEXIST) break;
  }
  return {};
}

Result<Temporary> make_temporary(const fs::path& path) {
  if (!path.has_filename()) {
    return Error{ErrorCode::kFile, "names no file", path.string(), {}};
  }
  Temporary temporary = try_names(path);
  if (temporary.descriptor < 0) return file_error(path, "cannot be written: ", errno);
  return temporary;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

int sync_folder(const fs::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) return errno;
  // Some file systems cannot synchronise a folder; the rename is in order there all the same.
  return ::fsync(descriptor.get()) == 0 || errno == EINVAL ? 0 : errno;
}

}  // namespace

Result<Done> replace_file(const fs::path& path, std::string_view text) {
  const Result<Temporary> temporary = make_temporary(path);
  if (!temporary) return temporary.error();
  Descriptor file(temporary->descriptor);
  int fault = write_all(file.get(), text);
  const int close_fault = file.close_now();
  if (fault == 0) fault = close_fault;
  if (fault == 0 && ::rename(temporary->path.c_str(), path.c_str()) != 0) fault = errno;
  if (fault != 0) {
    ::unlink(temporary->path.c_str());
    return file_error(path, "cannot be written: ", fault);
  }
  fault = sync_folder(folder_of(path));
  if (fault != 0) return file_error(path, "was written, but may be lost in a crash: ", fault);
  return Done{};
}

Result<Done> check_replaceable(const fs::path& path) {
  const Result<Temporary> temporary = make_temporary(path);
  if (!temporary) return temporary.error();
  ::close(temporary->descriptor);
  ::unlink(temporary->path.c_str());
  return Done{};
}

Result<std::optional<std::string>> read_if_there(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    if (errno == ENOENT) return std::optional<std::string>();
    return file_error(path, "cannot be read: ", errno);
  }
  std::string text;
  char block[1 << 16];
  while (true) {
    const ssize_t n = ::read(file.get(), block, sizeof block);
    if (n == 0) return std::optional<std::string>(std::move(text));
    if (n < 0 && errno != EINTR) return file_error(path, "cannot be read: ", errno);
    if (n > 0) text.append(block, static_cast<std::size_t>(n));
    if (text.size() > kLargestFile) {
      return Error{ErrorCode::kTooLong, "is longer than 64 MiB", path.string(), {}};
    }
  }
}

Result<FileLock> FileLock::take(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return file_error(path, "cannot be opened: ", errno);
  FileLock lock(descriptor);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return file_error(path, "cannot be locked: ", errno);
    }
    if (std::chrono::steady_clock::now() > patience) {
      return Error{ErrorCode::kBusy, "another process holds its lock", path.string(), {}};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return lock;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace logit::calibration
