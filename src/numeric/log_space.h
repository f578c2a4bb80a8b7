// Sums of exponentials without overflow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace logit {

// REQUIRES: values not empty, finite.
inline double log_sum_exp(std::span<const double> values) {
  const double top = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += std::exp(value - top);
  return top + std::log(sum);
}

inline std::vector<double> softmax(std::span<const double> values) {
  const double log_sum = log_sum_exp(values);
  std::vector<double> shares(values.begin(), values.end());
  for (double& share : shares) share = std::exp(share - log_sum);
  return shares;
}

}  // namespace logit
