// JSON text to Content: what is JSON, and where it stops being it. Cases C14, C17, C19, C20.
#include "wire/json_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "wire/bodies.h"

namespace logit::wire {
namespace {

struct Refusal {
  std::string_view json;
  std::string fault;  // type and place
  std::string byte;
};

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void expect_refused(const Refusal& refusal) {
  const auto content = read_json(refusal.json);
  ASSERT_FALSE(content) << refusal.json;
  EXPECT_EQ(test::described(content.error()), std::vector{refusal.fault}) << refusal.json;
  EXPECT_TRUE(content.error().message.ends_with(", byte " + refusal.byte))
      << content.error().message << "\n"
      << refusal.json;
  EXPECT_TRUE(is_ascii(content.error().message)) << content.error().message;
}

TEST(ReadJson, NumbersKeepTheirSpelling) {
  for (const char* number :
       {"0", "-0", "1.0", "1e2", "1E+2", "-1.5e-7", "12345678901234567890", "-9223372036854775808",
        "18446744073709551616", "123456789012345678901234567890", "0.1000000000000000055511",
        "1e-999", "-0.0", "9007199254740993", "1e308"}) {
    for (const std::string& around : {std::string("@"), std::string("[@]"), std::string("[1,@ ,2]"),
                                      std::string("{\"k\":@}"), std::string(" \n@\t")}) {
      std::string json = around;
      json.replace(json.find('@'), 1, number);
      const auto content = read_json(json);
      ASSERT_TRUE(content) << json;
      EXPECT_NE(compact_json(*content).find(number), std::string::npos) << json;
    }
    const auto alone = read_json(number);
    ASSERT_TRUE(alone);
    EXPECT_EQ(*alone, Content(Content::Number{number}));
  }
}

TEST(ReadJson, ByteOrderMarkIsAcceptedOnlyInFront) {
  const auto content = read_json("\xef\xbb\xbf[1]");
  ASSERT_TRUE(content);
  EXPECT_EQ(compact_json(*content), "[1]");
  EXPECT_FALSE(read_json("[1]\xef\xbb\xbf"));
  EXPECT_FALSE(read_json("\xef\xbb[1]"));
}

TEST(ReadJson, RepeatedKeysAreAllKept) {
  const auto content = read_json(R"({"k":1,"k":2})");
  ASSERT_TRUE(content);
  EXPECT_EQ(std::get<Content::Object>(content->value).size(), 2u);
}

TEST(ReadJson, NumbersThatJsonDoesNotHaveAreRefused) {
  const Refusal refusals[] = {
      {R"({"t":NaN})", "invalid_json at t", "5"},
      {R"({"t":Infinity})", "invalid_json at t", "5"},
      {R"({"t":-Infinity})", "invalid_json at t", "6"},
      {R"({"t":1e999})", "number_out_of_range at t", "9"},
      {R"([0,[-1e999]])", "number_out_of_range at [1][0]", "9"},
      {"01", "invalid_json at ", "1"},
      {"+1", "invalid_json at ", "0"},
      {".5", "invalid_json at ", "0"},
      {"[1.]", "invalid_json at [0]", "3"},
      {"[1-2]", "invalid_json at [1]", "3"},
  };
  for (const Refusal& refusal : refusals) expect_refused(refusal);
}

TEST(ReadJson, TextThatIsNotUtf8IsRefusedWithItsByte) {
  const Refusal refusals[] = {
      {"{\"state\":\"\xff\xfe\"}", "invalid_utf8 at state", "10"},
      {"[\"ok\",\"\xc0\xaf\"]", "invalid_utf8 at [1]", "7"},
      {"\"\xed\xa0\x80\"", "invalid_utf8 at ", "2"},
      {"\"\xf5\x80\x80\x80\"", "invalid_utf8 at ", "1"},
      {"\"\xe2\x82\"", "invalid_utf8 at ", "3"},
      {"{\"q\":{\"\xb2\xe2\":1}}", "invalid_utf8 at q", "7"},
      {"\xff", "invalid_json at ", "0"},
  };
  for (const Refusal& refusal : refusals) expect_refused(refusal);
}

TEST(ReadJson, LoneSurrogatesAreRefusedAndPairsAreNot) {
  expect_refused({R"(["\ud800"])", "invalid_json at [0]", "8"});
  expect_refused({R"(["\udc00"])", "invalid_json at [0]", "7"});
  expect_refused({R"(["\ud800\u0041"])", "invalid_json at [0]", "13"});
  const auto pair = read_json(R"("\ud83d\ude42")");
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair, Content("\xf0\x9f\x99\x82"));
}

TEST(ReadJson, WhatIsNotOneValueIsRefused) {
  const Refusal refusals[] = {
      {"", "invalid_json at ", "0"},
      {" ", "invalid_json at ", "1"},
      {"{} {}", "invalid_json at ", "3"},
      {"[1,]", "invalid_json at [1]", "3"},
      {"{\"a\":1,}", "invalid_json at a", "7"},
      {"{'a':1}", "invalid_json at ", "1"},
      {"[1 // no\n]", "invalid_json at [1]", "3"},
      {"{\"a\":", "invalid_json at a", "5"},
      {"\"a\nb\"", "invalid_json at ", "2"},
      {std::string_view("{}\0x", 4), "invalid_json at ", "2"},
      {std::string_view("[\"\0\"]", 5), "invalid_json at ", "2"},
  };
  for (const Refusal& refusal : refusals) expect_refused(refusal);
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(ReadJson, DepthIsLimitedWhileParsing) {
  EXPECT_TRUE(read_json(nested(kMaxDepth)));
  const auto deeper = read_json(nested(kMaxDepth + 1));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().faults.front().type, "too_deep");
  EXPECT_TRUE(deeper.error().message.ends_with("byte 64"));
  // Were the whole parsed first, a million levels would take the stack down with them.
  EXPECT_FALSE(read_json(nested(1'000'000)));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"k\":";
  EXPECT_FALSE(read_json(objects));
}

}  // namespace
}  // namespace logit::wire
