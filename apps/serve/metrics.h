// Counters in Prometheus' text format. Not thread-safe: the I/O thread only.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "logit/classifier.h"
#include "logit/types.h"

namespace logit::serve {

class Histogram {
 public:
  void add(double seconds);
  // Appends the lines of NAME{LABELS}.
  void write(const std::string& name, const std::string& labels, std::string& out) const;

 private:
  static constexpr std::array kBounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                         0.25,  0.5,    1.0,   2.5,  5.0,   10.0, 30.0};
  std::array<std::uint64_t, kBounds.size()> counts_{};
  std::uint64_t n_ = 0;
  double sum_ = 0;
};

// What is not counted but looked at when the text is made.
struct Gauges {
  std::size_t n_waiting = 0;
  std::size_t n_connections = 0;
  bool is_ready = false;
  std::size_t n_body_bytes = 0;  // of requests that are read or worked on
  MemoryUse memory{};            // of the model
};

class Metrics {
 public:
  void count_request(const char* route, int status, double seconds);
  void count_reply(const Reply& reply, double queue_ms);
  void count_dropped() { ++n_dropped_; }

  std::string text(const Gauges& gauges) const;

 private:
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Histogram> durations_;  // by route
  std::map<std::string, Histogram> stages_;
  std::uint64_t evaluated_tokens_ = 0;
  std::uint64_t reused_tokens_ = 0;
  std::uint64_t questions_ = 0;
  std::uint64_t n_dropped_ = 0;
  std::chrono::system_clock::time_point start_ = std::chrono::system_clock::now();
};

}  // namespace logit::serve
