// A reply for a request without a model: probabilities from weights that a test gives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

#include "logit/types.h"

namespace logit::test {

// weight(i) > 0 of candidate i of any question.
inline Answer made_up_answer(const Question& question,
                             const std::function<double(std::size_t)>& weight) {
  Answer answer;
  answer.id = question.id;
  answer.type = question.type;
  auto& p = answer.probabilities;
  for (std::size_t i = 0; i < candidate_count(question); ++i) p.push_back(weight(i));
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& value : p) value /= sum;
  answer.best = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
  for (std::size_t i = 0; i < p.size(); ++i) answer.score += static_cast<double>(i) * p[i];
  answer.confidence = p[answer.best];
  return answer;
}

inline Reply made_up_reply(const Request& request,
                           const std::function<double(std::size_t)>& weight) {
  Reply reply;
  reply.model = "made-up";
  for (const Question& question : request.questions) {
    reply.answers.push_back(made_up_answer(question, weight));
  }
  reply.usage.input_tokens = 17;
  return reply;
}

}  // namespace logit::test
