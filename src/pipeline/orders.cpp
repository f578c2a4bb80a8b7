// Orders of candidates. Entry: list_orders. Tested by tests/pipeline/orders_test.cpp.
#include "pipeline/orders.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "numeric/hash.h"

namespace logit::pipeline {
namespace {

Order by_texts(const QuestionText& text) {
  const std::uint64_t seed = hash_text(text.instructions);
  std::vector<std::pair<std::uint64_t, std::string>> keys;
  for (const Candidate& candidate : text.candidates) {
    std::string listed = listed_text(candidate);
    const std::uint64_t hash = hash_text(listed, seed);
    keys.emplace_back(hash, std::move(listed));
  }
  Order order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return order;
}

// The place behind which a single letter stands in a list of n; none for other names.
std::optional<std::size_t> place_of_letter(const std::string& name, std::size_t n) {
  if (name.size() != 1) return std::nullopt;
  const char c = name.front();
  const bool is_lower = c >= 'a' && c <= 'z';
  if (!is_lower && (c < 'A' || c > 'Z')) return std::nullopt;
  const auto place = static_cast<std::size_t>(c - (is_lower ? 'a' : 'A'));
  if (place >= n) return std::nullopt;
  return place;
}

// `free` candidates around those that have a place of their own.
Order fill(const std::vector<std::optional<std::size_t>>& placed, const Order& free) {
  Order order;
  auto next = free.begin();
  for (const std::optional<std::size_t>& own : placed) order.push_back(own ? *own : *next++);
  return order;
}

std::vector<Order> choice_orders(const QuestionText& text, std::size_t n_orders) {
  std::vector<std::optional<std::size_t>> placed(text.candidates.size());
  Order free;
  for (const std::size_t candidate : by_texts(text)) {
    const auto place = place_of_letter(text.candidates[candidate].name, placed.size());
    if (place && !placed[*place]) {
      placed[*place] = candidate;
    } else {
      free.push_back(candidate);
    }
  }
  const std::size_t n = std::max<std::size_t>(std::min(n_orders, free.size()), 1);
  std::vector<Order> orders;
  for (std::size_t k = 0; k < n; ++k) {
    Order rotated = free;
    const auto shift = static_cast<std::ptrdiff_t>(k * free.size() / n);
    std::rotate(rotated.begin(), rotated.begin() + shift, rotated.end());
    orders.push_back(fill(placed, rotated));
  }
  return orders;
}

}  // namespace

std::vector<Order> list_orders(const QuestionText& text, QuestionType type, std::size_t n_orders) {
  if (type == QuestionType::kChoice) return choice_orders(text, n_orders);
  Order order(text.candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Order> orders{order};
  if (n_orders > 1 && order.size() > 1) orders.emplace_back(order.rbegin(), order.rend());
  return orders;
}

}  // namespace logit::pipeline
