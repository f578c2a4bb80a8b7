// Scores to probabilities. Entry: normalise. Tested by tests/pipeline/normalise_test.cpp.
#include <algorithm>
#include <cmath>

#include "numeric/log_space.h"
#include "pipeline/stages.h"

namespace logit::pipeline {

std::vector<double> normalise(std::span<const double> scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  std::vector<double> probabilities(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) probabilities[i] = std::exp(scores[i] - top);
  const double sum = sum_ascending(probabilities);
  for (double& probability : probabilities) probability /= sum;
  return probabilities;
}

}  // namespace logit::pipeline
