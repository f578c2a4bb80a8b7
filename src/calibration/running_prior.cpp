// Learns from traffic what each place is given; entry: RunningPrior. Tested by
// tests/calibration/running_prior_test.cpp.
#include "logit/running_prior.h"

#include <algorithm>
#include <cmath>

#include "numeric/log_space.h"

namespace logit {

void RunningPrior::observe(QuestionType type, std::span<const double> shown_scores) {
  if (shown_scores.size() < 2) return;
  Bucket& bucket = buckets_[{type, shown_scores.size()}];
  if (bucket.count >= kMostCount) return;
  bucket.sum.resize(shown_scores.size());
  const std::vector<double> shares = softmax(shown_scores);
  for (std::size_t i = 0; i < shares.size(); ++i) bucket.sum[i] += shares[i];
  ++bucket.count;
}

std::vector<double> RunningPrior::correction(QuestionType type, std::size_t width) const {
  const auto found = buckets_.find({type, width});
  if (found == buckets_.end() || found->second.count < kLeastObservations) return {};
  const Bucket& bucket = found->second;
  std::vector<double> logs;
  double average = 0;
  for (const double sum : bucket.sum) {
    const double share = sum / static_cast<double>(bucket.count);
    logs.push_back(std::log((1 - kSmoothing) * share + kSmoothing / static_cast<double>(width)));
    average += logs.back() / static_cast<double>(width);
  }
  for (double& value : logs) value = std::clamp(value - average, -kMostNats, kMostNats);
  return logs;
}

void RunningPrior::add(const RunningPrior& other) {
  for (const auto& [key, theirs] : other.buckets_) {
    Bucket& ours = buckets_[key];
    ours.sum.resize(key.second);
    for (std::size_t i = 0; i < key.second; ++i) ours.sum[i] += theirs.sum[i];
    ours.count += theirs.count;
  }
}

void RunningPrior::put(const Key& key, Bucket bucket) { buckets_[key] = std::move(bucket); }

}  // namespace logit
