// What llama.cpp complains about while a model is loaded, instead of its printing it.
#pragma once

#include <string>

namespace logit {

// Starts llama.cpp, once per process, with its log turned off. Thread-safe. check_processor() comes
// first.
void start_engine();

// Collects the engine's complaints on this thread for as long as it lives; of two, the inner one.
class EngineComplaints {
 public:
  EngineComplaints();
  ~EngineComplaints();
  EngineComplaints(const EngineComplaints&) = delete;
  EngineComplaints& operator=(const EngineComplaints&) = delete;

  // The last lines, joined by "; ", or "no reason given".
  std::string text() const;

 private:
  std::string collected_;
  std::string* outer_;
};

}  // namespace logit
