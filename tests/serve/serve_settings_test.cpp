#include "serve_settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>

namespace logit::cli {
namespace {

Environment environment(std::map<std::string, std::string, std::less<>> values = {}) {
  return [values = std::move(values)](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(ServeSettings, Defaults) {
  const Result<serve::ServerOptions> options = resolve_serve_settings({}, environment());
  ASSERT_TRUE(options);
  EXPECT_EQ(options->endpoints.host, "127.0.0.1");
  EXPECT_EQ(options->endpoints.port, 8077);
  EXPECT_EQ(options->queue, 64U);
  EXPECT_EQ(options->service.max_body, std::size_t{32} << 20);
  EXPECT_EQ(options->most_body_bytes, std::size_t{256} << 20);
  EXPECT_TRUE(options->service.access.keys.empty());
  EXPECT_EQ(options->listen_from, serve::ListenFrom::kReady);
  EXPECT_EQ(options->log_requests, serve::LogRequests::kOn);
}

TEST(ServeSettings, AFlagBeatsItsVariable) {
  const Environment variables = environment({{"LOGIT_PORT", "1"},
                                             {"LOGIT_QUEUE", "5"},
                                             {"LOGIT_MAX_BODY", "4KiB"},
                                             {"LOGIT_API_KEY", "a,b"},
                                             {"LOGIT_STRICT_MODEL", "1"}});
  const Result<serve::ServerOptions> options =
      resolve_serve_settings({{"port", "2"}, {"listen-early", "1"}}, variables);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->endpoints.port, 2);
  EXPECT_EQ(options->queue, 5U);
  EXPECT_EQ(options->service.max_body, 4096U);
  EXPECT_EQ(options->service.access.keys, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options->service.model_names, serve::ModelNames::kKnown);
  EXPECT_EQ(options->listen_from, serve::ListenFrom::kStart);
}

TEST(ServeSettings, WhatIsOutOfRangeIsRefusedByName) {
  const std::pair<const char*, const char*> wrong[] = {
      {"port", "65536"},        {"port", "x"},
      {"queue", "0"},           {"max-body", "1MB"},
      {"max-body", "0"},        {"strict-model", "yes"},
      {"max-bodies", "1MB"},    {"max-bodies", "31MiB"},
      {"log-requests", ""},     {"host", ""},
      {"api-key", ""},          {"api-key", " , "},
      {"api-key", "two words"}, {"allow-origin", "app.example"},
      {"unix-socket", ""}};
  for (const auto& [name, value] : wrong) {
    const Result<serve::ServerOptions> options =
        resolve_serve_settings({{name, value}}, environment());
    ASSERT_FALSE(options) << name << " " << value;
    EXPECT_EQ(options.error().code, ErrorCode::kConfig);
    EXPECT_EQ(options.error().where, std::string("--") + name);
  }
}

TEST(ServeSettings, AWrongKeyIsNotShown) {
  const Result<serve::ServerOptions> options =
      resolve_serve_settings({{"api-key", "my secret"}}, environment());
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().message.find("secret"), std::string::npos);
}

TEST(ServeSettings, KeysMayStandInAFile) {
  const std::string path = ::testing::TempDir() + "keys-" + std::to_string(getpid());
  std::ofstream(path) << "first\r\n\nsecond\n";
  const Result<serve::ServerOptions> options =
      resolve_serve_settings({{"api-key", "@" + path}}, environment());
  ASSERT_TRUE(options);
  EXPECT_EQ(options->service.access.keys, (std::vector<std::string>{"first", "second"}));
  std::remove(path.c_str());
  EXPECT_EQ(resolve_serve_settings({{"api-key", "@" + path}}, environment()).error().code,
            ErrorCode::kFile);
}

TEST(ServeSettings, OriginsLoseTheirTrailingSlash) {
  const Result<serve::ServerOptions> options = resolve_serve_settings(
      {{"allow-origin", "https://a.example/, http://b.example:8"}}, environment());
  ASSERT_TRUE(options);
  EXPECT_EQ(options->service.access.origins,
            (std::vector<std::string>{"https://a.example", "http://b.example:8"}));
}

}  // namespace
}  // namespace logit::cli
