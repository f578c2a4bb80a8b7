// BodyBudget: a bound on the bodies that all connections together hold. I/O thread only. Tested by
// tests/serve/body_budget_test.cpp.
#pragma once

#include <cstddef>

namespace logit::serve {

struct BodyBudget {
  std::size_t most = std::size_t{256} << 20;  // bytes
  std::size_t held = 0;
};

// What one request holds of the budget, given back at its end.
class BodyHold {
 public:
  // REQUIRES: budget outlives the hold.
  explicit BodyHold(BodyBudget& budget) : budget_(budget) {}
  ~BodyHold() { budget_.held -= n_bytes_; }
  BodyHold(const BodyHold&) = delete;
  BodyHold& operator=(const BodyHold&) = delete;

  // From now on holds at least `n_bytes`; false, with nothing changed, when that is more than the
  // budget has left. A hold never shrinks: what was read once is parsed to something as large.
  bool grow_to(std::size_t n_bytes) {
    if (n_bytes <= n_bytes_) return true;
    const std::size_t more = n_bytes - n_bytes_;
    if (more > budget_.most - budget_.held) return false;
    budget_.held += more;
    n_bytes_ = n_bytes;
    return true;
  }

 private:
  BodyBudget& budget_;
  std::size_t n_bytes_ = 0;
};

}  // namespace logit::serve
