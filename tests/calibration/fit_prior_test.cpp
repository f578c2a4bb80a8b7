// src/calibration/fit_prior.cpp: what a readout gives each candidate whatever the state.
#include "calibration/fit_prior.h"

#include <gtest/gtest.h>

#include <numeric>

#include "numeric/log_space.h"

namespace logit::calibration {
namespace {

using Row = std::vector<double>;

std::vector<std::span<const double>> spans(const std::vector<Row>& rows) {
  return {rows.begin(), rows.end()};
}

TEST(FitPrior, IsTheCentredMeanShrunk) {
  const std::vector<Row> rows(64, Row{3, 0, 0});
  const std::vector<double> prior = fit_prior(spans(rows));
  const double shrink = 0.75 * 64 / (64 + 64);
  EXPECT_DOUBLE_EQ(prior[0], shrink * 2);
  EXPECT_DOUBLE_EQ(prior[1], shrink * -1);
  EXPECT_NEAR(std::accumulate(prior.begin(), prior.end(), 0.0), 0, 1e-12);
}

TEST(FitPrior, MeanOfScoresAndOfLogProbabilitiesAreTheSame) {
  const std::vector<Row> rows{{1, 2, 4}, {-3, 0, 5}, {2, 2, 1}};
  std::vector<Row> logs = rows;
  for (Row& row : logs) {
    const double log_sum = log_sum_exp(row);
    for (double& value : row) value -= log_sum;
  }
  const std::vector<double> a = fit_prior(spans(rows));
  const std::vector<double> b = fit_prior(spans(logs));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
}

TEST(FitPrior, ManyRowsShrinkItByTheShareOnly) {
  const std::vector<Row> rows(64000, Row{2, 0});
  EXPECT_NEAR(fit_prior(spans(rows))[0], 0.75, 1e-3);
}

}  // namespace
}  // namespace logit::calibration
