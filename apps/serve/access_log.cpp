// Prints and writes log lines; entries: those of access_log.h. Tested by
// tests/serve/access_log_test.cpp.
#include "access_log.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <ctime>
#include <utility>

#include "json.h"
#include "message.h"

namespace logit::serve {
namespace {

constexpr std::size_t kLongestText = 200;

// What a client sent, cut and made plain ASCII.
std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kLongestText)) {
    out += c >= ' ' && c <= '~' ? c : '?';
  }
  if (text.size() > kLongestText) out.append("...");
  return out;
}

std::string utc(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char buffer[32];
  const std::size_t n = std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%S", &parts);
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
  const std::string fraction = std::to_string(1000 + ms.count() % 1000).substr(1);
  return std::string(buffer, n).append(".").append(fraction).append("Z");
}

Content rounded(double ms) { return json_number(std::round(ms * 1000) / 1000); }

}  // namespace

std::string log_line(const LogEntry& entry) {
  Content::Object object;
  object.emplace_back("time", utc(entry.time));
  object.emplace_back("id", entry.id);
  object.emplace_back("peer", entry.peer);
  object.emplace_back("method", shown(entry.method));
  object.emplace_back("path", shown(split_target(entry.target).path));
  object.emplace_back("status", json_count(static_cast<std::size_t>(entry.status)));
  object.emplace_back("ms", rounded(entry.ms));
  object.emplace_back("queue_ms", rounded(entry.queue_ms));
  object.emplace_back("bytes_in", json_count(entry.bytes_in));
  object.emplace_back("bytes_out", json_count(entry.bytes_out));
  object.emplace_back("questions", json_count(entry.n_questions));
  object.emplace_back("tokens", json_count(entry.n_tokens));
  return compact_json(Content(std::move(object))).append("\n");
}

bool write_without_waiting(int descriptor, const std::string& line) {
  // The descriptor is shared with other programs, so it is not made non-blocking; and a pipe that
  // poll() calls writable takes 4096 bytes (PIPE_BUF) at once.
  const ssize_t sent = send(descriptor, line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0) return std::cmp_equal(sent, line.size());
  if (errno != ENOTSOCK) return false;
  pollfd ready{descriptor, POLLOUT, 0};
  if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) return false;
  return std::cmp_equal(write(descriptor, line.data(), line.size()), line.size());
}

}  // namespace logit::serve
