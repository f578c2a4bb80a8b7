#include "serve/service.h"

#include <gtest/gtest.h>

#include "logit/wire.h"
#include "serve/support.h"

namespace logit::serve {
namespace {

TEST_F(ServiceTest, ARequestIsAnswered) {
  const Response response = post(kAsk);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(header_of(response, "Content-Type"), "application/json");
  EXPECT_TRUE(response.body.starts_with(R"({"model":"scripted","answers":{"q":{"type":"noul",)"));
}

TEST_F(ServiceTest, EveryRouteAnswersItsMethodAndNamesItToOthers) {
  const struct {
    const char* path;
    const char* right;
    const char* wrong;
    const char* allow;
  } cases[] = {{"/", "GET", "POST", "GET, HEAD, OPTIONS"},
               {"/healthz", "GET", "PUT", "GET, HEAD, OPTIONS"},
               {"/readyz", "HEAD", "DELETE", "GET, HEAD, OPTIONS"},
               {"/metrics", "GET", "POST", "GET, HEAD, OPTIONS"},
               {"/v1/models", "HEAD", "POST", "GET, HEAD, OPTIONS"},
               {"/v1/systemone", "POST", "GET", "POST, OPTIONS"},
               {"/v1/decisions", "POST", "HEAD", "POST, OPTIONS"}};
  for (const auto& one : cases) {
    EXPECT_EQ(ask(head_of(one.right, one.path), kAsk).status, 200) << one.path;
    const Response refused = ask(head_of(one.wrong, one.path));
    EXPECT_EQ(refused.status, 405) << one.path;
    EXPECT_EQ(header_of(refused, "Allow"), one.allow);
    EXPECT_TRUE(has(refused.body, "method_not_allowed"));
    const Response options = ask(head_of("OPTIONS", one.path));
    EXPECT_EQ(options.status, 204);
    EXPECT_EQ(header_of(options, "Allow"), one.allow);
  }
  EXPECT_EQ(ask(head_of("POST", "/v1/systemone/"), kAsk).status, 200);
  EXPECT_EQ(ask(head_of("OPTIONS", "*")).status, 204);
  EXPECT_EQ(ask(head_of("GET", "/v2/models")).status, 404);
  EXPECT_TRUE(
      has(ask(head_of("GET", "/etc/passwd")).body, R"({"detail":{"error_type":"not_found")"));
}

TEST_F(ServiceTest, ThePageRunsUnderAPolicyThatNamesItsHashes) {
  const Response page = ask(head_of("GET", "/"));
  EXPECT_TRUE(has(page.body, "<!DOCTYPE html>"));
  const std::string policy = header_of(page, "Content-Security-Policy");
  EXPECT_TRUE(has(policy, "default-src 'none'; style-src 'sha256-")) << policy;
  EXPECT_TRUE(has(policy, "script-src 'sha256-")) << policy;
  EXPECT_FALSE(has(policy, "unsafe")) << policy;
}

TEST_F(ServiceTest, ModelsAreTheOwnIdAndTheAliases) {
  const std::string body = ask(head_of("GET", "/v1/models")).body;
  EXPECT_TRUE(body.starts_with(R"({"models":[{"name":"scripted","description":")")) << body;
  EXPECT_TRUE(has(body, R"("object":"list","data":[{"id":"scripted","object":"model")")) << body;
  for (const std::string& alias : model_aliases()) EXPECT_TRUE(has(body, '"' + alias + '"'));
}

TEST_F(ServiceTest, AnyModelNameIsAnsweredUnlessStrict) {  // case C02
  const auto body = [](const std::string& name) {
    return R"({"state":"hi","model":")" + name +
           R"(","questions":{"q":{"type":"noul","instructions":"?"}}})";
  };
  for (const char* name : {"jev-latest", "jev-preview", "jev-1.13.0", "typesafe/jev-latest",
                           "~typesafe/jev-latest", "no-such-model", ""}) {
    const Response response = post(body(name));
    EXPECT_EQ(response.status, 200) << name;
    EXPECT_TRUE(response.body.starts_with(R"({"model":"scripted",)")) << response.body;
  }
  options_.model_names = ModelNames::kKnown;
  for (const char* name : {"jev-preview", "logit-latest", "scripted", ""}) {
    EXPECT_EQ(post(body(name)).status, 200) << name;
  }
  const Response refused = post(body("no-such-model"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_TRUE(has(refused.body, "api_usage_error")) << refused.body;
}

TEST_F(ServiceTest, FaultsOfTheBodyAreA422WithAList) {
  for (const char* body : {"", "{}", "[]", "{\"state\":", R"({"state":"x","questions":{}})",
                           "{\"state\":\"\xff\",\"questions\":{}}", R"({"state":NaN})"}) {
    const Response response = post(body);
    EXPECT_EQ(response.status, 422) << body;
    EXPECT_TRUE(response.body.starts_with(R"({"detail":[{"type":)")) << response.body;
  }
}

TEST_F(ServiceTest, ATooLongRequestIsA413) {
  const Response response = post(R"({"state":")" + std::string(9000, 'x') +
                                 R"(","questions":{"q":{"type":"noul","instructions":"?"}}})");
  EXPECT_EQ(response.status, 413);
  EXPECT_TRUE(has(response.body, "max_tokens_exceeded")) << response.body;
}

TEST_F(ServiceTest, FailuresOfTheModelAreA500WithAMessage) {  // case C61
  const Work work{*parse_request(kAsk), std::nullopt, {}};
  const Response response =
      finish_work(work, Error{ErrorCode::kModelRun, "the model returned NaN", "", {}});
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body,
            R"({"detail":{"error_type":"internal_error","message":"the model returned NaN"}})");
}

TEST_F(ServiceTest, ABusyModelIsA503WithRetryAfter) {
  const Work work{*parse_request(kAsk), std::nullopt, {}};
  for (const ErrorCode code : {ErrorCode::kBusy, ErrorCode::kCancelled}) {
    const Response response = finish_work(work, Error{code, "busy", "", {}});
    EXPECT_EQ(response.status, 503);
    EXPECT_EQ(header_of(response, "Retry-After"), "1");
    EXPECT_TRUE(has(response.body, "overloaded"));
  }
}

TEST_F(ServiceTest, WhileLoadingOnlyTheAliveCheckSaysYes) {  // case C34
  status_ = {};
  EXPECT_EQ(ask(head_of("GET", "/healthz")).body, R"({"status":"loading","ready":false})");
  EXPECT_EQ(ask(head_of("GET", "/healthz")).status, 200);
  for (const Head& head : {head_of("GET", "/readyz"), head_of("GET", "/v1/models"),
                           head_of("POST", "/v1/systemone"), head_of("POST", "/v1/decisions")}) {
    const Response response = ask(head, kAsk);
    EXPECT_EQ(response.status, 503) << head.target;
    EXPECT_EQ(header_of(response, "Retry-After"), "1");
    EXPECT_TRUE(has(response.body, "loading"));
  }
}

TEST_F(ServiceTest, HealthTellsOfTheModel) {
  const std::string body = ask(head_of("GET", "/healthz")).body;
  for (const char* part : {R"("status":"ready","ready":true,"model":"scripted")",
                           R"("threads":1,"context":8192)", R"("warnings":[])"}) {
    EXPECT_TRUE(has(body, part)) << body;
  }
}

TEST_F(ServiceTest, WhatTheStartWarnedOfIsInHealthAndReadiness) {
  status_.open_warnings = {"p.json cannot be written"};
  for (const char* path : {"/healthz", "/readyz"}) {
    const Response response = ask(head_of("GET", path));
    EXPECT_EQ(response.status, 200);
    EXPECT_TRUE(
        has(response.body, R"("warnings":["when the model was opened: p.json cannot be written"])"))
        << response.body;
  }
}

TEST_F(ServiceTest, AFailedReloadIsAWarningUntilOneSucceeds) {
  status_.reload_fault = "no such file";
  EXPECT_TRUE(has(ask(head_of("GET", "/healthz")).body,
                  R"("warnings":["the last reload failed and changed nothing: no such file"])"));
}

TEST_F(ServiceTest, WithoutKeysEveryAuthorizationIsIgnored) {  // case C35
  for (const char* value : {"Bearer anything", "bearer KEY", "Basic S0VZ", ""}) {
    EXPECT_EQ(post(kAsk, {{"Authorization", value}}).status, 200) << value;
  }
}

TEST_F(ServiceTest, KeysAreAskedForBeforeTheBody) {  // case C35
  options_.access.keys = {"KEY"};
  for (const char* open : {"/", "/healthz", "/readyz"}) {
    EXPECT_FALSE(check_head(options_, head_of("GET", open))) << open;
  }
  for (const char* closed : {"/metrics", "/v1/models", "/anything"}) {
    EXPECT_EQ(check_head(options_, head_of("GET", closed))->status, 401) << closed;
  }
  EXPECT_EQ(post(kAsk, {{"authorization", "bearer KEY"}}).status, 200);
  for (const char* value : {"Bearer WRONG", "Basic S0VZ", "Bearer", ""}) {
    const Head head = head_of("POST", "/v1/systemone", {{"Authorization", value}});
    const std::optional<Response> refused = check_head(options_, head);
    ASSERT_TRUE(refused) << value;
    EXPECT_EQ(refused->status, 401);
    EXPECT_TRUE(has(refused->body, R"({"detail":{"error_type":"authentication_error","message":)"));
  }
}

TEST_F(ServiceTest, HostsAreCheckedBeforeEverythingElse) {  // case C32
  Head head = head_of("GET", "/v1/models");
  head.headers = {{"Host", "evil.example"}};
  EXPECT_EQ(ask(head).status, 403);
  head.headers = {};
  EXPECT_EQ(ask(head).status, 400);
  head.headers = {{"Host", "localhost"}, {"Host", "localhost"}};
  EXPECT_EQ(ask(head).status, 400);
  head.headers = {};
  head.version = 10;
  EXPECT_EQ(ask(head).status, 200);
  EXPECT_EQ(ask(head_of("GET", "http://evil.example/v1/models")).status, 403);
}

TEST_F(ServiceTest, OtherPagesMayCallFromTheListOnly) {
  const Header foreign{"Origin", "https://app.example"};
  EXPECT_EQ(post(kAsk, {foreign}).status, 403);
  EXPECT_EQ(ask(head_of("OPTIONS", "/v1/systemone", {foreign})).status, 403);
  options_.access.origins = {"https://app.example"};
  EXPECT_EQ(post(kAsk, {foreign}).status, 200);
  const Response preflight = ask(head_of(
      "OPTIONS", "/v1/systemone", {foreign, {"Access-Control-Request-Headers", "content-type"}}));
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(header_of(preflight, "Access-Control-Allow-Methods"), "POST, OPTIONS");
  EXPECT_EQ(header_of(preflight, "Access-Control-Allow-Headers"), "content-type");
  Response response;
  add_common_headers(options_, head_of("GET", "/", {foreign}), "req_1", response);
  EXPECT_EQ(header_of(response, "Access-Control-Allow-Origin"), "https://app.example");
  EXPECT_EQ(header_of(response, "Vary"), "Origin");
  EXPECT_EQ(header_of(response, "x-typesafe-request-id"), "req_1");
}

TEST_F(ServiceTest, ContentTypesOfCarelessClientsAreRead) {
  for (const char* type : {"application/json; charset=utf-8", "text/plain",
                           "application/problem+json", "application/x-www-form-urlencoded", ""}) {
    EXPECT_EQ(post(kAsk, {{"Content-Type", type}}).status, 200) << type;
  }
  for (const char* type : {"application/xml", "image/png", "text/html", "\xff"}) {
    EXPECT_EQ(post(kAsk, {{"Content-Type", type}}).status, 415) << type;
  }
}

TEST_F(ServiceTest, MultipartIsRefusedBecauseOfItsPictures) {
  const Response response = post(kAsk, {{"Content-Type", "multipart/form-data; boundary=x"}});
  EXPECT_EQ(response.status, 415);
  EXPECT_TRUE(has(response.body, "pictures are not supported by this version")) << response.body;
}

TEST_F(ServiceTest, EncodingsAreCheckedByHeadAndBody) {  // case C28
  EXPECT_EQ(post(kAsk, {{"Content-Encoding", "br"}}).status, 415);
  EXPECT_EQ(post(kAsk, {{"Content-Encoding", "gzip"}}).status, 400);
  EXPECT_EQ(post(kAsk, {{"Content-Encoding", "identity"}}).status, 200);
  options_.max_body = 10;
  EXPECT_EQ(post(kAsk).status, 413);
}

TEST_F(ServiceTest, DiagnosticsOnRequestOnly) {
  EXPECT_FALSE(has(post(kAsk).body, "x_diagnostics"));
  EXPECT_TRUE(
      has(ask(head_of("POST", "/v1/systemone?diagnostics=1"), kAsk).body, R"("x_diagnostics":{)"));
}

TEST_F(ServiceTest, DecisionsSpeaksBothDialects) {
  const Head head = head_of("POST", "/v1/decisions");
  EXPECT_EQ(ask(head, kAsk).body, post(kAsk).body);
  const Response array = ask(
      head, R"({"input":"x","questions":[{"type":"predicate","name":"n","instructions":"?"}]})");
  EXPECT_EQ(array.status, 200);
  EXPECT_TRUE(has(array.body, R"("answers":[{"name":"n","probability":)")) << array.body;
  EXPECT_EQ(ask(head, R"({"input":"x","questions":[]})").status, 422);
}

}  // namespace
}  // namespace logit::serve
