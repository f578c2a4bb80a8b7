// The bounded store of baselines. Tested by tests/pipeline/baseline_cache_test.cpp.
#include "pipeline/baseline_cache.h"

namespace logit::pipeline {

const std::vector<double>* BaselineCache::find(const std::string& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->second;
}

void BaselineCache::put(const std::string& key, std::vector<double> values) {
  if (max_entries_ == 0) return;
  if (const auto found = index_.find(key); found != index_.end()) {
    entries_.erase(found->second);
    index_.erase(found);
  }
  while (entries_.size() >= max_entries_) {
    index_.erase(entries_.back().first);
    entries_.pop_back();
  }
  entries_.emplace_front(key, std::move(values));
  index_[key] = entries_.begin();
}

}  // namespace logit::pipeline
