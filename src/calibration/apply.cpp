// Scores to calibrated decisions; entries: map_scores, abstain_probability, accepts,
// prediction_set. Tested by tests/calibration/apply_test.cpp.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "logit/calibration.h"
#include "numeric/log_space.h"

namespace logit {
namespace {

// Entropy of the softmax over that of a uniform one, in [0, 1].
double relative_entropy(std::span<const double> mapped, double log_sum) {
  if (mapped.size() < 2) return 0;
  std::vector<double> terms;
  for (const double u : mapped) terms.push_back(std::exp(u - log_sum) * (log_sum - u));
  return sum_ascending(std::move(terms)) / std::log(static_cast<double>(mapped.size()));
}

}  // namespace

std::vector<double> map_scores(const ScoreMap& map, std::span<const double> scores,
                               std::span<const double> prior) {
  std::vector<double> mapped(scores.begin(), scores.end());
  const double middle = (static_cast<double>(scores.size()) - 1) / 2;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    if (!prior.empty()) mapped[i] -= prior[i];
    mapped[i] /= map.temperature;
    if (map.tilt != 0) mapped[i] += map.tilt * (static_cast<double>(i) - middle);
    if (!map.bias.empty()) mapped[i] += map.bias[i];
  }
  return mapped;
}

AbstainFeatures abstain_features(std::span<const double> mapped, double decline_log_odds) {
  const double log_sum = log_sum_exp(mapped);
  double top = mapped[0];
  double second = mapped.size() > 1 ? mapped[1] : top;
  if (second > top) std::swap(top, second);
  for (std::size_t i = 2; i < mapped.size(); ++i) {
    second = std::max(second, std::min(top, mapped[i]));
    top = std::max(top, mapped[i]);
  }
  return {top, top - second, relative_entropy(mapped, log_sum),
          log_sum - std::log(static_cast<double>(mapped.size())), decline_log_odds};
}

double abstain_probability(const AbstainMap& map, const AbstainFeatures& features) {
  double log_odds = map.weights[0];
  for (std::size_t k = 0; k < kAbstainFeatures; ++k) log_odds += map.weights[k + 1] * features[k];
  return 1 / (1 + std::exp(-log_odds));
}

const AbstainMap& default_abstain_map(Readout readout) {
  static constexpr AbstainMap kListed{{0, 0, 0, 0, 0, 1}};
  static constexpr AbstainMap kTextChannel{{0.3, 0, 0, 0, 0, 0.4}};
  static constexpr AbstainMap kText{{0.55, -0.5, 0, 0, 0, 0}};
  if (uses_labels(readout)) return kListed;
  return readout == Readout::kTextChannel ? kTextChannel : kText;
}

bool accepts(const Acceptance& acceptance, double largest_probability) {
  return largest_probability >= acceptance.threshold;
}

std::vector<std::size_t> prediction_set(const ConformalQuantile& conformal,
                                        std::span<const double> probabilities) {
  const auto best = static_cast<std::size_t>(
      std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin());
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (i == best || 1 - probabilities[i] <= conformal.quantile) members.push_back(i);
  }
  return members;
}

}  // namespace logit
