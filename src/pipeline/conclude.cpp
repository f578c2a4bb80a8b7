// Probabilities to an Answer. Entries: conclude, choice_confidence, score_confidence.
// Tested by tests/pipeline/conclude_test.cpp.
#include <algorithm>
#include <cmath>

#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

std::size_t first_maximum(std::span<const double> values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

// Mean of |i - (n - 1) / 2| for i = 0 .. n - 1.
double uniform_spread(std::size_t n) {
  const double middle = (static_cast<double>(n) - 1) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::abs(static_cast<double>(i) - middle);
  return sum / static_cast<double>(n);
}

double expected_level(std::span<const double> probabilities) {
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    sum += static_cast<double>(i) * probabilities[i];
  }
  // Rounding may carry the sum past the top level by an ulp.
  return std::clamp(sum, 0.0, static_cast<double>(probabilities.size() - 1));
}

}  // namespace

double choice_confidence(std::span<const double> probabilities) {
  if (probabilities.size() < 2) return 1;
  const double share = 1 / static_cast<double>(probabilities.size());
  const double top = *std::max_element(probabilities.begin(), probabilities.end());
  return std::clamp((top - share) / (1 - share), 0.0, 1.0);
}

double score_confidence(std::span<const double> probabilities) {
  if (probabilities.size() < 2) return 1;
  const double mode = static_cast<double>(first_maximum(probabilities));
  double distance = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    distance += probabilities[i] * std::abs(static_cast<double>(i) - mode);
  }
  return std::clamp(1 - distance / uniform_spread(probabilities.size()), 0.0, 1.0);
}

Answer conclude(const Question& question, std::vector<double> probabilities, Answer answer) {
  answer.id = question.id;
  answer.type = question.type;
  answer.best = first_maximum(probabilities);
  if (question.type == QuestionType::kChoice) answer.confidence = choice_confidence(probabilities);
  if (question.type == QuestionType::kScore) {
    answer.confidence = score_confidence(probabilities);
    answer.score = expected_level(probabilities);
  }
  answer.probabilities = std::move(probabilities);
  return answer;
}

}  // namespace logit::pipeline
