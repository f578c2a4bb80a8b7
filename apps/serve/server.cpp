// Starts, runs and stops everything; entry: run_server. Tested by
// tests/serve/lifecycle_test.cpp and http_test.cpp.
#include "server.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "notify.h"

namespace logit::serve {
namespace {

namespace asio = boost::asio;
using Fault = boost::system::error_code;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);

// Descriptors that are not connections: model, sockets, streams.
constexpr std::size_t kOtherDescriptors = 64;
constexpr rlim_t kWantedDescriptors = 16384;

// Raises the soft limit, which is often 1024, towards the hard one.
std::size_t most_connections() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 512;
  const rlim_t wanted = std::min(limit.rlim_max, kWantedDescriptors);
  if (limit.rlim_cur < wanted) {
    const rlimit raised{wanted, limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit.rlim_cur = wanted;
  }
  const auto n = static_cast<std::size_t>(std::min(limit.rlim_cur, kWantedDescriptors));
  return n > 2 * kOtherDescriptors ? n - kOtherDescriptors : n / 2;
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

class Server {
 public:
  Server(const ServerOptions& options, const ServerHooks& hooks)
      : options_(options), hooks_(hooks), signals_(io_), deadline_(io_) {
    site_.service = options.service;
    site_.timeouts = options.timeouts;
    site_.log_requests = options.log_requests;
    site_.most_connections = most_connections();
    site_.bodies.most = options.most_body_bytes;
  }

  Result<Done> run() {
    Result<std::vector<Listener>> listeners = open_listeners(io_, options_.endpoints);
    if (!listeners) return std::move(listeners).error();
    listeners_ = *std::move(listeners);
    site_.service.access.reach = common_reach(listeners_);
    watch_signals();
    const std::stop_callback stop(hooks_.stop,
                                  [this] { asio::post(io_, [this] { this->stop(); }); });
    if (options_.listen_from == ListenFrom::kStart) {
      Result<Done> listening = listen();
      if (!listening) return listening;
    }
    worker_.emplace(
        options_.queue, [this](std::stop_token token) { return open(std::move(token)); },
        [this](Result<Done> opened) {
          asio::post(io_,
                     [this, opened = std::move(opened)]() mutable { on_open(std::move(opened)); });
        });
    site_.worker = &*worker_;
    const auto until_end = asio::make_work_guard(io_);
    io_.run();
    clean_up();
    return result_;
  }

 private:
  // On the worker's thread.
  Result<Engine> open(std::stop_token token) {
    Result<OpenedModel> opened = hooks_.open(std::move(token));
    if (!opened) return std::move(opened).error();
    auto status = std::make_shared<Status>(std::move(opened->status));
    asio::post(io_, [this, status] {
      if (!site_.is_stopping()) site_.status = status;
    });
    return std::move(opened->engine);
  }

  void on_open(Result<Done> opened) {
    if (site_.is_stopping()) return;
    if (opened && options_.listen_from == ListenFrom::kReady) opened = listen();
    if (!opened) {
      result_ = std::move(opened);
      stop();
      return;
    }
    notify_manager(options_.notify_socket, "READY=1\n");
  }

  Result<Done> listen() {
    for (Listener& listener : listeners_) {
      Fault fault;
      listener.acceptor.listen(asio::socket_base::max_listen_connections, fault);
      if (fault) {
        return Error{ErrorCode::kConfig, listener.name + ": " + fault.message(), "", {}};
      }
      asio::co_spawn(io_, accept(listener), asio::detached);
    }
    if (hooks_.on_listening) hooks_.on_listening(listeners_);
    return Done{};
  }

  asio::awaitable<void> accept(Listener& listener) {
    while (listener.acceptor.is_open()) {
      auto [fault, socket] = co_await listener.acceptor.async_accept(kResult);
      if (site_.is_stopping()) break;
      if (fault) {
        // Out of descriptors, or a client that was quick to go: a pause, not the end.
        asio::steady_timer pause(io_, std::chrono::milliseconds(20));
        co_await pause.async_wait(kResult);
        continue;
      }
      if (site_.connections.size() >= site_.most_connections) close_one_idle();
      if (listener.reach != Reach::kSocket) {
        Fault ignored;
        socket.set_option(asio::ip::tcp::no_delay(true), ignored);
      }
      auto connection = std::make_shared<Connection>(site_, std::move(socket));
      // A connection that throws (out of memory) ends alone.
      asio::co_spawn(io_, Connection::run(std::move(connection)), [](const std::exception_ptr&) {});
    }
  }

  // The oldest, so that new clients get in.
  void close_one_idle() {
    const auto idle = std::find_if(site_.connections.begin(), site_.connections.end(),
                                   [](const Connection* one) { return one->is_idle(); });
    if (idle != site_.connections.end()) (*idle)->close();
  }

  void watch_signals() {
    if (options_.signals == Signals::kIgnored) return;
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    // nohup asks for SIGHUP to be ignored; one that stops nothing need not be.
    if (hooks_.reload || !is_ignored(SIGHUP)) signals_.add(SIGHUP);
    wait_for_signal();
  }

  void wait_for_signal() {
    signals_.async_wait([this](Fault fault, int signal) {
      if (fault) return;
      if (signal == SIGHUP && hooks_.reload) {
        reload();
      } else if (site_.is_stopping()) {
        _exit(128 + signal);
      } else {
        stop();
      }
      wait_for_signal();
    });
  }

  void reload() {
    worker_->post([this] {
      auto reloaded = std::make_shared<Result<Status>>(reload_now());
      asio::post(io_, [this, reloaded] { on_reloaded(std::move(*reloaded)); });
    });
  }

  // On the worker's thread.
  Result<Status> reload_now() {
    try {
      return hooks_.reload();
    } catch (const std::exception& failure) {
      return Error{ErrorCode::kInternal, failure.what(), "", {}};
    }
  }

  void on_reloaded(Result<Status> reloaded) {
    if (site_.is_stopping()) return;
    auto status = std::make_shared<Status>(reloaded ? *reloaded : *site_.status);
    status->reload_fault = reloaded ? "" : fault_text(reloaded.error());
    site_.status = std::move(status);
    if (!hooks_.on_reloaded) return;
    hooks_.on_reloaded(reloaded ? Result<Done>(Done{}) : Result<Done>(reloaded.error()));
  }

  // What runs may finish within the grace period, then it is cancelled; clients that wait get a
  // 503. The loop ends with the last connection.
  void stop() {
    if (site_.is_stopping()) return;
    notify_manager(options_.notify_socket, "STOPPING=1\n");
    auto status = std::make_shared<Status>(*site_.status);
    status->phase = Phase::kStopping;
    site_.status = std::move(status);
    for (Listener& listener : listeners_) {
      Fault ignored;
      listener.acceptor.close(ignored);
    }
    if (site_.connections.empty()) return end();
    site_.on_last_closed = [this] { asio::post(io_, [this] { end(); }); };
    for (Connection* connection : site_.connections) {
      if (connection->is_idle()) connection->close();
    }
    set_deadline(site_.timeouts.grace, [this] {
      worker_->cancel_all();
      set_deadline(std::chrono::milliseconds(1000), [this] { end(); });
    });
  }

  template <class Action>
  void set_deadline(std::chrono::milliseconds after, Action action) {
    deadline_.expires_after(after);
    deadline_.async_wait([action](Fault fault) {
      if (!fault) action();
    });
  }

  void end() {
    site_.on_last_closed = nullptr;
    io_.stop();
  }

  void clean_up() {
    site_.on_last_closed = nullptr;
    worker_.reset();  // waits for the engine call that runs
    site_.parsers.join();
    for (const Listener& listener : listeners_) {
      if (!listener.unix_socket.empty()) unlink(listener.unix_socket.c_str());
    }
  }

  const ServerOptions& options_;
  const ServerHooks& hooks_;
  Site site_;  // before io_: connections end with io_ and tell it
  asio::io_context io_{1};
  std::vector<Listener> listeners_;
  asio::signal_set signals_;
  asio::steady_timer deadline_;
  std::optional<Worker> worker_;
  Result<Done> result_ = Done{};
};

}  // namespace

Result<Done> run_server(const ServerOptions& options, const ServerHooks& hooks) {
  Server server(options, hooks);
  return server.run();
}

}  // namespace logit::serve
