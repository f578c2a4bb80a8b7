// The access log: one line of JSON a request, without anything a caller wrote but the path.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace logit::serve {

struct LogEntry {
  std::chrono::system_clock::time_point time{};
  std::string id;      // the request's
  std::string method;  // as sent
  std::string target;  // as sent; the line shows its path only
  std::string peer;    // "127.0.0.1:40000", "unix"
  int status = 0;      // 0: the client had gone
  double ms = 0;
  double queue_ms = 0;
  std::size_t bytes_in = 0;
  std::size_t bytes_out = 0;
  std::size_t n_questions = 0;
  std::size_t n_tokens = 0;
};

// Ends in a line break. ASCII, at most 4096 bytes, whatever bytes the client sent.
std::string log_line(const LogEntry& entry);

// Writes all of `line` or nothing; never waits for a reader. False when it would have had to, or
// nobody can read it. REQUIRES: line.size() <= 4096.
bool write_without_waiting(int descriptor, const std::string& line);

}  // namespace logit::serve
