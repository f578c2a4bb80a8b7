// src/calibration/minimise.cpp: minima of smooth functions.
#include "calibration/minimise.h"

#include <gtest/gtest.h>

#include <cmath>

namespace logit::calibration {
namespace {

TEST(Minimise, QuadraticOfTwentyVeryDifferentCurvaturesIsSolved) {
  const Objective f = [](std::span<const double> x, std::span<double> gradient) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double curvature = std::pow(2.0, static_cast<double>(i) / 2);
      const double distance = x[i] - static_cast<double>(i);
      sum += curvature * distance * distance / 2;
      gradient[i] = curvature * distance;
    }
    return sum;
  };
  const std::vector<double> x = minimise(f, std::vector<double>(20));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], static_cast<double>(i), 1e-5);
}

TEST(Minimise, RosenbrockValleyIsFollowedToItsEnd) {
  const Objective f = [](std::span<const double> x, std::span<double> gradient) {
    const double across = x[1] - x[0] * x[0];
    gradient[0] = -400 * x[0] * across - 2 * (1 - x[0]);
    gradient[1] = 200 * across;
    return 100 * across * across + (1 - x[0]) * (1 - x[0]);
  };
  const std::vector<double> x = minimise(f, {-1.2, 1});
  EXPECT_NEAR(x[0], 1, 1e-5);
  EXPECT_NEAR(x[1], 1, 1e-5);
}

TEST(Minimise, AStartAtTheMinimumIsKept) {
  const Objective f = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = 2 * x[0];
    return x[0] * x[0];
  };
  EXPECT_EQ(minimise(f, {0}), std::vector<double>{0});
}

TEST(MinimiseBetween, FindsTheValleyOrTheLowerEnd) {
  EXPECT_NEAR(minimise_between(-3, 5, [](double x) { return (x - 1.5) * (x - 1.5); }), 1.5, 1e-6);
  EXPECT_NEAR(minimise_between(-3, 5, [](double x) { return x; }), -3, 1e-6);
}

}  // namespace
}  // namespace logit::calibration
