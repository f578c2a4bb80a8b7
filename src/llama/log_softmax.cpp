// Sums exponentials of a row of logits.
//
// Entry: log_sum_exp(). Tests: tests/llama/log_softmax_test.cpp.
//
// g++ 12 vectorises neither std::exp nor a plain loop with this polynomial in it, and then a wide
// read would cost a tenth of the model. Hence the vector types of g++ and clang; four lanes are
// what every x86-64 and ARM64 has, so the order of the sum is the same in every build.
#include "llama/log_softmax.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace logit {
namespace {

constexpr std::size_t kLanes = 4;
constexpr std::size_t kStep = 4 * kLanes;  // independent sums, to hide the latency of additions
constexpr std::size_t kBlock = 8;          // additions in float per lane before a double takes over

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using Bits = std::uint32_t __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));

Lanes load(const float* x) {
  Lanes lanes;
  std::memcpy(&lanes, x, sizeof(lanes));
  return lanes;
}

Lanes all_lanes(float x) { return Lanes{x, x, x, x}; }

// exp(x) for x <= 0: 2^n * p(r), x = n ln 2 + r, |r| <= ln 2 / 2. Cephes' expf polynomial. The
// addition of 1.5 * 2^23 rounds to an integer whose low bits then are those of the float.
inline Lanes exp_of(Lanes x) {
  const Lanes round = all_lanes(12582912.0F);
  x = x < all_lanes(-87.0F) ? all_lanes(-87.0F) : x;
  const Lanes shifted = x * 1.44269504088896341F + round;
  const Lanes n = shifted - round;
  const Lanes r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  Lanes p = r * 1.9875691500e-4F + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const Bits scale = (std::bit_cast<Bits>(shifted) << 23U) + 0x3F800000U;
  return p * std::bit_cast<Lanes>(scale);
}

struct Extremes {
  float least = 0;
  float most = 0;
};

// A NaN is passed over here; the sum finds it.
Extremes extremes_of(std::span<const float> row) {
  Lanes least = all_lanes(std::numeric_limits<float>::infinity());
  Lanes most = -least;
  std::size_t i = 0;
  for (; i + kLanes <= row.size(); i += kLanes) {
    const Lanes x = load(row.data() + i);
    least = x < least ? x : least;
    most = x > most ? x : most;
  }
  Extremes all{least[0], most[0]};
  for (std::size_t lane = 1; lane < kLanes; ++lane) {
    all = {std::min(all.least, least[lane]), std::max(all.most, most[lane])};
  }
  for (; i < row.size(); ++i) all = {std::min(all.least, row[i]), std::max(all.most, row[i])};
  return all;
}

double sum_lanes(Lanes lanes) {
  return (double{lanes[0]} + double{lanes[1]}) + (double{lanes[2]} + double{lanes[3]});
}

// The sum over kStep * kBlock numbers. NaN if one of them is NaN.
double sum_block(const float* x, Lanes most) {
  std::array<Lanes, kStep / kLanes> sums{};
  for (std::size_t i = 0; i < kStep * kBlock; i += kStep) {
    for (std::size_t k = 0; k < sums.size(); ++k) {
      sums[k] += exp_of(load(x + i + k * kLanes) - most);
    }
  }
  return (sum_lanes(sums[0]) + sum_lanes(sums[1])) + (sum_lanes(sums[2]) + sum_lanes(sums[3]));
}

}  // namespace

double log_sum_exp(std::span<const float> row) {
  const Extremes range = extremes_of(row);
  if (!std::isfinite(range.least) || !std::isfinite(range.most)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const Lanes most = all_lanes(range.most);
  double sum = 0;
  std::size_t i = 0;
  for (; i + kStep * kBlock <= row.size(); i += kStep * kBlock) {
    sum += sum_block(row.data() + i, most);
  }
  for (; i < row.size(); ++i) sum += double{exp_of(all_lanes(row[i]) - most)[0]};
  return double{range.most} + std::log(sum);
}

}  // namespace logit
