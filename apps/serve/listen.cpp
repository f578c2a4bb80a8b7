// Opens listening sockets; entry: open_listeners. Tested by tests/serve/http_test.cpp.
#include "listen.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>
#include <utility>

#include "notify.h"

namespace logit::serve {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Unix = asio::local::stream_protocol;
using Fault = boost::system::error_code;

Error cannot_listen(const std::string& where, const Fault& fault) {
  return {ErrorCode::kConfig, "cannot listen on " + where + ": " + fault.message(), "", {}};
}

template <class Endpoint>
Fault open_and_bind(Acceptor& acceptor, const Endpoint& endpoint) {
  Fault fault;
  const StreamProtocol::endpoint generic(endpoint);
  acceptor.open(generic.protocol(), fault);
  if (fault) return fault;
  acceptor.set_option(asio::socket_base::reuse_address(true), fault);
  acceptor.bind(generic, fault);
  return fault;
}

Result<tcp::endpoint> resolve(asio::io_context& io, const Endpoints& endpoints) {
  Fault fault;
  const auto address = asio::ip::make_address(endpoints.host, fault);
  if (!fault) return tcp::endpoint(address, endpoints.port);
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(endpoints.host, std::to_string(endpoints.port),
                                      tcp::resolver::passive, fault);
  if (fault || found.empty()) return cannot_listen(endpoints.host, fault);
  return found.begin()->endpoint();
}

// The generic protocol keeps an address as bytes.
tcp::endpoint tcp_endpoint(const StreamProtocol::endpoint& generic) {
  tcp::endpoint endpoint;
  if (generic.size() > endpoint.capacity()) return endpoint;
  std::copy_n(reinterpret_cast<const char*>(generic.data()), generic.size(),
              reinterpret_cast<char*>(endpoint.data()));
  endpoint.resize(generic.size());
  return endpoint;
}

void name_tcp(Listener& listener) {
  const StreamProtocol::endpoint generic = listener.acceptor.local_endpoint();
  const tcp::endpoint endpoint = tcp_endpoint(generic);
  listener.port = endpoint.port();
  listener.reach = endpoint.address().is_loopback() ? Reach::kLoopback : Reach::kNetwork;
  listener.name = "http://" + address_name(generic);
}

Result<Listener> open_tcp(asio::io_context& io, const Endpoints& endpoints) {
  Result<tcp::endpoint> endpoint = resolve(io, endpoints);
  if (!endpoint) return std::move(endpoint).error();
  Listener listener{Acceptor(io), "", "", Reach::kNetwork, 0};
  const Fault fault = open_and_bind(listener.acceptor, *endpoint);
  if (fault) {
    return cannot_listen(endpoints.host + " port " + std::to_string(endpoints.port), fault);
  }
  name_tcp(listener);
  return listener;
}

bool is_socket(const std::string& path) {
  struct stat info {};
  return lstat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode);
}

// A socket that a killed server left behind refuses connections.
void remove_stale(asio::io_context& io, const Unix::endpoint& endpoint) {
  if (!is_socket(endpoint.path())) return;
  Unix::socket probe(io);
  Fault fault;
  probe.connect(endpoint, fault);
  if (fault == asio::error::connection_refused) unlink(endpoint.path().c_str());
}

Result<Listener> open_unix(asio::io_context& io, const std::string& path) {
  if (path.size() > sizeof(sockaddr_un::sun_path) - 1) {
    return cannot_listen(path, asio::error::name_too_long);
  }
  const Unix::endpoint endpoint(path);
  remove_stale(io, endpoint);
  Listener listener{Acceptor(io), "unix:" + path, path, Reach::kSocket, 0};
  const Fault fault = open_and_bind(listener.acceptor, endpoint);
  if (fault) return cannot_listen(path, fault);
  return listener;
}

Result<Listener> adopt(asio::io_context& io, int descriptor) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  const std::string name = "inherited socket " + std::to_string(descriptor);
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    return cannot_listen(name, Fault(errno, boost::system::system_category()));
  }
  Listener listener{Acceptor(io), name, "", Reach::kSocket, 0};
  Fault fault;
  listener.acceptor.assign(StreamProtocol(address.ss_family, 0), descriptor, fault);
  if (fault) return cannot_listen(name, fault);
  if (address.ss_family != AF_UNIX) name_tcp(listener);
  return listener;
}

}  // namespace

Result<std::vector<Listener>> open_listeners(asio::io_context& io, const Endpoints& endpoints) {
  std::vector<Listener> listeners;
  for (int i = 0; i < endpoints.n_inherited; ++i) {
    Result<Listener> listener = adopt(io, kFirstInherited + i);
    if (!listener) return std::move(listener).error();
    listeners.push_back(*std::move(listener));
  }
  if (endpoints.n_inherited > 0) return listeners;
  Result<Listener> listener = endpoints.unix_socket.empty() ? open_tcp(io, endpoints)
                                                            : open_unix(io, endpoints.unix_socket);
  if (!listener) return std::move(listener).error();
  listeners.push_back(*std::move(listener));
  return listeners;
}

std::string address_name(const StreamProtocol::endpoint& endpoint) {
  const tcp::endpoint address = tcp_endpoint(endpoint);
  const bool is_v6 = address.address().is_v6();
  return std::string(is_v6 ? "[" : "")
      .append(address.address().to_string())
      .append(is_v6 ? "]:" : ":")
      .append(std::to_string(address.port()));
}

Reach common_reach(const std::vector<Listener>& listeners) {
  for (const Listener& listener : listeners) {
    if (listener.reach != listeners.front().reach) return Reach::kNetwork;
  }
  return listeners.front().reach;
}

}  // namespace logit::serve
