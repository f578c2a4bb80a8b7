// Finds and resolves repeated keys, in n log n: an object may have millions of members.
// Tested by tests/wire/repeated_keys_test.cpp.
#include "wire/repeated_keys.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <variant>

namespace logit::wire {
namespace {

// Member indices by key; equal keys in document order.
std::vector<std::size_t> indices_by_key(const Content::Object& members) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return members[a].first < members[b].first;
  });
  return order;
}

void keep_last(Content::Object& members) {
  const std::vector<std::size_t> order = indices_by_key(members);
  std::vector<bool> is_dropped(members.size());
  std::size_t first = 0;  // position in `order` of the first member with this key
  bool any = false;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (members[order[i]].first != members[order[first]].first) {
      first = i;
      continue;
    }
    members[order[first]].second = std::move(members[order[i]].second);
    is_dropped[order[i]] = any = true;
  }
  if (!any) return;
  Content::Object kept;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!is_dropped[i]) kept.push_back(std::move(members[i]));
  }
  members = std::move(kept);
}

}  // namespace

std::vector<bool> repeated_members(const Content::Object& members) {
  const std::vector<std::size_t> order = indices_by_key(members);
  std::vector<bool> is_repeated(members.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    is_repeated[order[i]] = members[order[i]].first == members[order[i - 1]].first;
  }
  return is_repeated;
}

void keep_last_members(Content& content) {
  if (auto* items = std::get_if<Content::Array>(&content.value)) {
    for (Content& item : *items) keep_last_members(item);
  } else if (auto* members = std::get_if<Content::Object>(&content.value)) {
    keep_last(*members);
    for (auto& [key, value] : *members) keep_last_members(value);
  }
}

}  // namespace logit::wire
