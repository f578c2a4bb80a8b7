// Hashes a file with XXH3 (128 bits), in pieces.
//
// Entry: fingerprint_of_files(). Tests: tests/llama/load_test.cpp.
#include "llama/fingerprint.h"

#include <xxhash.h>

#include <array>
#include <cstdio>
#include <memory>
#include <vector>

namespace logit {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct HashDeleter {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

std::string hex(const XXH128_canonical_t& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "xxh3-";
  for (const unsigned char byte : digest.digest) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

Result<Done> add_file(XXH3_state_t& state, const std::string& path) {
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return Error{ErrorCode::kModelLoad, "cannot read the model file", path};
  std::vector<unsigned char> piece(kPieceBytes);
  while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), file.get())) {
    XXH3_128bits_update(&state, piece.data(), n);
  }
  if (std::ferror(file.get()) == 0) return Done{};
  return Error{ErrorCode::kModelLoad, "cannot read the model file to its end", path};
}

}  // namespace

Result<std::string> fingerprint_of_files(std::span<const std::string> paths) {
  const std::unique_ptr<XXH3_state_t, HashDeleter> state(XXH3_createState());
  if (state == nullptr) return Error{ErrorCode::kInternal, "no memory for a hash"};
  XXH3_128bits_reset(state.get());
  for (const std::string& path : paths) {
    if (Result<Done> added = add_file(*state, path); !added) return std::move(added).error();
  }
  XXH128_canonical_t digest;
  XXH128_canonicalFromHash(&digest, XXH3_128bits_digest(state.get()));
  return hex(digest);
}

}  // namespace logit
