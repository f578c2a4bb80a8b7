// Reads files; entry: read_file. C streams, because a failed read tells its reason through errno.
// Tested by tests/cli/dataset_test.cpp.
#include "eval/read_file.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace logit::eval {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

struct CloseFile {
  // Standard input stays open: it is not ours.
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

Error file_error(const std::string& path) {
  return {ErrorCode::kFile, "cannot be read: " + std::generic_category().message(errno), path, {}};
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  const std::unique_ptr<std::FILE, CloseFile> file(path == "-" ? stdin
                                                               : std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return file_error(path);
  std::string text;
  char block[1 << 16];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file.get())) {
    text.append(block, n);
    if (text.size() > max_bytes) {
      return Error{
          ErrorCode::kTooLong, "is longer than " + std::to_string(max_bytes) + " bytes", path, {}};
    }
  }
  if (std::ferror(file.get()) != 0) return file_error(path);
  return text;
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

}  // namespace logit::eval
