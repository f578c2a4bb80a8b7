// Keeps the states of roots, within a bound of bytes.
//
// Entry: PrefixCache. Tests: tests/llama/prefix_cache_test.cpp.
#include "llama/prefix_cache.h"

#include <utility>

namespace logit {

std::size_t PrefixCache::bytes_of(const Entry& entry) {
  return entry.state.size() + 2 * entry.root.size() * sizeof(Token);  // the map has them, too
}

std::span<const std::uint8_t> PrefixCache::find(const Tokens& root) {
  const auto found = entries_.find(root);
  if (found == entries_.end()) return {};
  by_use_.splice(by_use_.begin(), by_use_, found->second);
  return found->second->state;
}

void PrefixCache::store(const Tokens& root, std::vector<std::uint8_t> state) {
  forget(root);
  Entry entry{root, std::move(state)};
  const std::size_t n = bytes_of(entry);
  if (n > max_bytes_) return;
  make_room(n);
  by_use_.push_front(std::move(entry));
  entries_.emplace(root, by_use_.begin());
  n_bytes_ += n;
}

void PrefixCache::make_room(std::size_t n_bytes) {
  while (!by_use_.empty() && n_bytes_ + n_bytes > max_bytes_) {
    forget(Tokens(by_use_.back().root));
  }
}

void PrefixCache::forget(const Tokens& root) {
  const auto found = entries_.find(root);
  if (found == entries_.end()) return;
  n_bytes_ -= bytes_of(*found->second);
  by_use_.erase(found->second);
  entries_.erase(found);
}

}  // namespace logit
