// Facts about the sum of exponentials over a vocabulary.
#include "llama/log_softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace logit {
namespace {

double exact(const std::vector<float>& row) {
  double most = -std::numeric_limits<double>::infinity();
  for (const float x : row) most = std::max(most, double{x});
  double sum = 0;
  for (const float x : row) sum += std::exp(double{x} - most);
  return most + std::log(sum);
}

TEST(LogSumExp, AgreesWithTheSlowWay) {
  std::mt19937 random(1);
  for (const std::size_t n : {1U, 2U, 3U, 4U, 5U, 127U, 128U, 129U, 1000U, 49152U}) {
    for (const float width : {0.01F, 1.0F, 20.0F, 300.0F}) {
      std::vector<float> row(n);
      for (float& x : row) x = width * (static_cast<float>(random() % 20001) / 10000.0F - 1.0F);
      EXPECT_NEAR(log_sum_exp(row), exact(row), 2e-7) << n << " numbers, width " << width;
    }
  }
}

TEST(LogSumExp, EveryExponentialIsWithinTheStatedError) {
  for (float x = 0; x > -86.0F; x -= 0.0137F) {
    // The sum of a row of x and 0 is 1 + exp(x): cancel the 1.
    std::vector<float> row(256, x);
    const double value = std::exp(log_sum_exp(row) - double{x});
    EXPECT_NEAR(value / 256, 1, 2e-7) << x;
  }
}

TEST(LogSumExp, LargeEqualShiftsCancel) {
  const std::vector<float> row{1e20F, 1e20F};
  EXPECT_DOUBLE_EQ(log_sum_exp(row), 1e20F + std::log(2.0));
}

TEST(LogSumExp, WhatIsNotFiniteIsNotHidden) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    for (const std::size_t at : {0U, 1U, 130U, 300U}) {
      std::vector<float> row(301, 1.0F);
      row[at] = bad;
      EXPECT_TRUE(std::isnan(log_sum_exp(row))) << bad << " at " << at;
    }
  }
  EXPECT_TRUE(std::isnan(log_sum_exp(std::vector<float>{std::nanf("")})));
}

}  // namespace
}  // namespace logit
