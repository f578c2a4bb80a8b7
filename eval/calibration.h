// Calibration: bins of a reliability diagram and how sure a calibration error is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "eval/bootstrap.h"
#include "logit/calibration.h"

namespace logit::eval {

using Bin = ReliabilityBin;

// At most `n_bins` bins, none empty, by rising confidence; the rule of calibration_error().
// REQUIRES: both spans have one value a row.
std::vector<Bin> equal_mass_bins(std::span<const double> confidence, std::span<const char> right,
                                 std::size_t n_bins = 15);

// 95 % bootstrap over rows: the percentiles of the resampled errors, moved so that their mean lies
// at the measured error. Resampled bins are noisier than the bins themselves, which lifts every
// resample, often until the percentiles leave the measured error out. Not below 0. No data below
// two rows.
std::optional<Interval> calibration_error_interval(std::span<const double> confidence,
                                                   std::span<const char> right,
                                                   const BootstrapOptions& options = {},
                                                   std::size_t n_bins = 15);

// The error that exactly calibrated probabilities would show on as many rows with the same
// confidences: the mean over `options.n_resamples` draws in which a row is right with the
// probability it was given. An error near it is not evidence against the probabilities.
// No data below two rows.
std::optional<double> calibration_error_by_chance(std::span<const double> confidence,
                                                  const BootstrapOptions& options = {},
                                                  std::size_t n_bins = 15);

// 95 % interval of a share, `n_hits` of `n` (Wilson 1927). REQUIRES: n > 0, n_hits <= n.
Interval wilson_interval(std::size_t n_hits, std::size_t n);

}  // namespace logit::eval
