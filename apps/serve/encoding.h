// Content-Encoding of request bodies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace logit::serve {

enum class Encoding : unsigned char { kIdentity, kGzip, kDeflate, kZstd };

// "" and "identity" are kIdentity; nothing for one that is not supported, several included.
std::optional<Encoding> parse_encoding(std::string_view content_encoding);

enum class DecodeFault : unsigned char { kNone, kDamaged, kCut, kTooLarge };

struct Decoded {
  std::string body;
  DecodeFault fault = DecodeFault::kNone;
};

// Stops as soon as more than `limit` bytes have come out, so that a small body cannot become a
// large one in memory. Several members (gzip) or frames (zstd) in a row are one body.
Decoded decode(Encoding encoding, std::string body, std::size_t limit);

}  // namespace logit::serve
