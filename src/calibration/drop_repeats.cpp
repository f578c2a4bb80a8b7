// Leaves out labelled rows that say nothing new; entry: drop_repeats. Tested by
// tests/calibration/drop_repeats_test.cpp.
#include <set>
#include <tuple>

#include "calibration/check_rows.h"

namespace logit::calibration {

ScoredRows drop_repeats(const ScoredRows& rows) {
  ScoredRows kept{rows.question, rows.source, {}, rows.unlabelled};
  const auto less = [](const ScoredRow* a, const ScoredRow* b) {
    return std::tie(a->label, a->decline_log_odds, a->scores) <
           std::tie(b->label, b->decline_log_odds, b->scores);
  };
  std::set<const ScoredRow*, decltype(less)> seen(less);
  for (const ScoredRow& row : rows.labelled) {
    if (seen.insert(&row).second) kept.labelled.push_back(row);
  }
  return kept;
}

}  // namespace logit::calibration
