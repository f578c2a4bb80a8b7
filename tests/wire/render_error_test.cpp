// The bodies of errors: JSON and ASCII, whatever the message holds. Case C19.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "logit/wire.h"
#include "wire/bodies.h"

namespace logit {
namespace {

using nlohmann::json;

std::string body_of(std::string_view request) {
  const auto parsed = parse_request(request);
  return parsed ? "" : render_error(parsed.error());
}

TEST(RenderError, SchemaFaultsAreAListWithPlacesBelowTheBody) {
  EXPECT_EQ(body_of(test::with_question(R"({"type":"score","criteria":["a",null]})")),
            R"({"detail":[{"type":"wrong_type","loc":["body","questions","q","criteria",1],)"
            R"("msg":"a level must be a string, an object or an array"}]})");
  EXPECT_EQ(body_of("{}"),
            R"({"detail":[{"type":"missing","loc":["body","state"],"msg":"state is missing"},)"
            R"({"type":"missing","loc":["body","questions"],"msg":"questions is missing"}]})");
}

TEST(RenderError, AKeyWithADotIsOneStep) {
  const json body =
      json::parse(body_of(R"({"state":"x","questions":{"a.b":{"type":"choice","criteria":{}}}})"));
  EXPECT_EQ(body["detail"][0]["loc"], (json{"body", "questions", "a.b", "criteria"}));
}

TEST(RenderError, OtherErrorsHaveATypeAndAMessage) {
  const struct {
    ErrorCode code;
    const char* type;
  } cases[] = {
      {ErrorCode::kTooLong, "max_tokens_exceeded"}, {ErrorCode::kBusy, "overloaded"},
      {ErrorCode::kCancelled, "overloaded"},        {ErrorCode::kConfig, "api_usage_error"},
      {ErrorCode::kModelRun, "internal_error"},     {ErrorCode::kFile, "internal_error"}};
  for (const auto& each : cases) {
    Error error;
    error.code = each.code;
    error.message = "5 tokens, 4 available";
    EXPECT_EQ(render_error(error), R"({"detail":{"error_type":")" + std::string(each.type) +
                                       R"(","message":"5 tokens, 4 available"}})");
    error.where = "state";
    EXPECT_EQ(json::parse(render_error(error))["detail"]["message"],
              "state: 5 tokens, 4 available");
  }
}

TEST(RenderError, ASchemaErrorWithoutFaultsIsAListToo) {
  Error error;
  error.code = ErrorCode::kSchema;
  error.message = "no";
  EXPECT_EQ(render_error(error), R"({"detail":[{"type":"schema","loc":["body"],"msg":"no"}]})");
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

TEST(RenderError, BytesThatAreNotUtf8DoNotBreakIt) {
  const std::string bodies[] = {
      body_of("{\"state\":\"\xff\xfe\",\"questions\":{}}"),
      body_of("{\"state\":\"\xc0\xaf \xed\xa0\x80\",\"questions\":{\"\xb2\xe2\":1}}"),
      body_of("{\"state\":1,\"questions\":{\"\xf0\x9f\x99\x82\":{}}}"),
      render_error({ErrorCode::kFile, "cannot open \xff\x01.gguf", "\xb2\xe2", {}}),
  };
  for (const std::string& body : bodies) {
    EXPECT_TRUE(json::accept(body)) << body;
    EXPECT_TRUE(is_ascii(body)) << body;
  }
}

}  // namespace
}  // namespace logit
