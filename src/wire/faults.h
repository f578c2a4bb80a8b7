// What is wrong with a document, and where: places and the list of faults.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "logit/result.h"

namespace logit::wire {

// A value's place, as a chain towards the root; a null pointer is the root itself. Lives on the
// stack of the functions that walk the document, so only a fault pays for a copy of the path.
struct Place {
  const Place* parent = nullptr;
  std::variant<std::string_view, std::size_t> step;
};

// Collects faults in the order of the walk. Paths repeat long keys, so a small body could ask for
// gigabytes of faults: above kMaxBytes one last fault says that the rest is not listed.
class FaultList {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

  void add(const char* type, const Place* place, std::string msg);

  bool empty() const { return faults_.empty(); }
  std::vector<Fault> take() && { return std::move(faults_); }

 private:
  std::vector<Fault> faults_;
  std::size_t n_bytes_ = 0;
};

// questions.q.criteria[3]; keys that are not plain words are quoted as JSON.
std::string loc_text(std::span<const LocStep> loc);

// REQUIRES: faults not empty.
Error schema_error(std::vector<Fault> faults);

}  // namespace logit::wire
