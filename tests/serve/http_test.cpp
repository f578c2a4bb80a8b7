#include <gtest/gtest.h>

#include <list>
#include <semaphore>

#include "serve/client.h"

namespace logit::serve {
namespace {

using std::chrono::milliseconds;

class HttpTest : public ::testing::Test {
 protected:
  TestServer server_{quick_options()};
};

TEST_F(HttpTest, ARequestIsAnsweredAndTheConnectionKept) {
  Client client(server_.port());
  const Received first = client.ask(post_text(kAsk));
  EXPECT_EQ(first.status, 200);
  EXPECT_TRUE(has(first.head, "x-typesafe-request-id: req_")) << first.head;
  EXPECT_TRUE(has(first.head, "Server-Timing: queue;dur=")) << first.head;
  const Received second = client.ask(post_text(kAsk));
  EXPECT_EQ(second.body, first.body);
}

TEST_F(HttpTest, EveryReplyHasItsOwnId) {
  Client client(server_.port());
  const auto id = [&](const std::string& text) {
    const std::string head = client.ask(text).head;
    return head.substr(head.find("req_"), 28);
  };
  EXPECT_NE(id(kGetHealth), id(kGetHealth));
  EXPECT_TRUE(has(client.ask("GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n").head, "req_"));
}

TEST_F(HttpTest, PipelinedRequestsAreAnsweredInOrder) {
  Client client(server_.port());
  client.send(post_text(kAsk) + kGetHealth + post_text("{}") + post_text(kAsk));
  EXPECT_EQ(client.read().status, 200);
  EXPECT_TRUE(has(client.read().body, "\"status\":\"ready\""));
  EXPECT_EQ(client.read().status, 422);
  EXPECT_EQ(client.read().status, 200);
}

TEST_F(HttpTest, AHeadOnlyRequestGetsTheLengthWithoutTheBody) {
  Client client(server_.port());
  client.send("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const Received head = client.read(false);
  EXPECT_EQ(head.status, 200);
  EXPECT_FALSE(has(head.head, "Content-Length: 0"));
  EXPECT_EQ(client.ask(kGetHealth).status, 200);
}

TEST_F(HttpTest, ChunkedBodiesAreRead) {  // case C25
  Client client(server_.port());
  std::string text =
      "POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char c : std::string(kAsk)) text += "1\r\n" + std::string(1, c) + "\r\n";
  EXPECT_EQ(client.ask(text + "0\r\n\r\n").status, 200);
  EXPECT_EQ(client.ask(kGetHealth).status, 200);
}

TEST_F(HttpTest, AChunkedBodyStopsAtTheLimit) {  // case C25
  Client client(server_.port());
  client.send(
      "POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "400\r\n" + std::string(1024, ' ') + "\r\n";
  for (int i = 0; i < 100; ++i) client.send(chunk);
  const Received received = client.read();
  EXPECT_EQ(received.status, 413);
  EXPECT_TRUE(has(received.body, "body_too_large"));
  EXPECT_TRUE(has(received.head, "Connection: close"));
}

TEST_F(HttpTest, ATooLargeLengthIsRefusedWithoutTheBody) {  // case C26
  Client client(server_.port());
  const Received received = client.ask(
      "POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000000000\r\n\r\n{");
  EXPECT_EQ(received.status, 413);
  EXPECT_TRUE(has(received.head, "x-typesafe-request-id")) << received.head;
}

TEST_F(HttpTest, HeadsThatMakeNoSenseAreA400) {  // cases C26, C32
  const std::string start = "POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\n";
  for (const std::string& head :
       {start + "Content-Length: -1\r\n\r\n", start + "Content-Length: x\r\n\r\n",
        start + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
        start + "Content-Length: 2, 3\r\n\r\n",
        start + "Content-Length: 99999999999999999999999\r\n\r\n",
        start + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n",
        start + "Host: localhost\r\n\r\n", std::string("GET / HTTP/1.1\r\n\r\n"),
        std::string("GET / HTTP/9.1\r\nHost: localhost\r\n\r\n"), std::string("nonsense\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n"),
        std::string("\x16\x03\x01\x02 tls hello \r\n\r\n")}) {
    Client client(server_.port());
    const Received received = client.ask(head);
    EXPECT_EQ(received.status, 400) << head;
    EXPECT_TRUE(has(received.body, R"({"detail":{"error_type":"api_usage_error")"))
        << received.body;
  }
}

TEST_F(HttpTest, ALargeHeadIsRefused) {
  Client client(server_.port());
  EXPECT_EQ(client.ask("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(70000, 'x')).status,
            431);
}

TEST_F(HttpTest, AClientThatAsksIsToldToGoOn) {
  Client client(server_.port());
  const std::string body = kAsk;
  client.send(
      "POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n");
  EXPECT_EQ(client.read(false).status, 100);
  EXPECT_EQ(client.ask(body).status, 200);
}

TEST_F(HttpTest, AClientThatAsksInVainSendsNoBody) {
  Client client(server_.port());
  EXPECT_EQ(client
                .ask("POST /none HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                     "Content-Length: 100\r\n\r\n")
                .status,
            404);
  EXPECT_TRUE(client.is_closed_by_server());
  Client other(server_.port());
  EXPECT_EQ(other
                .ask("POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n"
                     "Content-Length: 100\r\n\r\n")
                .status,
            417);
}

TEST_F(HttpTest, ARefusedShortBodyDoesNotEndTheConnection) {
  Client client(server_.port());
  EXPECT_EQ(
      client.ask("POST /none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n{}x").status,
      404);
  EXPECT_EQ(client.ask(kGetHealth).status, 200);
}

TEST_F(HttpTest, AConnectionEndsWhenTheClientSaysSo) {
  Client client(server_.port());
  EXPECT_EQ(
      client.ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").status,
      200);
  EXPECT_TRUE(client.is_closed_by_server());
  Client old(server_.port());
  EXPECT_EQ(old.ask("GET /healthz HTTP/1.0\r\n\r\n").status, 200);
  EXPECT_TRUE(old.is_closed_by_server());
}

TEST_F(HttpTest, MetricsCountWhatWasAnswered) {
  Client client(server_.port());
  client.ask(post_text(
      R"({"state":"x","questions":{"q":{"type":"choice","criteria":{"a":null,"b":null}}}})"));
  const std::string text = client.ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").body;
  EXPECT_TRUE(has(text, "logit_requests_total{route=\"/v1/systemone\",code=\"200\"} 1\n")) << text;
  EXPECT_TRUE(has(text, "logit_questions_total 1\n")) << text;
  EXPECT_TRUE(has(text, "logit_connections 1\n")) << text;
  EXPECT_TRUE(has(text, "logit_body_bytes 0\n")) << text;
  EXPECT_TRUE(has(text, "logit_baseline_cache_entries 1\n")) << text;
  EXPECT_TRUE(has(text, "logit_prefix_cache_entries 0\n")) << text;
  EXPECT_TRUE(has(text, "logit_prefix_cache_bytes 0\n")) << text;
}

TEST_F(HttpTest, ManyIdleAndSlowConnectionsHoldNobodyUp) {  // case C29
  std::list<Client> clients;
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(clients.emplace_back(server_.port()).ask(kGetHealth).status, 200);
  int n_slow = 0;
  for (Client& client : clients) {
    if (n_slow++ < 50) client.send("POST /v1/systemone HTTP/1.1\r\nHost: lo");
  }
  Client client(server_.port());
  EXPECT_EQ(client.ask(post_text(kAsk)).status, 200);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(client.ask(kGetHealth).status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST_F(HttpTest, AConnectionThatTheClientEndedIsForgotten) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Client(server_.port()).ask(kGetHealth).status, 200);
  Client client(server_.port());
  const std::string metrics = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  bool is_alone = false;
  for (int i = 0; i < 1000 && !is_alone; ++i) {
    is_alone = has(client.ask(metrics).body, "logit_connections 1\n");
  }
  EXPECT_TRUE(is_alone);
}

TEST_F(HttpTest, TheServerStopsWithIdleConnectionsOpen) {
  Client client(server_.port());
  client.ask(kGetHealth);
  server_.request_stop();
  EXPECT_TRUE(client.is_closed_by_server());
  EXPECT_TRUE(server_.join());
}

TEST(HttpBodies, TogetherTheyStayBelowTheirBound) {
  ServerOptions options = quick_options();
  options.service.max_body = options.most_body_bytes = 200'000;
  TestServer server(options);
  Client large(server.port()), refused(server.port()), small(server.port());
  const std::string chunk = "186a0\r\n" + std::string(100'000, ' ') + "\r\n";
  const std::string chunked =
      "POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  large.send(chunked + chunk);
  while (!has(small.ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").body,
              "logit_body_bytes 100000\n")) {
  }
  refused.send(chunked + chunk + "1\r\n \r\n");
  const Received busy = refused.read();
  EXPECT_EQ(busy.status, 503);
  EXPECT_TRUE(has(busy.head, "Retry-After: 1"));
  EXPECT_TRUE(has(busy.body, "overloaded")) << busy.body;
  large.send("0\r\n\r\n");
  EXPECT_EQ(large.read().status, 422);
  EXPECT_EQ(small.ask(post_text(kAsk)).status, 200);
}

TEST(HttpBodies, AnAnnouncedBodyKeepsNobodyOut) {
  ServerOptions options = quick_options();
  options.service.max_body = options.most_body_bytes = 200'000;
  TestServer server(options);
  Client promises(server.port()), small(server.port());
  promises.send(
      "POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n{");
  EXPECT_EQ(small.ask(post_text(kAsk)).status, 200);
}

TEST(HttpTimeouts, SlowHeadsAndBodiesAndIdleClientsAreDropped) {  // case C29
  ServerOptions options = quick_options();
  options.timeouts.header = options.timeouts.body = options.timeouts.idle = milliseconds(200);
  TestServer server(options);
  Client head(server.port()), body(server.port()), idle(server.port());
  head.send("POST /v1/systemone HTTP/1.1\r\nHost: lo");
  body.send("POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
  EXPECT_TRUE(head.is_closed_by_server());
  EXPECT_TRUE(body.is_closed_by_server());
  EXPECT_TRUE(idle.is_closed_by_server());
}

// A model that answers only when it is let, and tells when it is asked to stop.
struct SlowModel {
  std::counting_semaphore<1000> permits{0};
  std::counting_semaphore<1000> begun{0};
  std::counting_semaphore<1000> cancelled{0};

  Result<OpenedModel> open(std::stop_token) {
    const std::shared_ptr<Classifier> classifier = scripted_classifier();
    Engine engine = make_engine(classifier);
    engine.classify = [this, classifier](const Request& request, std::stop_token stop) {
      begun.release();
      while (!permits.try_acquire_for(milliseconds(1))) {
        if (!stop.stop_requested()) continue;
        cancelled.release();
        return Result<Reply>(Error{ErrorCode::kCancelled, "cancelled", "", {}});
      }
      return classifier->classify(request, stop);
    };
    return OpenedModel{std::move(engine), ready_status(*classifier)};
  }
};

class SlowHttpTest : public ::testing::Test {
 protected:
  static ServerOptions small_queue() {
    ServerOptions options = quick_options();
    options.queue = 1;
    return options;
  }

  SlowModel model_;
  TestServer server_{small_queue(), [this](std::stop_token stop) { return model_.open(stop); }};
};

TEST_F(SlowHttpTest, AFullQueueAnswersAtOnce) {  // case C136
  Client running(server_.port()), waiting(server_.port()), refused(server_.port());
  running.send(post_text(kAsk));
  model_.begun.acquire();
  waiting.send(post_text(kAsk));
  while (!has(refused.ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").body,
              "logit_queue_depth 1\n")) {
  }
  const Received busy = refused.ask(post_text(kAsk));
  EXPECT_EQ(busy.status, 503);
  EXPECT_TRUE(has(busy.head, "Retry-After: 1"));
  EXPECT_TRUE(has(busy.body, "overloaded"));
  EXPECT_EQ(refused.ask(kGetHealth).status, 200);
  model_.permits.release(2);
  EXPECT_EQ(running.read().status, 200);
  EXPECT_EQ(waiting.read().status, 200);
}

TEST_F(SlowHttpTest, AHangUpCancelsTheWorkAndTheNextRequestIsServed) {  // cases C31, C76
  Client gone(server_.port());
  gone.send(post_text(kAsk));
  model_.begun.acquire();
  gone.hang_up();
  EXPECT_TRUE(model_.cancelled.try_acquire_for(std::chrono::seconds(5)));
  model_.permits.release();
  Client next(server_.port());
  EXPECT_EQ(next.ask(post_text(kAsk)).status, 200);
}

TEST_F(SlowHttpTest, ARequestSentEarlyIsKeptUntilItsTurn) {
  Client client(server_.port());
  client.send(post_text(kAsk));
  model_.begun.acquire();
  for (int i = 0; i < 3000; ++i) client.send(kGetHealth);  // more than is read ahead
  model_.permits.release();
  EXPECT_TRUE(has(client.read().body, "answers"));
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(client.read().status, 200) << i;
}

TEST_F(SlowHttpTest, WhatRunsMayFinishWhenTheServerStops) {  // case C106
  Client client(server_.port());
  client.send(post_text(kAsk));
  model_.begun.acquire();
  server_.request_stop();
  std::this_thread::sleep_for(milliseconds(100));
  model_.permits.release();
  const Received received = client.read();
  EXPECT_EQ(received.status, 200);
  EXPECT_TRUE(has(received.head, "Connection: close"));
  EXPECT_TRUE(server_.join());
}

TEST_F(SlowHttpTest, WhatDoesNotFinishInTimeIsToldToComeBack) {  // case C106
  Client client(server_.port());
  client.send(post_text(kAsk));
  model_.begun.acquire();
  server_.request_stop();
  const Received received = client.read();
  EXPECT_EQ(received.status, 503);
  EXPECT_TRUE(has(received.head, "Retry-After: 1"));
  EXPECT_TRUE(server_.join());
}

}  // namespace
}  // namespace logit::serve
