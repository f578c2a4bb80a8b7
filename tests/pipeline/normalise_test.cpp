#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

using Values = std::vector<double>;

double sum(const Values& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(Normalise, HugeEqualShiftsDoNotCancelDifferences) {
  EXPECT_EQ(normalise(Values{1e20, 1e20}), (Values{0.5, 0.5}));
  EXPECT_EQ(normalise(Values{-1e20, 0}), (Values{0, 1}));
}

TEST(Normalise, EqualScoresGiveEqualShares) {
  for (double x : {-700.0, 0.0, 3.25, 1e6}) {
    const Values p = normalise(Values{x, x, x});
    EXPECT_EQ(p[0], p[1]);
    EXPECT_EQ(p[1], p[2]);
    EXPECT_NEAR(p[0], 1.0 / 3, 1e-15);
  }
}

TEST(Normalise, OneCandidateHasProbabilityOne) { EXPECT_EQ(normalise(Values{-42}), Values{1.0}); }

TEST(Normalise, SumsToOneAndKeepsOrderForAnyFiniteScores) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> score(-200, 50);
  for (int round = 0; round < 500; ++round) {
    Values scores(1 + random() % 255);
    for (double& value : scores) value = score(random);
    const Values p = normalise(scores);
    EXPECT_NEAR(sum(p), 1, 1e-9);
    for (std::size_t i = 1; i < p.size(); ++i) {
      EXPECT_EQ(scores[i] > scores[0],
                p[i] > p[0] || (p[i] == 0 && p[0] == 0 && scores[i] > scores[0]));
    }
  }
}

TEST(Normalise, AddingAConstantChangesNothing) {
  const Values p = normalise(Values{0.25, 1.5, -2});
  const Values q = normalise(Values{64.25, 65.5, 62});  // exact in binary
  EXPECT_EQ(p, q);
}

}  // namespace
}  // namespace logit::pipeline
