// Inflates request bodies; entry: decode. Tested by tests/serve/encoding_test.cpp.
#include "encoding.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "message.h"

namespace logit::serve {
namespace {

constexpr std::size_t kStep = 64 << 10;
constexpr int kLargestZstdWindow = 25;  // log2 of bytes: what a decoder may hold beside the body

enum class Step : unsigned char { kMore, kEnd, kFault };

// One of the two decoders as the loop below sees it: consumes from the front of `in`.
class Inflater {
 public:
  explicit Inflater(int window_bits) { is_open_ = inflateInit2(&stream_, window_bits) == Z_OK; }
  ~Inflater() {
    if (is_open_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  Step step(std::string_view& in, std::string& out) {
    if (!is_open_) return Step::kFault;
    unsigned char buffer[kStep];
    // zlib's pointer lacks a const; it does not write there.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    const std::size_t given = std::min(in.size(), kStep);
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = buffer;
    stream_.avail_out = sizeof buffer;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(given - stream_.avail_in);
    out.append(reinterpret_cast<const char*>(buffer), sizeof buffer - stream_.avail_out);
    if (code == Z_STREAM_END) return inflateReset(&stream_) == Z_OK ? Step::kEnd : Step::kFault;
    return code == Z_OK || code == Z_BUF_ERROR ? Step::kMore : Step::kFault;
  }

 private:
  z_stream stream_{};
  bool is_open_ = false;
};

class ZstdDecoder {
 public:
  ZstdDecoder() : stream_(ZSTD_createDStream()) {
    if (stream_) ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kLargestZstdWindow);
  }

  Step step(std::string_view& in, std::string& out) {
    if (!stream_) return Step::kFault;
    char buffer[kStep];
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{buffer, sizeof buffer, 0};
    const std::size_t left = ZSTD_decompressStream(stream_.get(), &output, &input);
    if (ZSTD_isError(left) != 0) return Step::kFault;
    in.remove_prefix(input.pos);
    out.append(buffer, output.pos);
    return left == 0 ? Step::kEnd : Step::kMore;
  }

 private:
  struct Deleter {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Deleter> stream_;
};

template <class Decoder>
Decoded run(Decoder& decoder, std::string_view in, std::size_t limit) {
  Decoded decoded;
  Step last = Step::kMore;
  for (bool moved = true; moved;) {
    const std::size_t before_in = in.size();
    const std::size_t before_out = decoded.body.size();
    last = decoder.step(in, decoded.body);
    if (last == Step::kFault) return {{}, DecodeFault::kDamaged};
    if (decoded.body.size() > limit) return {{}, DecodeFault::kTooLarge};
    if (last == Step::kEnd && in.empty()) return decoded;
    moved = in.size() < before_in || decoded.body.size() > before_out;
  }
  return {{}, DecodeFault::kCut};
}

// "deflate" is the zlib format; some clients send its inside only. A zlib header is a multiple of
// 31 and names method 8.
bool has_zlib_header(std::string_view body) {
  if (body.size() < 2) return false;
  const auto first = static_cast<unsigned char>(body[0]);
  const auto second = static_cast<unsigned char>(body[1]);
  return (first & 0x0FU) == 8 && (first * 256U + second) % 31 == 0;
}

}  // namespace

std::optional<Encoding> parse_encoding(std::string_view content_encoding) {
  const std::string name = lower_case(trimmed(content_encoding));
  if (name.empty() || name == "identity") return Encoding::kIdentity;
  if (name == "gzip" || name == "x-gzip") return Encoding::kGzip;
  if (name == "deflate") return Encoding::kDeflate;
  if (name == "zstd") return Encoding::kZstd;
  return std::nullopt;
}

Decoded decode(Encoding encoding, std::string body, std::size_t limit) {
  if (encoding == Encoding::kIdentity) {
    if (body.size() > limit) return {{}, DecodeFault::kTooLarge};
    return {std::move(body), DecodeFault::kNone};
  }
  if (body.empty()) return {{}, DecodeFault::kCut};
  if (encoding == Encoding::kZstd) {
    ZstdDecoder decoder;
    return run(decoder, body, limit);
  }
  constexpr int kGzipOnly = MAX_WBITS + 16;
  constexpr int kRaw = -MAX_WBITS;
  int window_bits = kGzipOnly;
  if (encoding == Encoding::kDeflate) window_bits = has_zlib_header(body) ? MAX_WBITS : kRaw;
  Inflater decoder(window_bits);
  return run(decoder, body, limit);
}

}  // namespace logit::serve
