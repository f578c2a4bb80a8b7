// Listening sockets: TCP, Unix, or handed over by systemd.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "access.h"
#include "logit/result.h"

namespace logit::serve {

using StreamProtocol = boost::asio::generic::stream_protocol;
using Acceptor = boost::asio::basic_socket_acceptor<StreamProtocol>;

struct Endpoints {
  std::string host = "127.0.0.1";  // an address or a name of this machine
  std::uint16_t port = 8077;       // 0: any that is free
  std::string unix_socket;         // a path: instead of host and port
  int n_inherited = 0;             // sockets from kFirstInherited on: instead of all others
};

struct Listener {
  Acceptor acceptor;
  std::string name;         // "http://127.0.0.1:8077", "unix:/run/x.sock"
  std::string unix_socket;  // to remove at the end; empty for other kinds
  Reach reach = Reach::kNetwork;
  std::uint16_t port = 0;
};

// Opened and bound, so that a taken port is told at once, but not yet listening: clients are
// refused until listen() is called. Errors: kConfig.
Result<std::vector<Listener>> open_listeners(boost::asio::io_context& io,
                                             const Endpoints& endpoints);

// "127.0.0.1:40000", "[::1]:40000". REQUIRES: of TCP.
std::string address_name(const StreamProtocol::endpoint& endpoint);

// The one that all of them have; kNetwork when they differ.
Reach common_reach(const std::vector<Listener>& listeners);

}  // namespace logit::serve
