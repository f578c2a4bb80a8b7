// Sums of exponentials without overflow. The same values give the same bits in any order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace logit {

// Smallest first, so that the order in which they come does not count.
inline double sum_ascending(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// REQUIRES: values not empty, finite.
inline double log_sum_exp(std::span<const double> values) {
  const double top = *std::max_element(values.begin(), values.end());
  std::vector<double> shares;
  shares.reserve(values.size());
  for (const double value : values) shares.push_back(std::exp(value - top));
  return top + std::log(sum_ascending(std::move(shares)));
}

inline std::vector<double> softmax(std::span<const double> values) {
  const double log_sum = log_sum_exp(values);
  std::vector<double> shares(values.begin(), values.end());
  for (double& share : shares) share = std::exp(share - log_sum);
  return shares;
}

}  // namespace logit
