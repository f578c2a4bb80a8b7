#include "serve/encoding.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

namespace logit::serve {
namespace {

constexpr std::size_t kLimit = 1 << 20;
constexpr int kGzip = 16 + MAX_WBITS;

std::string deflated(const std::string& text, int window_bits) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string packed(Encoding encoding, const std::string& text) {
  if (encoding == Encoding::kZstd) return zstd(text);
  return deflated(text, encoding == Encoding::kGzip ? kGzip : MAX_WBITS);
}

std::string sample() {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += std::to_string(i * 7919);
  return text;
}

constexpr Encoding kPacked[] = {Encoding::kGzip, Encoding::kDeflate, Encoding::kZstd};

TEST(Decode, GivesBackWhatWasPacked) {
  for (const Encoding encoding : kPacked) {
    for (const std::string& text : {std::string(), std::string("{}"), sample()}) {
      const Decoded decoded = decode(encoding, packed(encoding, text), kLimit);
      EXPECT_EQ(decoded.fault, DecodeFault::kNone);
      EXPECT_EQ(decoded.body, text);
    }
  }
  EXPECT_EQ(decode(Encoding::kDeflate, deflated("{}", -MAX_WBITS), kLimit).body, "{}");
  EXPECT_EQ(decode(Encoding::kIdentity, "{}", kLimit).body, "{}");
}

TEST(Decode, SeveralMembersAreOneBody) {
  EXPECT_EQ(
      decode(Encoding::kGzip, deflated("{\"a\"", kGzip) + deflated(":1}", kGzip), kLimit).body,
      "{\"a\":1}");
  EXPECT_EQ(decode(Encoding::kZstd, zstd("{\"a\"") + zstd(":1}"), kLimit).body, "{\"a\":1}");
}

TEST(Decode, StopsAtTheLimit) {  // case C28
  const std::string zeros(std::size_t{64} << 20, '\0');
  for (const Encoding encoding : kPacked) {
    EXPECT_EQ(decode(encoding, packed(encoding, zeros), kLimit).fault, DecodeFault::kTooLarge);
  }
  EXPECT_EQ(decode(Encoding::kIdentity, "12345", 4).fault, DecodeFault::kTooLarge);
  EXPECT_EQ(decode(Encoding::kIdentity, "1234", 4).fault, DecodeFault::kNone);
  EXPECT_EQ(decode(Encoding::kGzip, deflated("1234", kGzip), 4).fault, DecodeFault::kNone);
}

TEST(Decode, ACutBodyIsNotABody) {  // case C28
  for (const Encoding encoding : kPacked) {
    const std::string whole = packed(encoding, sample());
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 1}) {
      EXPECT_EQ(decode(encoding, whole.substr(0, n), kLimit).fault, DecodeFault::kCut) << n;
    }
  }
}

TEST(Decode, DamageIsFound) {
  for (const Encoding encoding : kPacked) {
    EXPECT_NE(decode(encoding, "{\"state\":\"not packed at all\"}", kLimit).fault,
              DecodeFault::kNone);
  }
  EXPECT_EQ(decode(Encoding::kGzip, deflated("{}", kGzip) + "junk", kLimit).fault,
            DecodeFault::kDamaged);
}

TEST(ParseEncoding, KnowsWhatIsSupported) {
  EXPECT_EQ(parse_encoding(""), Encoding::kIdentity);
  EXPECT_EQ(parse_encoding("identity"), Encoding::kIdentity);
  EXPECT_EQ(parse_encoding(" GZIP "), Encoding::kGzip);
  EXPECT_EQ(parse_encoding("x-gzip"), Encoding::kGzip);
  EXPECT_EQ(parse_encoding("deflate"), Encoding::kDeflate);
  EXPECT_EQ(parse_encoding("zstd"), Encoding::kZstd);
  for (const char* other : {"br", "gzip, zstd", "compress", "*"}) {
    EXPECT_FALSE(parse_encoding(other)) << other;
  }
}

}  // namespace
}  // namespace logit::serve
