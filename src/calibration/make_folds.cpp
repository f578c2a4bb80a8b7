// Rows into folds; entry: make_folds. Tested by tests/calibration/make_folds_test.cpp.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "calibration/samples.h"
#include "numeric/hash.h"

namespace logit::calibration {
namespace {

// Rounded, so that sums in another order (of a prior that was subtracted) give the same hash.
std::uint64_t hash_scores(std::span<const double> scores, std::uint64_t seed) {
  std::vector<double> rounded;
  for (const double score : scores) rounded.push_back(std::round(score * 1e6) + 0.0);
  return hash_numbers(rounded, seed);
}

}  // namespace

std::vector<std::size_t> make_folds(std::span<const Sample> samples, std::size_t n_folds,
                                    std::uint64_t seed) {
  std::vector<std::uint64_t> hashes;
  for (const Sample& sample : samples) hashes.push_back(hash_scores(sample.scores, seed));
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(samples[a].label, hashes[a], a) < std::tuple(samples[b].label, hashes[b], b);
  });
  std::vector<std::size_t> folds(samples.size());
  std::unordered_map<std::uint64_t, std::size_t> seen;
  for (const std::size_t i : order) {
    folds[i] = seen.try_emplace(hashes[i], seen.size() % n_folds).first->second;
  }
  return folds;
}

std::vector<std::vector<std::size_t>> make_divisions(std::span<const Sample> samples,
                                                     std::size_t n_folds, std::uint64_t seed,
                                                     std::size_t n) {
  std::vector<std::vector<std::size_t>> divisions;
  for (std::size_t i = 0; i < n; ++i) divisions.push_back(make_folds(samples, n_folds, seed + i));
  return divisions;
}

}  // namespace logit::calibration
