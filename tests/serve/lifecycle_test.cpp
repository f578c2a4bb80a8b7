// How the server starts, reads again and stops.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <semaphore>

#include "serve/client.h"

namespace logit::serve {
namespace {

// SIGHUP with something to read again.
class ReloadTest : public ::testing::Test {
 protected:
  static ServerOptions handled_signals() {
    ServerOptions options = quick_options();
    options.signals = Signals::kHandled;
    return options;
  }

  Result<Status> reload() {
    if (++n_reloads_ == 1) return Error{ErrorCode::kFile, "the file is damaged", "c.json", {}};
    Status status = ready_status(*scripted_classifier());
    status.model.id = "reloaded";
    return status;
  }

  // Of /healthz, as soon as it has the part.
  std::string health_with(std::string_view part) {
    Client client(server_.port());
    std::string body;
    for (int i = 0; i < 5000 && !has(body, part); ++i) body = client.ask(kGetHealth).body;
    return body;
  }

  std::atomic<int> n_reloads_ = 0;
  std::atomic<int> n_told_ = 0;
  TestServer server_{handled_signals(), TestServer::open_scripted, [this](ServerHooks& hooks) {
                       hooks.reload = [this] { return reload(); };
                       hooks.on_reloaded = [this](const Result<Done>& reloaded) {
                         if (reloaded.operator bool() == (n_reloads_ > 1)) ++n_told_;
                       };
                     }};
};

TEST_F(ReloadTest, AHangUpReadsAgainAndAFailureIsShownUntilTheNextSuccess) {
  kill(getpid(), SIGHUP);
  const std::string failed = health_with("the file is damaged");
  EXPECT_TRUE(has(failed, R"("status":"ready","ready":true,"model":"scripted")")) << failed;
  EXPECT_TRUE(has(failed, "the last reload failed and changed nothing: c.json: the file"))
      << failed;
  EXPECT_EQ(Client(server_.port()).ask(post_text(kAsk)).status, 200);
  kill(getpid(), SIGHUP);
  const std::string reloaded = health_with("reloaded");
  EXPECT_TRUE(has(reloaded, R"("model":"reloaded")")) << reloaded;
  EXPECT_TRUE(has(reloaded, R"("warnings":[])")) << reloaded;
  EXPECT_EQ(n_told_, 2);
  kill(getpid(), SIGTERM);
  EXPECT_TRUE(server_.join());
}

TEST(Signals, WithNothingToReadAgainAHangUpStopsTheServer) {
  ServerOptions options = quick_options();
  options.signals = Signals::kHandled;
  TestServer server(options);
  kill(getpid(), SIGHUP);
  EXPECT_TRUE(server.join());
}

TEST(HttpStart, AnEarlyServerSaysThatItLoads) {  // case C34
  ServerOptions options = quick_options();
  options.listen_from = ListenFrom::kStart;
  std::counting_semaphore<1> go{0};
  TestServer server(options, [&go](std::stop_token stop) {
    go.acquire();
    return TestServer::open_scripted(stop);
  });
  Client client(server.port());
  const Received loading = client.ask(post_text(kAsk));
  EXPECT_EQ(loading.status, 503);
  EXPECT_TRUE(has(loading.head, "Retry-After: 1"));
  EXPECT_TRUE(has(loading.body, "\"loading\""));
  EXPECT_EQ(client.ask("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 503);
  go.release();
  int status = 503;
  while (status == 503) status = client.ask(post_text(kAsk)).status;
  EXPECT_EQ(status, 200);
}

TEST(HttpStart, AFailedLoadEndsTheServerWithItsError) {
  ServerOptions options = quick_options();
  options.listen_from = ListenFrom::kStart;
  TestServer server(options, [](std::stop_token) -> Result<OpenedModel> {
    return Error{ErrorCode::kModelLoad, "no such file", "", {}};
  });
  const Result<Done> result = server.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kModelLoad);
}

TEST(HttpStart, ATakenPortIsToldBeforeTheModelIsLoaded) {
  TestServer first(quick_options());
  ServerOptions options = quick_options();
  options.endpoints.port = first.port();
  bool is_opened = false;
  const Result<Done> second = run_server(options, {[&](std::stop_token stop) {
                                                     is_opened = true;
                                                     return TestServer::open_scripted(stop);
                                                   },
                                                   {},
                                                   {}});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConfig);
  EXPECT_FALSE(is_opened);
}

TEST(HttpStart, AUnixSocketIsOpenedReplacedAndRemoved) {
  ServerOptions options = quick_options();
  options.endpoints.unix_socket = ::testing::TempDir() + "s" + std::to_string(getpid());
  std::ignore = std::remove(options.endpoints.unix_socket.c_str());
  for (int round = 0; round < 2; ++round) {
    TestServer server(options);
    EXPECT_TRUE(std::filesystem::is_socket(options.endpoints.unix_socket));
    server.request_stop();
    EXPECT_TRUE(server.join());
    EXPECT_FALSE(std::filesystem::exists(options.endpoints.unix_socket));
  }
}

}  // namespace
}  // namespace logit::serve
