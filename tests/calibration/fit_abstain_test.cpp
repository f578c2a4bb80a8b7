// src/calibration/fit_abstain.cpp: when to abstain.
#include "calibration/fit_abstain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "calibration/made_up.h"

namespace logit::calibration {
namespace {

// The right candidate stands out by `height`.
std::vector<ScoredRow> rows(std::size_t n, double height, std::uint64_t seed) {
  made_up::Rows random(seed);
  std::vector<ScoredRow> all;
  for (std::size_t i = 0; i < n; ++i) {
    ScoredRow row{random.scores(5, 1), i % 5, 0};
    row.scores[i % 5] += height;
    all.push_back(std::move(row));
  }
  return all;
}

AbstainFit fit(const std::vector<ScoredRow>& all) {
  std::vector<AbstainSample> samples;
  for (std::size_t i = 0; i < all.size(); ++i) {
    add_abstain_samples(all[i], {}, {}, 1, i % 5, samples);
  }
  return fit_abstain(std::move(samples), 5);
}

TEST(AddAbstainSamples, ALabelledRowGivesOneOfEachAtTheSameWidth) {
  const ScoredRow row{{5, 1, 0}, 0, 0};
  std::vector<AbstainSample> samples;
  add_abstain_samples(row, {}, {}, 2, 3, samples);
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_TRUE(samples[0].is_unanswerable);
  EXPECT_EQ(samples[0].features[0], 1);  // the right one, 5, is gone
  EXPECT_FALSE(samples[1].is_unanswerable);
  EXPECT_EQ(samples[1].features[0], 5);
  EXPECT_EQ(samples[1].weight, 2);
  EXPECT_EQ(samples[1].fold, 3U);
}

TEST(AddAbstainSamples, ARowWithoutALabelIsUnanswerableAsItCame) {
  std::vector<AbstainSample> samples;
  add_abstain_samples({{1, 1, 1}, {}, 0}, {}, {}, 1, 0, samples);
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_TRUE(samples[0].is_unanswerable);
  EXPECT_FALSE(samples[0].is_made);
}

TEST(AddAbstainSamples, ListedDeclineGrowsAgainstWhatIsLeft) {
  std::vector<AbstainSample> samples;
  add_abstain_samples({{3, 1, 0}, 0, -2}, {}, {}, 1, 0, samples);
  const std::vector<double> all{3, 1, 0};
  const std::vector<double> rest{1, 0};
  EXPECT_NEAR(samples[0].features[4], -2 + log_sum_exp(all) - log_sum_exp(rest), 1e-12);
}

TEST(AddAbstainSamples, BesideTextsOnlyWhatWasListedCounts) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const ScoredRow row{{5, 4, 1}, 0, -2.0, {-0.5, -1.5, none}};
  std::vector<AbstainSample> samples;
  add_abstain_samples(row, {}, {}, 1, 0, samples);
  ASSERT_EQ(samples.size(), 2U);
  const double all = std::log(std::exp(-0.5) + std::exp(-1.5));
  EXPECT_NEAR(samples[0].features[4], -2.0 + all + 1.5, 1e-12);  // without the first
  const double other = samples[1].features[4];                   // the second, or the unlisted one
  EXPECT_TRUE(std::abs(other - (-2.0 + all + 0.5)) < 1e-12 || other == -2.0) << other;
}

TEST(FitAbstain, TellsRowsWithoutTheirRightCandidateApart) {
  const AbstainFit easy = fit(rows(400, 5, 1));
  const AbstainFit hopeless = fit(rows(400, 0, 1));
  EXPECT_GT(*easy.auroc, 0.95);
  EXPECT_NEAR(*hopeless.auroc, 0.5, 0.06);
  std::vector<AbstainSample> fresh;
  for (const ScoredRow& row : rows(200, 5, 2)) add_abstain_samples(row, {}, {}, 1, 0, fresh);
  double with = 0;
  double without = 0;
  for (const AbstainSample& sample : fresh) {
    (sample.is_unanswerable ? without : with) += abstain_probability(easy.map, sample.features);
  }
  EXPECT_LT(with / 200, 0.15);
  EXPECT_GT(without / 200, 0.85);
}

TEST(FitAbstain, WhereNoneOfTheseWasReadTheLevelOfScoresDoesNotCount) {
  std::vector<ScoredRow> all = rows(200, 3, 4);
  for (ScoredRow& row : all) row.decline_log_odds = -1;
  const AbstainMap made = fit(all).map;
  for (const std::size_t k : {0U, 2U, 3U}) EXPECT_EQ(made.weights[k + 1], 0) << k;
  EXPECT_GT(made.weights[5], 0);
  for (std::size_t i = 0; i < 50; ++i) all.push_back({all[i].scores, {}, 1});
  const AbstainMap came = fit(all).map;
  EXPECT_EQ(came.weights[1], 0);
  EXPECT_NE(came.weights[3], 0);
  EXPECT_EQ(came.weights[4], 0);
}

TEST(FitAbstain, IsCalibratedAtEvenOdds) {
  const AbstainFit fitted = fit(rows(1000, 2, 3));
  std::vector<AbstainSample> fresh;
  for (const ScoredRow& row : rows(1000, 2, 4)) add_abstain_samples(row, {}, {}, 1, 0, fresh);
  double mean = 0;
  for (const AbstainSample& sample : fresh) {
    mean += abstain_probability(fitted.map, sample.features) / static_cast<double>(fresh.size());
  }
  EXPECT_NEAR(mean, 0.5, 0.03);
}

TEST(FitAbstain, AFeatureThatNeverVariesGetsNoWeight) {
  EXPECT_EQ(fit(rows(100, 2, 5)).map.weights[5], 0);
}

}  // namespace
}  // namespace logit::calibration
