// Keeps llama.cpp silent and remembers why it refused something.
//
// Entry: start_engine(). Tests: tests/llama/load_test.cpp.
#include "llama/engine_log.h"

#include <llama.h>

#include <cstddef>
#include <mutex>

namespace logit {
namespace {

// llama.cpp has one log for the whole process and prints to stderr unless told otherwise; a
// library must not print. A complaint is kept for the thread that caused it, and only while that
// thread asks for it, so the sink takes no lock and grows without bound nowhere.
thread_local std::string* complaints = nullptr;

constexpr std::size_t kMaxComplaint = 600;

void sink(ggml_log_level level, const char* text, void* /*unused*/) {
  if (complaints == nullptr || level != GGML_LOG_LEVEL_ERROR) return;
  *complaints += text;
  if (complaints->size() > kMaxComplaint) complaints->erase(0, complaints->size() - kMaxComplaint);
}

}  // namespace

void start_engine() {
  static std::once_flag once;
  std::call_once(once, [] {
    llama_log_set(sink, nullptr);
    ggml_backend_load_all();  // a no-op unless ggml was built with its CPU variants as plug-ins
    llama_backend_init();
  });
}

EngineComplaints::EngineComplaints() : outer_(complaints) { complaints = &collected_; }

EngineComplaints::~EngineComplaints() { complaints = outer_; }

std::string EngineComplaints::text() const {
  std::string line;
  for (const char c : collected_) {
    if (c != '\n') {
      line += c;
    } else if (!line.empty()) {
      line += "; ";
    }
  }
  while (line.ends_with("; ")) line.resize(line.size() - 2);
  return line.empty() ? "no reason given" : line;
}

}  // namespace logit
