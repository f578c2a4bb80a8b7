// src/calibration/guarantees.cpp: thresholds that can be relied on.
#include "calibration/guarantees.h"

#include <gtest/gtest.h>

#include <cmath>

#include "calibration/made_up.h"
#include "logit/fit.h"

namespace logit::calibration {
namespace {

TEST(ErrorUpperBound, HasTheKnownValues) {
  // No errors: 1 - alpha^(1/n). Else the alpha quantiles of Beta(k + 1, n - k), from tables.
  EXPECT_NEAR(error_upper_bound(0, 59, 0.05), 1 - std::pow(0.05, 1.0 / 59), 1e-12);
  EXPECT_NEAR(error_upper_bound(0, 10, 0.05), 0.2588656, 1e-6);
  EXPECT_NEAR(error_upper_bound(1, 10, 0.05), 0.3941633, 1e-6);
  EXPECT_NEAR(error_upper_bound(5, 10, 0.025), 0.8129140, 1e-6);
  EXPECT_NEAR(error_upper_bound(10, 100, 0.05), 0.1637, 5e-5);
  EXPECT_EQ(error_upper_bound(3, 3, 0.05), 1);
  EXPECT_EQ(error_upper_bound(0, 0, 0.05), 1);
}

TEST(ErrorUpperBound, RowsNeededForFivePercent) {
  const std::pair<std::size_t, std::size_t> needed[] = {{0, 59}, {2, 124}, {5, 208}};
  for (const auto& [n_errors, n] : needed) {
    EXPECT_LE(error_upper_bound(n_errors, n, 0.05), 0.05) << n;
    EXPECT_GT(error_upper_bound(n_errors, n - 1, 0.05), 0.05) << n;
  }
}

TEST(ErrorUpperBound, StaysFiniteForManyRows) {
  const double bound = error_upper_bound(50000, 1000000, 0.005);
  EXPECT_GT(bound, 0.05);
  EXPECT_LT(bound, 0.0507);
}

// p(right) = the probability itself.
std::vector<Prediction> calibrated(std::size_t n, std::uint64_t seed, double least) {
  made_up::Rows random(seed);
  std::vector<Prediction> predictions;
  for (std::size_t i = 0; i < n; ++i) {
    const double probability = least + (1 - least) * random.uniform();
    predictions.push_back({probability, random.uniform() < probability});
  }
  return predictions;
}

TEST(FindAcceptance, BoundIsThatOfTheAcceptedRowsAndMeetsTheRisk) {
  std::string note;
  const auto predictions = calibrated(2000, 3, 0.3);
  const auto found = find_acceptance(predictions, 0.1, note);
  ASSERT_TRUE(found) << note;
  std::size_t n_accepted = 0;
  std::size_t n_errors = 0;
  for (const Prediction& prediction : predictions) {
    if (!accepts(*found, prediction.probability)) continue;
    ++n_accepted;
    n_errors += prediction.is_right ? 0U : 1U;
  }
  EXPECT_EQ(found->n_accepted, n_accepted);
  EXPECT_EQ(found->n_errors, n_errors);
  EXPECT_LE(found->upper_bound, 0.1);
  EXPECT_DOUBLE_EQ(found->upper_bound, error_upper_bound(n_errors, n_accepted, 0.005));
  EXPECT_EQ(note, "");
}

TEST(FindAcceptance, PromiseIsBrokenByAtMostOneSampleInTwenty) {
  std::size_t n_broken = 0;
  std::size_t n_found = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::string note;
    const auto found = find_acceptance(calibrated(400, seed, 0.6), 0.15, note);
    if (!found) continue;
    ++n_found;
    // The true error above a threshold t of a uniform probability is the mean of 1 - p.
    n_broken += (1 - found->threshold) / 2 > 0.15 ? 1U : 0U;
  }
  EXPECT_GT(n_found, 200U);
  EXPECT_LE(n_broken, 15U);
}

TEST(FindAcceptance, TooFewRowsSayHowManyAreNeeded) {
  std::string note;
  EXPECT_FALSE(find_acceptance(std::vector<Prediction>(50, {0.9, true}), 0.05, note));
  EXPECT_NE(note.find("a risk of 0.05 cannot be certified"), std::string::npos) << note;
  EXPECT_NE(note.find("about 10"), std::string::npos) << note;  // 104: log(.005) / log(.95)
  EXPECT_TRUE(find_acceptance(std::vector<Prediction>(104, {0.9, true}), 0.05, note));
}

TEST(FindAcceptance, AModelThatIsWrongWhereItIsSurestIsNotPromisedRows) {
  std::vector<Prediction> predictions;
  for (int i = 0; i < 200; ++i) predictions.push_back({0.5 + i / 500.0, i % 2 == 0});
  std::string note;
  EXPECT_FALSE(find_acceptance(predictions, 0.05, note));
  EXPECT_NE(note.find("more rows alone would not help"), std::string::npos) << note;
}

TEST(FindConformal, QuantileIsTheRankOfTheMethod) {
  std::vector<double> of_the_right;
  for (int i = 1; i <= 19; ++i) of_the_right.push_back(i / 20.0);
  std::string note;
  // ceil(20 * 0.9) = 18th smallest of 1 - p: p = 0.1.
  EXPECT_NEAR(find_conformal(of_the_right, 0.9, note).quantile, 0.9, 1e-12);
  EXPECT_EQ(note, "");
}

TEST(FindConformal, CoverageIsReachedOnOtherRows) {
  made_up::Rows random(5);
  const auto draw = [&](std::size_t n) {
    std::vector<double> of_the_right;
    for (std::size_t i = 0; i < n; ++i) of_the_right.push_back(random.uniform());
    return of_the_right;
  };
  double covered = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string note;
    const double quantile = find_conformal(draw(49), 0.8, note).quantile;
    for (const double p : draw(50)) covered += 1 - p <= quantile ? 1U : 0U;
  }
  EXPECT_NEAR(covered / 20000, 0.8, 0.012);
}

TEST(FindConformal, TooFewRowsGiveTheWholeSetAndSaySo) {
  std::string note;
  EXPECT_EQ(find_conformal(std::vector<double>(8, 0.9), 0.9, note).quantile, 1);
  EXPECT_NE(note.find("at least 9 labelled rows"), std::string::npos) << note;
  note.clear();
  EXPECT_NEAR(find_conformal(std::vector<double>(9, 0.9), 0.9, note).quantile, 0.1, 1e-12);
  EXPECT_EQ(note, "");
}

}  // namespace
}  // namespace logit::calibration
