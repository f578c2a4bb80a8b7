// Samples: labelled scores as the fits take them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logit/calibration.h"

namespace logit::calibration {

struct Sample {
  std::vector<double> scores{};  // a prior is already subtracted
  std::size_t label = 0;
  double weight = 1;
  double target = 1;  // of the label; the rest is spread evenly over the other candidates
};

// The number of a fold, 0 .. n_folds - 1, for each row: rows of one label are spread evenly, rows
// of equal scores share a fold, and a row's fold depends on its numbers and not on its place.
// REQUIRES: n_folds > 0.
std::vector<std::size_t> make_folds(std::span<const Sample> samples, std::size_t n_folds,
                                    std::uint64_t seed);

// `n` divisions of the kind, by seeds from `seed` on.
std::vector<std::vector<std::size_t>> make_divisions(std::span<const Sample> samples,
                                                     std::size_t n_folds, std::uint64_t seed,
                                                     std::size_t n);

}  // namespace logit::calibration
