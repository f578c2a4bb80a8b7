// Speaks HTTP/1.1 with one client; entry: Connection::run. Tested by tests/serve/http_test.cpp.
#include "connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <cstdio>
#include <exception>
#include <tuple>
#include <utility>

namespace logit::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Clock = std::chrono::steady_clock;
using Fault = boost::system::error_code;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::uint32_t kLargestHead = 16 << 10;
constexpr std::size_t kReadAtOnce = 16 << 10;
constexpr std::size_t kMostReadAhead = 64 << 10;  // of a client that sends before it has a reply
constexpr std::size_t kMostSkipped = 64 << 10;    // of a refused body; a larger one ends the line
constexpr std::size_t kMostLingered = 256 << 20;  // read and thrown away at the end
constexpr std::size_t kParsedHere = 64 << 10;     // larger bodies are parsed on another thread
constexpr int kClientGone = 499;                  // for the log: nobody saw a status

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string make_id(std::mt19937_64& random) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string id = "req_";
  for (int i = 0; i < 24; ++i) id += kDigits[random() % kDigits.size()];
  return id;
}

std::string peer_name(const StreamProtocol::socket& socket) {
  Fault fault;
  const auto remote = socket.remote_endpoint(fault);
  if (fault || remote.protocol().family() == AF_UNIX) return "unix";
  return address_name(remote);
}

Head take_head(const http::request_header<>& request) {
  Head head;
  head.method = std::string(request.method_string());
  head.target = std::string(request.target());
  head.version = static_cast<int>(request.version());
  for (const auto& field : request) {
    head.headers.push_back({std::string(field.name_string()), std::string(field.value())});
  }
  return head;
}

std::string dur(const char* name, double ms) {
  char text[64];
  const int n = std::snprintf(text, sizeof text, "%s;dur=%d.%03d", name, static_cast<int>(ms),
                              static_cast<int>(ms * 1000) % 1000);
  return std::string(text, static_cast<std::size_t>(n));
}

std::string server_timing(const Outcome& outcome) {
  std::string timing = dur("queue", outcome.queue_ms);
  if (outcome.reply) {
    const Diagnostics& cost = outcome.reply->diagnostics;
    timing.append(", ").append(dur("plan", cost.plan_ms));
    timing.append(", ").append(dur("evaluate", cost.evaluate_ms));
    timing.append(", ").append(dur("conclude", cost.conclude_ms));
  }
  return timing.append(", ").append(dur("total", outcome.total_ms));
}

// The reply to a head that cannot be parsed; status 0 when the client has just gone.
Response head_fault(Fault fault, std::size_t body_limit) {
  if (fault == http::error::body_limit) return body_too_large(body_limit);
  if (fault == http::error::header_limit || fault == http::error::buffer_overflow) {
    return error_response(431, "api_usage_error", "the head of the request is too large");
  }
  const bool is_http = fault.category() == make_error_code(http::error::bad_method).category();
  if (is_http && fault != http::error::end_of_stream && fault != http::error::partial_message) {
    return error_response(400, "api_usage_error", "not a request of HTTP/1.1: " + fault.message());
  }
  return {0, {}, {}};
}

Response too_many_bodies() {
  return unavailable("overloaded", "other requests hold the memory for bodies; try again later");
}

// A body that needs more memory than there is must not take the server with it.
std::variant<Response, Work> handle_or_fail(const ServiceOptions& options, const Snapshot& now,
                                            const Head& head, std::string body) {
  try {
    return handle(options, now, head, std::move(body));
  } catch (const std::exception& failure) {
    return error_response(500, "internal_error", failure.what());
  }
}

}  // namespace

// One request and its reply.
struct Connection::Exchange {
  explicit Exchange(BodyBudget& bodies) : hold(bodies) {}

  Parser parser;
  BodyHold hold;
  Head head;
  std::string id;
  LogEntry log;
  Clock::time_point start = Clock::now();
  bool keeps_open = false;
};

Connection::Connection(Site& site, StreamProtocol::socket socket)
    : site_(site),
      stream_(std::move(socket)),
      wake_(stream_.get_executor()),
      peer_(peer_name(stream_.socket())),
      place_(site.connections.insert(site.connections.end(), this)) {}

Connection::~Connection() {
  site_.connections.erase(place_);
  if (site_.connections.empty() && site_.on_last_closed) site_.on_last_closed();
}

void Connection::close() { stream_.close(); }

asio::awaitable<void> Connection::run(std::shared_ptr<Connection> self) {
  // Not `while (co_await a && co_await b)`: g++ 12 runs b whatever a says.
  bool is_open = true;
  while (is_open) {
    is_open = co_await self->wait_for_request();
    if (is_open) is_open = co_await self->serve_one();
  }
  Fault ignored;
  self->stream_.socket().shutdown(asio::socket_base::shutdown_both, ignored);
}

asio::awaitable<bool> Connection::wait_for_request() {
  if (buffer_.size() > 0) co_return true;
  if (site_.is_stopping()) co_return false;
  is_idle_ = true;
  stream_.expires_after(site_.timeouts.idle);
  const auto [fault, n] = co_await stream_.async_read_some(buffer_.prepare(kReadAtOnce), kResult);
  is_idle_ = false;
  if (fault) co_return false;
  buffer_.commit(n);
  co_return true;
}

asio::awaitable<bool> Connection::serve_one() {
  Exchange exchange(site_.bodies);
  exchange.parser.header_limit(kLargestHead);
  exchange.parser.body_limit(site_.service.max_body);
  exchange.id = make_id(site_.random);
  exchange.log.time = std::chrono::system_clock::now();
  stream_.expires_after(site_.timeouts.header);
  const auto [fault, n] =
      co_await http::async_read_header(stream_, buffer_, exchange.parser, kResult);
  exchange.head = take_head(exchange.parser.get());
  if (fault) co_return co_await refuse_bad_head(exchange, fault);
  exchange.keeps_open = exchange.parser.get().keep_alive() && !site_.is_stopping();
  std::optional<Response> refused = check_head(site_.service, exchange.head);
  if (refused) co_return co_await refuse(exchange, *std::move(refused));
  if (!co_await read_body(exchange)) co_return false;
  co_return co_await answer(exchange);
}

asio::awaitable<bool> Connection::refuse_bad_head(Exchange& exchange, Fault fault) {
  Response response = head_fault(fault, site_.service.max_body);
  if (response.status == 0) co_return false;
  exchange.keeps_open = false;
  if (co_await send(exchange, std::move(response))) co_await linger();
  co_return false;
}

// The body is not wanted. A short one is skipped; behind a long one, or one that the client holds
// back until it is asked for (Expect), the connection ends.
asio::awaitable<bool> Connection::refuse(Exchange& exchange, Response response) {
  const auto length = exchange.parser.content_length();
  const bool has_body = exchange.parser.chunked() || length.value_or(0) > 0;
  if (!has_body) co_return co_await send(exchange, std::move(response));
  const bool is_short = length && *length <= kMostSkipped &&
                        !find_header(exchange.head, "Expect") && exchange.keeps_open;
  if (is_short) {
    stream_.expires_after(site_.timeouts.body);
    const auto [fault, n] = co_await http::async_read(stream_, buffer_, exchange.parser, kResult);
    if (!fault) co_return co_await send(exchange, std::move(response));
  }
  exchange.keeps_open = false;
  if (co_await send(exchange, std::move(response))) co_await linger();
  co_return false;
}

asio::awaitable<bool> Connection::read_body(Exchange& exchange) {
  stream_.expires_after(site_.timeouts.body);
  if (const auto expect = find_header(exchange.head, "Expect");
      expect && !exchange.parser.is_done()) {
    if (!equal_in_any_case(trimmed(*expect), "100-continue")) {
      co_return co_await refuse(
          exchange, error_response(417, "api_usage_error", "only Expect: 100-continue is met"));
    }
    constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
    const auto [fault, n] = co_await asio::async_write(stream_, asio::buffer(kGoOn), kResult);
    if (fault) co_return false;
  }
  co_return co_await read_pieces(exchange);
}

// What has arrived is what counts: a client that announces a large body and sends none of it keeps
// nobody out.
asio::awaitable<bool> Connection::read_pieces(Exchange& exchange) {
  while (!exchange.parser.is_done()) {
    const auto [fault, n] =
        co_await http::async_read_some(stream_, buffer_, exchange.parser, kResult);
    if (fault) co_return co_await refuse_bad_head(exchange, fault);
    if (exchange.hold.grow_to(exchange.parser.get().body().size())) continue;
    co_return co_await refuse(exchange, too_many_bodies());
  }
  co_return true;
}

asio::awaitable<bool> Connection::answer(Exchange& exchange) {
  std::string body = std::move(exchange.parser.get().body());
  exchange.log.bytes_in = body.size();
  const std::shared_ptr<const Status> status = site_.status;
  Snapshot now{*status, {}};
  if (std::string_view(route_name(exchange.head)) == "/metrics") {
    now.metrics = site_.metrics.text({site_.worker->n_waiting(), site_.connections.size(),
                                      status->phase == Phase::kReady, site_.bodies.held,
                                      site_.worker->memory_use()});
  }
  const bool is_large = body.size() > kParsedHere ||
                        (!body.empty() && find_header(exchange.head, "Content-Encoding"));
  if (is_large) co_await asio::post(asio::bind_executor(site_.parsers, asio::use_awaitable));
  std::variant<Response, Work> handled =
      handle_or_fail(site_.service, now, exchange.head, std::move(body));
  if (is_large) co_await asio::post(stream_.get_executor(), asio::use_awaitable);
  if (auto* ready = std::get_if<Response>(&handled)) {
    co_return co_await send(exchange, std::move(*ready));
  }
  Work& todo = std::get<Work>(handled);
  if (!exchange.hold.grow_to(todo.n_body_bytes))
    co_return co_await send(exchange, too_many_bodies());
  std::optional<Response> response = co_await work(exchange, std::move(todo));
  if (!response) co_return false;
  co_return co_await send(exchange, *std::move(response));
}

asio::awaitable<std::optional<Response>> Connection::work(Exchange& exchange, Work work) {
  exchange.log.n_questions = work.request.questions.size();
  // Named: g++ 12 copies an unnamed aggregate beside co_await bit by bit.
  Job job{std::move(work.request), std::stop_source(), {}};
  std::optional<Outcome> outcome = co_await wait_for_outcome(exchange, std::move(job));
  if (!outcome) co_return std::nullopt;
  work.request = std::move(outcome->request);
  exchange.log.queue_ms = outcome->queue_ms;
  if (outcome->reply) {
    exchange.log.n_tokens = outcome->reply->usage.input_tokens;
    site_.metrics.count_reply(*outcome->reply, outcome->queue_ms);
  }
  Response response = finish_work(work, outcome->reply);
  response.headers.push_back({"Server-Timing", server_timing(*outcome)});
  co_return response;
}

// Reads on meanwhile: a client that hangs up is not worked for, one that sends its next request
// early finds it in the buffer. Nothing when the client has gone.
asio::awaitable<std::optional<Outcome>> Connection::wait_for_outcome(Exchange& exchange, Job job) {
  // Shared with the worker, which may outlast a client that has gone. It must not own the
  // connection: that would end on the worker's thread.
  const auto arrived = std::make_shared<std::optional<Outcome>>();
  const std::stop_source stop = job.stop;
  job.done = [arrived, weak = weak_from_this(), io = stream_.get_executor()](Outcome outcome) {
    asio::post(io, [arrived, weak, outcome = std::move(outcome)]() mutable {
      *arrived = std::move(outcome);
      const std::shared_ptr<Connection> self = weak.lock();
      if (!self) return;
      self->stream_.cancel();
      self->wake_.cancel();
    });
  };
  if (!site_.worker->submit(job)) {
    const Error busy{ErrorCode::kBusy, "as many requests wait as may; try again later", "", {}};
    std::optional<Outcome> refused(
        Outcome{busy, std::move(job.request), 0, ms_since(exchange.start)});
    co_return refused;
  }
  stream_.expires_never();
  wake_.expires_at(Clock::time_point::max());
  while (!*arrived) {
    if (buffer_.size() >= kMostReadAhead) {
      co_await wake_.async_wait(kResult);
      continue;
    }
    const auto [fault, n] = co_await stream_.async_read_some(buffer_.prepare(kReadAtOnce), kResult);
    buffer_.commit(n);
    if (!fault || *arrived) continue;
    std::stop_source(stop).request_stop();
    finish(exchange, kClientGone);
    co_return std::nullopt;
  }
  std::optional<Outcome> outcome = std::move(*arrived);
  co_return outcome;
}

// False when the connection is to end.
asio::awaitable<bool> Connection::send(Exchange& exchange, Response response) {
  if (site_.is_stopping()) exchange.keeps_open = false;
  add_common_headers(site_.service, exchange.head, exchange.id, response);
  http::response<http::string_body> message(static_cast<http::status>(response.status), 11);
  for (const Header& header : response.headers) message.insert(header.name, header.value);
  if (response.status != 204) message.content_length(response.body.size());
  if (exchange.head.version == 10) message.version(10);
  message.keep_alive(exchange.keeps_open);
  exchange.log.bytes_out = response.body.size();
  if (exchange.head.method != "HEAD") message.body() = std::move(response.body);
  stream_.expires_after(site_.timeouts.write);
  const auto [fault, n] = co_await http::async_write(stream_, message, kResult);
  finish(exchange, response.status);
  co_return !fault && exchange.keeps_open;
}

// Closing a socket with unread data makes the client lose the reply.
asio::awaitable<void> Connection::linger() {
  Fault fault;
  stream_.socket().shutdown(asio::socket_base::shutdown_send, fault);
  stream_.expires_after(site_.timeouts.linger);
  buffer_.clear();
  for (std::size_t n_read = 0; !fault && n_read < kMostLingered;) {
    std::size_t n = 0;
    std::tie(fault, n) = co_await stream_.async_read_some(buffer_.prepare(kReadAtOnce), kResult);
    n_read += n;
  }
}

void Connection::finish(Exchange& exchange, int status) {
  const double ms = ms_since(exchange.start);
  site_.metrics.count_request(route_name(exchange.head), status, ms / 1000);
  if (site_.log_requests == LogRequests::kOff) return;
  exchange.log.id = exchange.id;
  exchange.log.peer = peer_;
  exchange.log.method = exchange.head.method;
  exchange.log.target = exchange.head.target;
  exchange.log.status = status;
  exchange.log.ms = ms;
  constexpr int kStandardError = 2;
  if (!write_without_waiting(kStandardError, log_line(exchange.log))) site_.metrics.count_dropped();
}

}  // namespace logit::serve
