// Confusion: which candidates are taken for which.
#pragma once

#include <cstddef>
#include <vector>

#include "eval/metrics.h"

namespace logit::eval {

struct ConfusedPair {
  std::size_t label = 0;
  std::size_t predicted = 0;
  std::size_t n = 0;           // rows with this label and this prediction
  std::size_t n_label = 0;     // rows with this label
  double mean_confidence = 0;  // of the prediction, over the n rows
};

// At most `n_pairs`, most rows first; equals by mean confidence, the most certain errors first.
std::vector<ConfusedPair> worst_pairs(const Outcomes& outcomes, std::size_t n_pairs = 10);

}  // namespace logit::eval
