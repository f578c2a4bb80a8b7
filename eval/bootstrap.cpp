// Draws rows with replacement; entries: for_each_resample, paired_difference. Tested by
// tests/cli/bootstrap_test.cpp.
#include "eval/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logit::eval {
namespace {

double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

std::size_t Random::below(std::size_t n) { return ((next() >> 32U) * n) >> 32U; }

double Random::unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

void for_each_resample(std::size_t n, const BootstrapOptions& options,
                       const std::function<void(std::span<const std::size_t>)>& visit) {
  Random random(options.seed);
  std::vector<std::size_t> counts(n);
  for (std::size_t resample = 0; resample < options.n_resamples; ++resample) {
    std::fill(counts.begin(), counts.end(), std::size_t{0});
    for (std::size_t draw = 0; draw < n; ++draw) ++counts[random.below(n)];
    visit(counts);
  }
}

Interval central_interval(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.025), quantile(values, 0.975)};
}

PairedDifference paired_difference(std::span<const double> differences,
                                   const BootstrapOptions& options) {
  const std::size_t n = differences.size();
  if (n == 0 || options.n_resamples == 0) return {};
  std::vector<double> means;
  std::size_t n_low = 0;
  std::size_t n_high = 0;
  for_each_resample(n, options, [&](std::span<const std::size_t> counts) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(counts[i]) * differences[i];
    means.push_back(sum / static_cast<double>(n));
    if (sum <= 0) ++n_low;
    if (sum >= 0) ++n_high;
  });
  const double mean =
      std::accumulate(differences.begin(), differences.end(), 0.0) / static_cast<double>(n);
  const double p = 2 * static_cast<double>(std::min(n_low, n_high) + 1) /
                   static_cast<double>(options.n_resamples + 1);
  return {n, mean, central_interval(std::move(means)), std::min(p, 1.0)};
}

}  // namespace logit::eval
