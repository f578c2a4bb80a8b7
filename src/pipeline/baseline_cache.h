// BaselineCache: what candidates weigh under the states of a baseline, by question and states.
//
// Values are exact results of earlier evaluations, so a cached answer equals a fresh one bit for
// bit; the bound only limits memory. Not thread-safe.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace logit::pipeline {

class BaselineCache {
 public:
  explicit BaselineCache(std::size_t max_entries) : max_entries_(max_entries) {}

  // The stored values, or nullptr. The pointer lives until the next put().
  const std::vector<double>* find(const std::string& key);

  // Stores or replaces; the least recently used entry goes when there are too many.
  void put(const std::string& key, std::vector<double> values);

  std::size_t size() const { return entries_.size(); }

 private:
  using Entry = std::pair<std::string, std::vector<double>>;
  std::size_t max_entries_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
};

}  // namespace logit::pipeline
