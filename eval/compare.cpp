// Pairs rows and takes differences; entry: compare. Tested by tests/cli/compare_test.cpp.
#include "eval/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace logit::eval {
namespace {

constexpr double kSmallestProbability = 1e-15;
constexpr std::size_t kMaxNamed = 3;

using Key = std::pair<std::string, std::string>;  // task and id

std::map<Key, const ComparableRow*> by_key(const std::vector<ComparableRow>& rows) {
  std::map<Key, const ComparableRow*> found;
  for (const ComparableRow& row : rows) found.emplace(Key(row.task, row.id), &row);
  return found;
}

// Counts what keeps the runs from being compared and names the first few.
class Mismatch {
 public:
  void add(const ComparableRow& row, const std::string& why) {
    if (++n_ <= kMaxNamed) text_ += "; " + row.task + " " + row.id + " " + why;
  }
  bool is_empty() const { return n_ == 0; }
  Error error() const {
    return {ErrorCode::kConfig,
            "the runs are not of the same rows: " + std::to_string(n_) + " differ" + text_,
            "",
            {}};
  }

 private:
  std::size_t n_ = 0;
  std::string text_;
};

double loss(const ComparableRow& row) {
  return -std::log(std::max(row.p_label, kSmallestProbability));
}

double as_share(bool is_right) { return is_right ? 1 : 0; }

void add_change(Comparison& comparison, const ComparableRow& before, const ComparableRow& after) {
  if (before.predicted == after.predicted) return;
  if (after.is_right()) ++comparison.n_gained;
  if (before.is_right()) ++comparison.n_lost;
  comparison.changed.push_back({before.task, before.id, before.label, before.predicted,
                                after.predicted, before.p_label, after.p_label});
}

}  // namespace

Result<Comparison> compare(const std::vector<ComparableRow>& before,
                           const std::vector<ComparableRow>& after) {
  const std::map<Key, const ComparableRow*> others = by_key(after);
  const std::map<Key, const ComparableRow*> own = by_key(before);
  Mismatch mismatch;
  for (const ComparableRow& row : after) {
    if (!own.contains({row.task, row.id})) mismatch.add(row, "is in the second only");
  }
  Comparison comparison;
  std::vector<double> accuracy;
  std::vector<double> log_loss;
  for (const ComparableRow& row : before) {
    const auto found = others.find({row.task, row.id});
    if (found == others.end()) {
      mismatch.add(row, "is in the first only");
      continue;
    }
    const ComparableRow& other = *found->second;
    if (row.label != other.label) mismatch.add(row, "has another label");
    if (row.state_hash != other.state_hash) mismatch.add(row, "has another text");
    accuracy.push_back(as_share(other.is_right()) - as_share(row.is_right()));
    log_loss.push_back(loss(other) - loss(row));
    add_change(comparison, row, other);
  }
  if (!mismatch.is_empty()) return mismatch.error();
  comparison.accuracy = paired_difference(accuracy);
  comparison.log_loss = paired_difference(log_loss);
  std::stable_sort(comparison.changed.begin(), comparison.changed.end(),
                   [](const ChangedRow& a, const ChangedRow& b) {
                     return a.p_after - a.p_before < b.p_after - b.p_before;
                   });
  return comparison;
}

}  // namespace logit::eval
