// Outputs of an evaluation to scores of the candidates. Entries: sum_of, read_scores, against,
// gain.
// Tested by tests/pipeline/read_scores_test.cpp.
#include "numeric/log_space.h"
#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

double read_weight(const Weight& weight, std::span<const double> outputs) {
  std::vector<double> sums;
  sums.reserve(weight.spellings.size());
  for (const Spelling& spelling : weight.spellings) sums.push_back(sum_of(spelling, outputs));
  return weight.scale * (log_sum_exp(sums) - sum_of(weight.reference, outputs));
}

}  // namespace

double sum_of(const Spelling& spelling, std::span<const double> outputs) {
  double sum = 0;
  for (const std::uint32_t output : spelling) sum += outputs[output];
  return sum;
}

std::vector<double> read_scores(std::span<const Weighing> weighings,
                                std::span<const double> outputs) {
  if (weighings.empty()) return {};
  std::vector<double> mean(weighings.front().candidates.size(), 0.0);
  double shares = 0;
  for (const Weighing& weighing : weighings) {
    shares += weighing.share;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += weighing.share * read_weight(weighing.candidates[i], outputs);
    }
  }
  for (double& value : mean) value /= shares;
  return mean;
}

std::vector<double> against(std::span<const double> yes, std::span<const double> no) {
  std::vector<double> share(yes.size());
  for (std::size_t i = 0; i < yes.size(); ++i) {
    const double pair[] = {yes[i], no[i]};
    share[i] = yes[i] - log_sum_exp(pair);
  }
  return share;
}

std::vector<double> gain(std::span<const double> raw, std::span<const double> baseline) {
  std::vector<double> scores(raw.begin(), raw.end());
  for (std::size_t i = 0; i < baseline.size(); ++i) scores[i] -= baseline[i];
  return scores;
}

}  // namespace logit::pipeline
