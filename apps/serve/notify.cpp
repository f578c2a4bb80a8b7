// Speaks to systemd; entries: those of notify.h. Tested by tests/serve/notify_test.cpp.
#include "notify.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace logit::serve {
namespace {

int parse_int(const std::string& text) {
  int value = -1;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && end == text.data() + text.size() ? value : -1;
}

}  // namespace

int count_inherited(const std::string& listen_pid, const std::string& listen_fds) {
  constexpr int kMost = 16;
  if (parse_int(listen_pid) != getpid()) return 0;
  return std::clamp(parse_int(listen_fds), 0, kMost);
}

void notify_manager(const std::string& socket_path, const std::string& message) {
  sockaddr_un address{};
  if (socket_path.empty() || socket_path.size() >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::copy(socket_path.begin(), socket_path.end(), address.sun_path);
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_path.size());
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return;
  [[maybe_unused]] const ssize_t sent =
      sendto(descriptor, message.data(), message.size(), MSG_NOSIGNAL,
             reinterpret_cast<const sockaddr*>(&address), length);
  close(descriptor);
}

}  // namespace logit::serve
