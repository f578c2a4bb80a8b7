// src/calibration/fit_map.cpp: temperature, tilt and bias by log loss.
#include "calibration/fit_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "calibration/made_up.h"

namespace logit::calibration {
namespace {

std::vector<Sample> drawn(std::size_t n_rows, std::size_t n, const ScoreMap& map,
                          std::uint64_t seed = 1) {
  std::vector<Sample> samples;
  for (const ScoredRow& row : made_up::Rows(seed).labelled(n_rows, n, map)) {
    samples.push_back({row.scores, *row.label});
  }
  return samples;
}

double mean_loss(const std::vector<Sample>& samples, const ScoreMap& map) {
  const std::vector<double> each = losses(samples, map);
  return std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
}

TEST(FitMap, TemperatureIsRecovered) {
  for (const double temperature : {0.4, 1.0, 2.5, 6.0}) {
    const auto samples = drawn(4000, 5, {.temperature = temperature});
    const ScoreMap map = fit_map(samples, {.has_temperature = true});
    EXPECT_NEAR(std::log(map.temperature), std::log(temperature), 0.1) << temperature;
  }
}

TEST(FitMap, TemperatureStaysInItsRange) {
  std::vector<Sample> always_right;
  std::vector<Sample> always_wrong;
  for (int i = 0; i < 50; ++i) {
    always_right.push_back({{1, 0}, 0});
    always_wrong.push_back({{1, 0}, 1});
  }
  EXPECT_NEAR(fit_map(always_right, {.has_temperature = true}).temperature, 0.2, 1e-6);
  EXPECT_NEAR(fit_map(always_wrong, {.has_temperature = true}).temperature, 20, 1e-4);
  const ScoreMap tilted = fit_map(always_right, {.has_temperature = true, .has_tilt = true});
  EXPECT_GE(tilted.temperature, 0.2);
  EXPECT_LE(tilted.temperature, 20);
}

TEST(FitMap, LogNormalPriorHoldsAFewRowsNearTheStart) {
  const auto samples = drawn(40, 3, {.temperature = 5});
  const MapShape free{.start = {.temperature = 1}, .has_temperature = true};
  MapShape held = free;
  held.temperature_spread = 0.05;
  EXPECT_GT(fit_map(samples, free).temperature, 2.5);
  EXPECT_LT(fit_map(samples, held).temperature, 1.5);
}

TEST(FitMap, PlattSlopeAndBiasAreRecovered) {
  // p(yes) = sigmoid((z_yes - z_no) / T - tilt).
  const auto samples = drawn(6000, 2, {.temperature = 3, .tilt = 0.8});
  const ScoreMap map = fit_map(samples, {.has_temperature = true, .has_tilt = true});
  EXPECT_NEAR(map.temperature, 3, 0.2);
  EXPECT_NEAR(map.tilt, 0.8, 0.08);
}

TEST(FitMap, PlattOnAMadeSetHasTheClosedFormSolution) {
  // Two distinct inputs, two parameters: the fit meets both shares exactly. z = +2: 30 of 40 yes;
  // z = -2: 10 of 50 yes. Slope and bias solve the two logits.
  std::vector<Sample> samples;
  const auto add = [&](double z, std::size_t n_yes, std::size_t n_no) {
    for (std::size_t i = 0; i < n_yes + n_no; ++i) {
      samples.push_back({{z / 2, -z / 2}, i < n_yes ? 0U : 1U});
    }
  };
  add(2, 30, 10);
  add(-2, 10, 40);
  const ScoreMap map = fit_map(samples, {.has_temperature = true, .has_tilt = true});
  const double at_plus = std::log(3.0);
  const double at_minus = std::log(0.25);
  EXPECT_NEAR(1 / map.temperature, (at_plus - at_minus) / 4, 1e-4);
  EXPECT_NEAR(-map.tilt, (at_plus + at_minus) / 2, 1e-3);
}

TEST(FitMap, SmoothTargetsKeepAConstantClassFinite) {
  std::vector<Sample> samples;
  for (int i = 0; i < 20; ++i) samples.push_back({{0, 0}, 0, 1, 21.0 / 22});
  const ScoreMap map = fit_map(samples, {.has_tilt = true});
  EXPECT_NEAR(map.tilt, -std::log(21.0), 1e-2);
}

TEST(FitMap, TiltOfAScoreIsRecovered) {
  const auto samples = drawn(4000, 6, {.temperature = 2, .tilt = -0.3});
  const ScoreMap map = fit_map(samples, {.has_temperature = true, .has_tilt = true});
  EXPECT_NEAR(map.temperature, 2, 0.15);
  EXPECT_NEAR(map.tilt, -0.3, 0.03);
}

TEST(FitMap, BiasIsRecoveredUpToAConstant) {
  const std::vector<double> bias{1, -0.5, 0, -0.5};
  const auto samples = drawn(6000, 4, {.temperature = 2, .bias = bias});
  const ScoreMap map =
      fit_map(samples, {.has_temperature = true, .has_bias = std::vector<char>(4, 1), .pull = 0.1});
  EXPECT_NEAR(map.temperature, 2, 0.15);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(map.bias[i], bias[i], 0.12) << i;
}

TEST(FitMap, AStrongPullHoldsTheBiasAtZeroAndARefusedOneStaysThere) {
  const auto samples = drawn(500, 3, {.temperature = 2, .bias = {2, 0, -2}});
  const MapShape shape{.has_temperature = true, .has_bias = {1, 1, 1}, .pull = 1e7};
  for (const double bias : fit_map(samples, shape).bias) EXPECT_NEAR(bias, 0, 1e-3);
  const MapShape partial{.has_temperature = true, .has_bias = {1, 0, 1}, .pull = 0.1};
  EXPECT_EQ(fit_map(samples, partial).bias[1], 0);
}

TEST(FitMap, NoMapOfTheShapeIsBetter) {
  const auto samples = drawn(300, 3, {.temperature = 2, .tilt = 0.4});
  const MapShape shape{.has_temperature = true, .has_tilt = true};
  const ScoreMap best = fit_map(samples, shape);
  const double least = mean_loss(samples, best);
  for (const double step : {-0.01, 0.01}) {
    ScoreMap other = best;
    other.temperature *= 1 + step;
    EXPECT_GE(mean_loss(samples, other), least - 1e-9);
    other = best;
    other.tilt += step;
    EXPECT_GE(mean_loss(samples, other), least - 1e-5);
  }
}

TEST(FitMap, WeightsCountAsCopies) {
  auto samples = drawn(200, 3, {.temperature = 2});
  auto copied = samples;
  copied.insert(copied.end(), samples.begin(), samples.begin() + 100);
  for (std::size_t i = 0; i < 100; ++i) samples[i].weight = 2;
  const MapShape shape{.has_temperature = true};
  EXPECT_NEAR(fit_map(samples, shape).temperature, fit_map(copied, shape).temperature, 1e-6);
}

}  // namespace
}  // namespace logit::calibration
