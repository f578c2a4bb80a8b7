// A small blocking HTTP client over a plain socket, and a server on a thread: for tests.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <thread>

#include "serve/server.h"
#include "serve/support.h"

namespace logit::serve {

struct Received {
  int status = 0;  // 0: the connection ended first
  std::string head;
  std::string body;
};

class Client {
 public:
  explicit Client(std::uint16_t port, int timeout_s = 5)
      : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval timeout{timeout_s, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { hang_up(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool is_open() const { return is_open_; }

  void hang_up() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
  }

  // Stops when the server no longer listens.
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  Received read(bool has_body = true) {
    while (buffer_.find("\r\n\r\n") == std::string::npos) {
      if (!fill()) return {};
    }
    Received answer;
    const std::size_t end = buffer_.find("\r\n\r\n") + 4;
    answer.head = buffer_.substr(0, end);
    answer.status = std::stoi(answer.head.substr(9, 3));
    const std::size_t length = has_body ? length_of(answer.head) : 0;
    while (buffer_.size() < end + length) {
      if (!fill()) return {};
    }
    answer.body = buffer_.substr(end, length);
    buffer_.erase(0, end + length);
    return answer;
  }

  Received ask(std::string_view bytes) {
    send(bytes);
    return read();
  }

  // Whether the server closes the connection, whatever it sends before.
  bool is_closed_by_server() {
    char text[4096];
    ssize_t n = 0;
    while ((n = recv(socket_, text, sizeof text, 0)) > 0) {
    }
    return n == 0 || (n < 0 && errno == ECONNRESET);
  }

 private:
  bool fill() {
    char text[4096];
    const ssize_t n = recv(socket_, text, sizeof text, 0);
    if (n <= 0) return false;
    buffer_.append(text, static_cast<std::size_t>(n));
    return true;
  }

  static std::size_t length_of(const std::string& head) {
    constexpr std::string_view kName = "Content-Length: ";
    const std::size_t at = head.find(kName);
    return at == std::string::npos ? 0 : std::stoul(head.substr(at + kName.size()));
  }

  int socket_;
  bool is_open_ = false;
  std::string buffer_;
};

inline std::string post_text(std::string_view body, std::string_view headers = "") {
  return "POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\n" + std::string(headers) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

inline const std::string kGetHealth = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

// With little patience.
inline ServerOptions quick_options() {
  ServerOptions options;
  options.service.max_body = 4096;
  options.timeouts.linger = std::chrono::milliseconds(500);
  options.timeouts.grace = std::chrono::milliseconds(300);
  return options;
}

// Runs a server on a free port until it is destroyed.
class TestServer {
 public:
  using Open = std::function<Result<OpenedModel>(std::stop_token)>;

  using MoreHooks = std::function<void(ServerHooks&)>;

  explicit TestServer(ServerOptions options, Open open = open_scripted, MoreHooks more = {}) {
    options.endpoints.port = 0;
    std::promise<std::uint16_t> listening;
    std::future<std::uint16_t> port = listening.get_future();
    thread_ = std::jthread([this, options, open, more, &listening](std::stop_token stop) {
      ServerHooks hooks{open,
                        [&](const std::vector<Listener>& all) { listening.set_value(all[0].port); },
                        std::move(stop)};
      if (more) more(hooks);
      result_ = run_server(options, hooks);
      is_done_ = true;
    });
    while (!is_done_ && port.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) {
    }
    if (!is_done_) port_ = port.get();
    if (is_done_ && !result_) std::fputs((result_.error().message + "\n").c_str(), stderr);
  }

  static Result<OpenedModel> open_scripted(std::stop_token) {
    const std::shared_ptr<Classifier> classifier = scripted_classifier();
    return OpenedModel{make_engine(classifier), ready_status(*classifier)};
  }

  std::uint16_t port() const { return port_; }
  void request_stop() { thread_.request_stop(); }
  bool is_done() const { return is_done_; }
  Result<Done> join() {
    thread_.join();
    return result_;
  }

 private:
  std::uint16_t port_ = 0;
  std::atomic<bool> is_done_ = false;
  Result<Done> result_ = Done{};
  std::jthread thread_;
};

}  // namespace logit::serve
