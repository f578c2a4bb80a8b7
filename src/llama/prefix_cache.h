// PrefixCache: states of roots that were evaluated before, outside the engine's context.
//
// A value with a byte bound; the least recently used state goes first. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <span>
#include <vector>

#include "logit/token_tree.h"

namespace logit {

class PrefixCache {
 public:
  explicit PrefixCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}
  PrefixCache(const PrefixCache&) = delete;  // the map points into the list
  PrefixCache& operator=(const PrefixCache&) = delete;

  // Empty when there is none. Valid until the next call of store() or forget().
  std::span<const std::uint8_t> find(const Tokens& root);
  bool has(const Tokens& root) const { return entries_.contains(root); }

  // Drops older states to make room; drops the new one when it alone is too large.
  void store(const Tokens& root, std::vector<std::uint8_t> state);
  void forget(const Tokens& root);

  // Drops older states until one of `n_bytes` would fit: before it is made, so that the bound holds
  // for both together.
  void make_room(std::size_t n_bytes);

  std::size_t n_bytes() const { return n_bytes_; }
  std::size_t n_states() const { return entries_.size(); }

 private:
  struct Entry {
    Tokens root;
    std::vector<std::uint8_t> state;
  };
  using Place = std::list<Entry>::iterator;

  static std::size_t bytes_of(const Entry& entry);

  std::list<Entry> by_use_;  // most recent first
  std::map<Tokens, Place> entries_;
  std::size_t max_bytes_;
  std::size_t n_bytes_ = 0;
};

}  // namespace logit
