// The server as a whole: sockets, signals, the worker, and how they start and stop.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "connection.h"
#include "listen.h"
#include "logit/result.h"
#include "service.h"
#include "status.h"
#include "worker.h"

namespace logit::serve {

enum class ListenFrom : unsigned char {
  kReady,  // connections are refused until the model answers
  kStart,  // requests get 503 `loading` until then
};

enum class Signals : unsigned char {
  kIgnored,  // a test has its own
  kHandled,  // SIGTERM and SIGINT stop the server, the second one at once; SIGHUP: see reload
};

struct ServerOptions {
  Endpoints endpoints;
  ListenFrom listen_from = ListenFrom::kReady;
  std::size_t queue = 64;                           // requests that may wait
  std::size_t most_body_bytes = BodyBudget().most;  // of all requests that are read or worked on
  LogRequests log_requests = LogRequests::kOff;
  Timeouts timeouts;
  Signals signals = Signals::kIgnored;
  std::string notify_socket;  // of systemd; empty: none
  ServiceOptions service;     // its Access::reach is found out
};

struct OpenedModel {
  Engine engine;
  Status status;
};

struct ServerHooks {
  // Runs on the worker's thread: loads and warms the model.
  std::function<Result<OpenedModel>(std::stop_token)> open;
  // Sockets take connections now; "http://127.0.0.1:8077", ...
  std::function<void(const std::vector<Listener>&)> on_listening;
  std::stop_token stop{};  // stops the server like a signal
  // SIGHUP: reads again what may change while the server runs, on the worker's thread between two
  // turns, and returns what /healthz tells from then on. After an error everything must be as
  // before; /healthz warns until the next success. Unset: SIGHUP stops the server.
  std::function<Result<Status>()> reload{};
  // How that went, on the I/O thread.
  std::function<void(const Result<Done>&)> on_reloaded{};
};

// Serves until it is stopped. Errors: kConfig for sockets, those of `open`.
Result<Done> run_server(const ServerOptions& options, const ServerHooks& hooks);

}  // namespace logit::serve
