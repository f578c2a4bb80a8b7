// Resampling: numbers that a second implementation (numpy) gives for the same seed.
#include "eval/bootstrap.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace logit::eval {
namespace {

constexpr double kTolerance = 1e-8;

// The published sequence of SplitMix64 for this seed.
TEST(Bootstrap, TheGeneratorIsSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(Bootstrap, AResampleHasAsManyRowsAsThereAre) {
  std::size_t n_seen = 0;
  for_each_resample(7, {20, 3}, [&](std::span<const std::size_t> counts) {
    ++n_seen;
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), 7U);
  });
  EXPECT_EQ(n_seen, 20U);
}

TEST(Bootstrap, AnIntervalLiesBetweenNeighboursLikeNumpysPercentile) {
  std::vector<double> values(41);
  std::iota(values.rbegin(), values.rend(), 0.0);
  EXPECT_NEAR(central_interval(values).low, 1, kTolerance);
  EXPECT_NEAR(central_interval(values).high, 39, kTolerance);
  EXPECT_NEAR(central_interval({5, 1}).low, 1.1, kTolerance);
}

TEST(Bootstrap, APairedDifferenceAgreesWithNumpy) {
  const PairedDifference difference =
      paired_difference(std::vector<double>{1, 0, 0, 1, -1, 0, 1, 0, 0, 0, 1, 0});
  EXPECT_EQ(difference.n, 12U);
  EXPECT_NEAR(difference.mean, 0.25, kTolerance);
  EXPECT_NEAR(difference.interval.low, -0.08333333333333333, kTolerance);
  EXPECT_NEAR(difference.interval.high, 0.5833333333333334, kTolerance);
  EXPECT_NEAR(difference.p, 0.22857714228577142, kTolerance);
}

TEST(Bootstrap, TheSameSeedGivesTheSameNumbersAndAnotherSeedOthers) {
  const std::vector<double> values{.3, -.1, .2, .4, -.5, .1, .7};
  EXPECT_EQ(paired_difference(values, {100, 5}).interval.low,
            paired_difference(values, {100, 5}).interval.low);
  EXPECT_NE(paired_difference(values, {100, 5}).interval.low,
            paired_difference(values, {100, 6}).interval.low);
}

TEST(Bootstrap, NoDifferenceIsCertainOfNothing) {
  const PairedDifference same = paired_difference(std::vector<double>(50, 0.0));
  EXPECT_EQ(same.mean, 0);
  EXPECT_EQ(same.p, 1);
  EXPECT_EQ(paired_difference({}).n, 0U);
  EXPECT_EQ(paired_difference({}).p, 1);
}

TEST(Bootstrap, ADifferenceOnEveryRowHasTheSmallestP) {
  EXPECT_NEAR(paired_difference(std::vector<double>(50, 0.1)).p, 2.0 / 10001, kTolerance);
}

}  // namespace
}  // namespace logit::eval
