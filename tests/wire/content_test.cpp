// Content as text: what a model reads and what replies echo.
#include "logit/content.h"

#include <gtest/gtest.h>

#include "logit/wire.h"

namespace logit {
namespace {

TEST(PromptText, AStringIsItself) { EXPECT_EQ(prompt_text(Content("a \"b\"\n")), "a \"b\"\n"); }

TEST(PromptText, NullIsEmptyAndScalarsAreJson) {
  EXPECT_EQ(prompt_text(Content()), "");
  EXPECT_EQ(prompt_text(Content(true)), "true");
  EXPECT_EQ(prompt_text(Content(Content::Number{"-0"})), "-0");
}

TEST(PromptText, StructureIsIndentedAndSortedByBytes) {
  const auto content = parse_content(
      R"({"b":[1,{"z":null,"a":[]},"x"],"a":{},"Z":false,"\u00e9":"\u20ac","01":1.50})");
  ASSERT_TRUE(content);
  EXPECT_EQ(prompt_text(*content),
            "{\n"
            "  \"01\": 1.50,\n"
            "  \"Z\": false,\n"
            "  \"a\": {},\n"
            "  \"b\": [\n"
            "    1,\n"
            "    {\n"
            "      \"a\": [],\n"
            "      \"z\": null\n"
            "    },\n"
            "    \"x\"\n"
            "  ],\n"
            "  \"\xc3\xa9\": \"\xe2\x82\xac\"\n"
            "}");
}

TEST(PromptText, DoesNotDependOnMemberOrder) {
  const auto one = parse_content(R"({"a":1,"b":{"c":2,"d":3}})");
  const auto other = parse_content(R"({"b":{"d":3,"c":2},"a":1})");
  ASSERT_TRUE(one && other);
  EXPECT_EQ(prompt_text(*one), prompt_text(*other));
}

TEST(CompactJson, KeepsOrderAndNumberSpelling) {
  for (const char* json :
       {R"({"b":-0,"a":1.0,"c":[1e2,12345678901234567890]})", "[]", "{}", "null",
        R"(["",{"":[[]]},true,false,null])", R"("\u0001\u001f\b\f\n\r\t\"\\/")"}) {
    const auto content = parse_content(json);
    ASSERT_TRUE(content) << json;
    EXPECT_EQ(compact_json(*content), json);
  }
}

TEST(AppendJsonString, EscapesOnlyWhatJsonDemands) {
  std::string out = "x";
  append_json_string(out, std::string_view("\0\x7f\"\\/\xf0\x9f\x99\x82", 9));
  EXPECT_EQ(out, "x\"\\u0000\x7f\\\"\\\\/\xf0\x9f\x99\x82\"");
}

}  // namespace
}  // namespace logit
