// Counts wrong predictions; entry: worst_pairs. Tested by tests/cli/html_report_test.cpp.
#include "eval/confusion.h"

#include <algorithm>
#include <map>
#include <utility>

namespace logit::eval {

std::vector<ConfusedPair> worst_pairs(const Outcomes& outcomes, std::size_t n_pairs) {
  std::map<std::pair<std::size_t, std::size_t>, ConfusedPair> found;
  std::vector<std::size_t> n_labels(outcomes.n_candidates, 0);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::size_t label = outcomes.labels[i];
    const std::size_t predicted = first_maximum(outcomes.row(i));
    ++n_labels[label];
    if (label == predicted) continue;
    ConfusedPair& pair = found[{label, predicted}];
    ++pair.n;
    pair.mean_confidence += outcomes.row(i)[predicted];
  }
  std::vector<ConfusedPair> pairs;
  for (auto& [key, pair] : found) {
    pair.label = key.first;
    pair.predicted = key.second;
    pair.n_label = n_labels[key.first];
    pair.mean_confidence /= static_cast<double>(pair.n);
    pairs.push_back(pair);
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const ConfusedPair& a, const ConfusedPair& b) {
    return a.n != b.n ? a.n > b.n : a.mean_confidence > b.mean_confidence;
  });
  if (pairs.size() > n_pairs) pairs.resize(n_pairs);
  return pairs;
}

}  // namespace logit::eval
