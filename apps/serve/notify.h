// What systemd gives a service and wants to hear from it, without its library.
#pragma once

#include <string>

namespace logit::serve {

// First descriptor that socket activation hands over.
inline constexpr int kFirstInherited = 3;

// How many listening sockets this process was given: LISTEN_FDS when LISTEN_PID names it, else 0.
int count_inherited(const std::string& listen_pid, const std::string& listen_fds);

// Sends "READY=1" or the like to NOTIFY_SOCKET; nothing when `socket_path` is empty. A path that
// starts with '@' is an abstract one. Failures have no consequence.
void notify_manager(const std::string& socket_path, const std::string& message);

}  // namespace logit::serve
