// Bootstrap: how much a measure would move on other rows like these (Efron & Tibshirani 1993).
// Seeded, with its own generator: equal numbers on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logit::eval {

struct Interval {
  double low = 0;
  double high = 0;
};

struct BootstrapOptions {
  std::size_t n_resamples = 1000;
  std::uint64_t seed = 1;
};

// SplitMix64 (Steele, Lea & Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::size_t below(std::size_t n);  // REQUIRES: 0 < n < 2^32
  double unit();                     // in [0, 1)

 private:
  std::uint64_t state_;
};

// Calls visit(counts) for each resample: counts[i] is how often row i was drawn, n in all.
void for_each_resample(std::size_t n, const BootstrapOptions& options,
                       const std::function<void(std::span<const std::size_t>)>& visit);

// 2.5 % and 97.5 % of the values, between neighbours linearly. REQUIRES: not empty.
Interval central_interval(std::vector<double> values);

// Mean of per-row differences between two runs on the same rows.
struct PairedDifference {
  std::size_t n = 0;
  double mean = 0;
  Interval interval;  // 95 %
  double p = 1;       // two-sided: how often a resample's mean lies on the other side of 0
};

inline constexpr BootstrapOptions kPairedBootstrap{10000, 1};

// No rows: a mean of 0 and p 1. p is at least 2 / (n_resamples + 1), at most 1.
PairedDifference paired_difference(std::span<const double> differences,
                                   const BootstrapOptions& options = kPairedBootstrap);

}  // namespace logit::eval
