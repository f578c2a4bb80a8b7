// Fits when to abstain; entries: add_abstain_samples, fit_abstain. Tested by
// tests/calibration/fit_abstain_test.cpp.
#include "calibration/fit_abstain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "calibration/measure.h"
#include "calibration/minimise.h"
#include "numeric/hash.h"
#include "numeric/log_space.h"

namespace logit::calibration {
namespace {

std::vector<double> without(std::vector<double> values, std::size_t i) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
  return values;
}

// What "none of these" gains against those it was compared with when candidate i is taken away:
// nothing when i was not among them (NaN), or was the only one.
double gain_without(std::span<const double> compared, std::size_t i) {
  std::vector<double> all;
  std::vector<double> rest;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    if (std::isnan(compared[k])) continue;
    all.push_back(compared[k]);
    if (k != i) rest.push_back(compared[k]);
  }
  return rest.empty() ? 0 : log_sum_exp(all) - log_sum_exp(rest);
}

AbstainFeatures features_without(const ScoredRow& row, const std::vector<double>& mapped,
                                 std::size_t i) {
  double decline = row.decline_log_odds;
  if (decline != 0) decline += gain_without(row.listed.empty() ? row.scores : row.listed, i);
  return abstain_features(without(mapped, i), decline);
}

// Total weight by kind: [is_unanswerable][is_made].
using Totals = std::array<std::array<double, 2>, 2>;

void balance(std::vector<AbstainSample>& samples) {
  Totals totals{};
  std::size_t n_came = 0;
  for (const AbstainSample& sample : samples) {
    totals[sample.is_unanswerable ? 1 : 0][sample.is_made ? 1 : 0] += sample.weight;
    n_came += sample.is_unanswerable && !sample.is_made ? 1U : 0U;
  }
  const double answerable = totals[0][0] + totals[0][1];
  const bool are_halves = n_came >= kLeastClassRows && totals[1][1] > 0;
  for (AbstainSample& sample : samples) {
    if (!sample.is_unanswerable) continue;
    const double total =
        are_halves ? 2 * totals[1][sample.is_made ? 1 : 0] : totals[1][0] + totals[1][1];
    sample.weight *= answerable / total;
  }
}

using Usable = std::array<bool, kAbstainFeatures>;

// Where "none of these" was read, scores have a level only together with the candidate that a made
// row lost, so the level is left out. Of made rows entropy is left out too: it tells near misses
// better, and states that have nothing to do with the question worse (docs/measurements.md).
Usable usable_features(std::span<const AbstainSample> samples) {
  const auto any = [&](auto is) { return std::any_of(samples.begin(), samples.end(), is); };
  if (!any([](const AbstainSample& sample) { return sample.features[4] != 0; })) {
    return {true, true, true, true, false};
  }
  const bool has_came =
      any([](const AbstainSample& sample) { return sample.is_unanswerable && !sample.is_made; });
  return {false, true, has_came, false, true};
}

struct Scale {
  AbstainFeatures mean{};
  AbstainFeatures spread{};
};

Scale scale_of(std::span<const AbstainSample> samples, const Usable& usable) {
  Scale scale;
  scale.spread.fill(std::numeric_limits<double>::infinity());  // of what is left out
  const double n = static_cast<double>(samples.size());
  for (std::size_t k = 0; k < kAbstainFeatures; ++k) {
    if (!usable[k]) continue;
    double sum = 0;
    double squares = 0;
    for (const AbstainSample& sample : samples) sum += sample.features[k];
    scale.mean[k] = sum / n;
    for (const AbstainSample& sample : samples) {
      squares += std::pow(sample.features[k] - scale.mean[k], 2);
    }
    scale.spread[k] = squares > 1e-12 * n ? std::sqrt(squares / n) : 1;
  }
  return scale;
}

double add_sample(const AbstainSample& sample, const Scale& scale, std::span<const double> x,
                  std::span<double> gradient) {
  AbstainFeatures standardised{};
  double log_odds = x[0];
  for (std::size_t k = 0; k < kAbstainFeatures; ++k) {
    standardised[k] = (sample.features[k] - scale.mean[k]) / scale.spread[k];
    log_odds += x[k + 1] * standardised[k];
  }
  const double signed_odds = sample.is_unanswerable ? log_odds : -log_odds;
  const double miss = 1 / (1 + std::exp(signed_odds));
  const double slope = sample.weight * (sample.is_unanswerable ? -miss : miss);
  gradient[0] += slope;
  for (std::size_t k = 0; k < kAbstainFeatures; ++k) gradient[k + 1] += slope * standardised[k];
  // log(1 + exp(-signed_odds)) without overflow.
  const double loss = signed_odds > 0 ? std::log1p(std::exp(-signed_odds))
                                      : std::log1p(std::exp(signed_odds)) - signed_odds;
  return sample.weight * loss;
}

AbstainMap regress(std::span<const AbstainSample> samples, const Usable& usable) {
  const Scale scale = scale_of(samples, usable);
  const Objective objective = [&](std::span<const double> x, std::span<double> gradient) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    double sum = 0;
    for (const AbstainSample& sample : samples) sum += add_sample(sample, scale, x, gradient);
    for (std::size_t k = 1; k < x.size(); ++k) {
      sum += x[k] * x[k] / 2;
      gradient[k] += x[k];
    }
    return sum;
  };
  const std::vector<double> x = minimise(objective, std::vector<double>(kAbstainFeatures + 1));
  AbstainMap map;
  map.weights[0] = x[0];
  for (std::size_t k = 0; k < kAbstainFeatures; ++k) {
    map.weights[k + 1] = x[k + 1] / scale.spread[k];
    map.weights[0] -= map.weights[k + 1] * scale.mean[k];
  }
  return map;
}

}  // namespace

void add_abstain_samples(const ScoredRow& row, const ScoreMap& map, std::span<const double> prior,
                         double weight, std::size_t fold, std::vector<AbstainSample>& samples) {
  const std::vector<double> mapped = map_scores(map, row.scores, prior);
  const std::size_t n = mapped.size();
  const std::uint64_t choice = hash_numbers(row.scores, 0);
  if (!row.label) {
    samples.push_back({features_without(row, mapped, choice % n), true, false, weight, fold});
    return;
  }
  const std::size_t other = (*row.label + 1 + choice % (n - 1)) % n;
  samples.push_back({features_without(row, mapped, *row.label), true, true, weight, fold});
  samples.push_back({features_without(row, mapped, other), false, true, weight, fold});
}

AbstainFit fit_abstain(std::vector<AbstainSample> samples, std::size_t n_folds) {
  balance(samples);
  const Usable usable = usable_features(samples);
  std::vector<double> unanswerable;
  std::vector<double> answerable;
  for (std::size_t fold = 0; fold < n_folds; ++fold) {
    std::vector<AbstainSample> training;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(training),
                 [&](const AbstainSample& sample) { return sample.fold != fold; });
    if (training.empty()) continue;
    const AbstainMap map = regress(training, usable);
    for (const AbstainSample& sample : samples) {
      if (sample.fold != fold) continue;
      (sample.is_unanswerable ? unanswerable : answerable)
          .push_back(abstain_probability(map, sample.features));
    }
  }
  return {regress(samples, usable), auroc(unanswerable, answerable)};
}

}  // namespace logit::calibration
