// Counts and prints; entry: Metrics. Tested by tests/serve/metrics_test.cpp.
#include "metrics.h"

#include <algorithm>
#include <fstream>

#include "logit/wire.h"

namespace logit::serve {
namespace {

void add_head(const char* name, const char* type, const char* help, std::string& out) {
  out.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
  out.append(name).append(" ").append(type).append("\n");
}

void add_line(const std::string& name, const std::string& labels, const std::string& value,
              std::string& out) {
  out.append(name);
  if (!labels.empty()) out.append("{").append(labels).append("}");
  out.append(" ").append(value).append("\n");
}

void add_value(const char* name, const char* type, const char* help, std::uint64_t value,
               std::string& out) {
  add_head(name, type, help, out);
  add_line(name, "", std::to_string(value), out);
}

std::string label(const char* name, const std::string& value) {
  return std::string(name).append("=\"").append(value).append("\"");
}

// 0 where /proc does not tell.
std::uint64_t resident_bytes() {
  constexpr std::uint64_t kPage = 4096;
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  file >> pages >> pages;
  return pages * kPage;
}

}  // namespace

void Histogram::add(double seconds) {
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    if (seconds <= kBounds[i]) ++counts_[i];
  }
  ++n_;
  sum_ += seconds;
}

void Histogram::write(const std::string& name, const std::string& labels, std::string& out) const {
  const std::string comma = labels.empty() ? "" : ",";
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    add_line(name + "_bucket", labels + comma + label("le", format_double(kBounds[i])),
             std::to_string(counts_[i]), out);
  }
  add_line(name + "_bucket", labels + comma + label("le", "+Inf"), std::to_string(n_), out);
  add_line(name + "_sum", labels, format_double(sum_), out);
  add_line(name + "_count", labels, std::to_string(n_), out);
}

void Metrics::count_request(const char* route, int status, double seconds) {
  ++requests_[{route, status}];
  durations_[route].add(seconds);
}

void Metrics::count_reply(const Reply& reply, double queue_ms) {
  const Diagnostics& cost = reply.diagnostics;
  evaluated_tokens_ += cost.evaluated_tokens;
  reused_tokens_ += cost.reused_tokens;
  questions_ += reply.answers.size();
  constexpr double kMs = 1e-3;
  stages_["queue"].add(queue_ms * kMs);
  stages_["plan"].add(cost.plan_ms * kMs);
  stages_["evaluate"].add(cost.evaluate_ms * kMs);
  stages_["conclude"].add(cost.conclude_ms * kMs);
}

std::string Metrics::text(const Gauges& gauges) const {
  std::string out;
  add_head("logit_requests_total", "counter", "Requests answered, by route and status", out);
  for (const auto& [key, count] : requests_) {
    add_line("logit_requests_total",
             label("route", key.first) + "," + label("code", std::to_string(key.second)),
             std::to_string(count), out);
  }
  add_head("logit_request_duration_seconds", "histogram", "From head to reply, by route", out);
  for (const auto& [route, histogram] : durations_) {
    histogram.write("logit_request_duration_seconds", label("route", route), out);
  }
  add_head("logit_stage_duration_seconds", "histogram", "Stages of answered requests", out);
  for (const auto& [stage, histogram] : stages_) {
    histogram.write("logit_stage_duration_seconds", label("stage", stage), out);
  }
  add_value("logit_questions_total", "counter", "Questions answered", questions_, out);
  add_value("logit_evaluated_tokens_total", "counter", "Tokens decoded", evaluated_tokens_, out);
  add_value("logit_reused_tokens_total", "counter", "Tokens taken from the prefix cache",
            reused_tokens_, out);
  add_value("logit_dropped_log_lines_total", "counter", "Log lines nobody read", n_dropped_, out);
  add_value("logit_queue_depth", "gauge", "Requests that wait for their turn", gauges.n_waiting,
            out);
  add_value("logit_connections", "gauge", "Open connections", gauges.n_connections, out);
  add_value("logit_ready", "gauge", "1 when the model answers", gauges.is_ready ? 1 : 0, out);
  add_value("logit_body_bytes", "gauge", "Bodies of requests in memory", gauges.n_body_bytes, out);
  add_value("logit_prefix_cache_entries", "gauge", "Prefixes kept for later requests",
            gauges.memory.prefixes.n_entries, out);
  add_value("logit_prefix_cache_bytes", "gauge", "Memory of the kept prefixes",
            gauges.memory.prefixes.n_bytes, out);
  add_value("logit_baseline_cache_entries", "gauge", "Questions whose baseline is kept",
            gauges.memory.n_baselines, out);
  add_value("process_resident_memory_bytes", "gauge", "Memory in use", resident_bytes(), out);
  const auto start = std::chrono::duration_cast<std::chrono::seconds>(start_.time_since_epoch());
  add_value("process_start_time_seconds", "gauge", "Seconds since the epoch",
            static_cast<std::uint64_t>(start.count()), out);
  return out;
}

}  // namespace logit::serve
