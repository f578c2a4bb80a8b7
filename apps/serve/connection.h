// Connection: one client, one request at a time. And Site, what connections share.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "access_log.h"
#include "body_budget.h"
#include "listen.h"
#include "metrics.h"
#include "service.h"
#include "worker.h"

namespace logit::serve {

using Stream = boost::beast::basic_stream<StreamProtocol>;

struct Timeouts {
  std::chrono::milliseconds idle{75'000};    // between requests
  std::chrono::milliseconds header{10'000};  // from the first byte of a request to its head's end
  std::chrono::milliseconds body{60'000};    // from there to its end
  std::chrono::milliseconds write{60'000};   // of a reply
  std::chrono::milliseconds linger{2'000};   // reading on after a refusal, so that it is seen
  std::chrono::milliseconds grace{8'000};    // at the end, for what runs
};

enum class LogRequests : unsigned char { kOff, kOn };

class Connection;

// Belongs to the I/O thread, like everything in this header.
struct Site {
  ServiceOptions service;
  Timeouts timeouts;
  LogRequests log_requests = LogRequests::kOff;
  std::size_t most_connections = 1000;
  BodyBudget bodies;
  std::shared_ptr<const Status> status = std::make_shared<Status>();
  Metrics metrics;
  Worker* worker = nullptr;
  std::list<Connection*> connections;
  std::function<void()> on_last_closed;            // set while the service stops
  boost::asio::thread_pool parsers{1};             // for bodies that take long to read
  std::mt19937_64 random{std::random_device{}()};  // for ids, which are no secrets

  bool is_stopping() const { return status->phase == Phase::kStopping; }
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // REQUIRES: site outlives the connection.
  Connection(Site& site, StreamProtocol::socket socket);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Until the client has gone or the service stops.
  static boost::asio::awaitable<void> run(std::shared_ptr<Connection> self);

  // Between two requests.
  bool is_idle() const { return is_idle_; }
  void close();

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  struct Exchange;

  boost::asio::awaitable<bool> wait_for_request();
  boost::asio::awaitable<bool> serve_one();
  boost::asio::awaitable<bool> refuse_bad_head(Exchange& exchange, boost::system::error_code fault);
  boost::asio::awaitable<bool> refuse(Exchange& exchange, Response response);
  boost::asio::awaitable<bool> read_body(Exchange& exchange);
  boost::asio::awaitable<bool> read_pieces(Exchange& exchange);
  boost::asio::awaitable<bool> answer(Exchange& exchange);
  boost::asio::awaitable<std::optional<Response>> work(Exchange& exchange, Work work);
  boost::asio::awaitable<std::optional<Outcome>> wait_for_outcome(Exchange& exchange, Job job);
  boost::asio::awaitable<bool> send(Exchange& exchange, Response response);
  boost::asio::awaitable<void> linger();
  void finish(Exchange& exchange, int status);

  Site& site_;
  Stream stream_;
  boost::asio::steady_timer wake_;
  boost::beast::flat_buffer buffer_;
  std::string peer_;
  bool is_idle_ = true;
  std::list<Connection*>::iterator place_;
};

}  // namespace logit::serve
