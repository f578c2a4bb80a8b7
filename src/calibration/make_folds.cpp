// Rows into folds; entry: make_folds. Tested by tests/calibration/make_folds_test.cpp.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include "calibration/hash.h"
#include "calibration/samples.h"

namespace logit::calibration {

std::vector<std::size_t> make_folds(std::span<const Sample> samples, std::size_t n_folds,
                                    std::uint64_t seed) {
  std::vector<std::uint64_t> hashes;
  for (const Sample& sample : samples) hashes.push_back(hash_numbers(sample.scores, seed));
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(samples[a].label, hashes[a], a) < std::tuple(samples[b].label, hashes[b], b);
  });
  std::vector<std::size_t> folds(samples.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    folds[order[place]] = place % n_folds;
  }
  return folds;
}

}  // namespace logit::calibration
