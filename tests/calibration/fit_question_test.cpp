// src/calibration/fit_question.cpp, steps.cpp, check_rows.cpp: a calibration of one question.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "calibration/made_up.h"
#include "logit/fit.h"

namespace logit {
namespace {

bool has_note(const FitReport& report, const std::string& part) {
  return std::any_of(report.notes.begin(), report.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

std::string all_notes(const FitReport& report) {
  std::string all;
  for (const std::string& note : report.notes) all += note + "\n";
  return all;
}

ScoredRows choice_rows(std::size_t n_rows, std::size_t n, const ScoreMap& map,
                       std::uint64_t seed = 1) {
  return {made_up::choice(n), {}, made_up::Rows(seed).labelled(n_rows, n, map), {}};
}

double loss_of(const QuestionCalibration& fitted, const std::vector<ScoredRow>& rows) {
  double sum = 0;
  for (const ScoredRow& row : rows) {
    sum -= std::log(softmax(map_scores(fitted.map, row.scores, fitted.prior))[*row.label]);
  }
  return sum / static_cast<double>(rows.size());
}

TEST(FitQuestion, ManyRowsGiveTemperatureAndBias) {
  const ScoreMap truth{.temperature = 3, .bias = {1.5, -0.5, -0.5, -0.5}};
  const auto fitted = fit_question(choice_rows(800, 4, truth), {});
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(fitted->map.temperature, 3, 0.5);
  ASSERT_EQ(fitted->map.bias.size(), 4U);
  EXPECT_NEAR(fitted->map.bias[0] - fitted->map.bias[1], 2, 0.6);
  EXPECT_LT(fitted->report.held_out->log_loss_after,
            fitted->report.held_out->log_loss_before - 0.2);
  EXPECT_LT(fitted->report.held_out->ece_after, fitted->report.held_out->ece_before);
  EXPECT_EQ(fitted->report.n_labelled, 800U);
}

TEST(FitQuestion, ReportForeseesTheLossOnOtherRows) {
  const ScoreMap truth{.temperature = 3, .bias = {1, -1, 0, 0}};
  const auto fitted = fit_question(choice_rows(600, 4, truth), {});
  ASSERT_TRUE(fitted);
  const auto fresh = made_up::Rows(99).labelled(4000, 4, truth);
  EXPECT_NEAR(loss_of(*fitted, fresh), fitted->report.held_out->log_loss_after, 0.08);
}

TEST(FitQuestion, ScoresThatAreRightAlreadyAreLeftAlone) {
  const auto fitted = fit_question(choice_rows(400, 4, {}), {});
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->map, ScoreMap{});
  EXPECT_TRUE(fitted->prior.empty());
  EXPECT_TRUE(has_note(fitted->report, "temperature not kept")) << all_notes(fitted->report);
  EXPECT_TRUE(has_note(fitted->report, "bias not kept")) << all_notes(fitted->report);
}

TEST(FitQuestion, FewRowsGiveOneScaleAndSayWhy) {
  const auto fitted = fit_question(choice_rows(60, 4, {.temperature = 6}), {});
  ASSERT_TRUE(fitted);
  EXPECT_GT(fitted->map.temperature, 1.5);
  EXPECT_TRUE(fitted->map.bias.empty());
  EXPECT_TRUE(has_note(fitted->report, "bias not fitted: 60 labelled rows, at least 100"));
}

TEST(FitQuestion, FewerThanTenErrorsRefuseTheTemperature) {
  ScoredRows rows = choice_rows(50, 3, {});
  for (std::size_t i = 0; i < rows.labelled.size(); ++i) {
    const auto& scores = rows.labelled[i].scores;
    const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
    rows.labelled[i].label = (static_cast<std::size_t>(best) + (i < 9 ? 1 : 0)) % 3;
  }
  const auto fitted = fit_question(rows, {.before = {.temperature = 4}});
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->map.temperature, 4);
  EXPECT_TRUE(has_note(fitted->report, "temperature not fitted: 9 wrong answers, at least 10"));
}

TEST(FitQuestion, ACandidateWithFewRowsGetsNoBias) {
  ScoredRows rows = choice_rows(300, 3, {.temperature = 2, .bias = {2, -2, 0}});
  std::size_t n = 0;
  std::erase_if(rows.labelled, [&](const ScoredRow& row) { return row.label == 2 && ++n > 9; });
  const auto fitted = fit_question(rows, {});
  ASSERT_TRUE(fitted);
  EXPECT_TRUE(has_note(fitted->report, "bias not fitted for 1 of 3 candidates"))
      << all_notes(fitted->report);
  ASSERT_EQ(fitted->map.bias.size(), 3U);
  EXPECT_EQ(fitted->map.bias[2], 0);
}

TEST(FitQuestion, AnOffsetIsLearnedFromRowsWithoutLabels) {
  made_up::Rows random(4);
  ScoredRows rows{made_up::choice(3), {}, {}, {}};
  for (std::size_t i = 0; i < 200; ++i) {
    ScoredRow row{random.scores(3, 1), {}, 0};
    row.scores[0] += 4;
    rows.unlabelled.push_back(std::move(row));
  }
  const auto fitted = fit_question(rows, {.before = {.temperature = 0.8}});
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->map.temperature, 0.8);
  EXPECT_NEAR(fitted->prior[0] - fitted->prior[1], 4 * 0.75 * 200 / 264, 0.2);
  EXPECT_EQ(fitted->report.n_unlabelled, 200U);
  EXPECT_FALSE(fitted->report.held_out);
  EXPECT_TRUE(has_note(fitted->report, "only a prior was fitted: 0 labelled rows"));
}

TEST(FitQuestion, APriorIsKeptWhenLabelledRowsGainByIt) {
  made_up::Rows random(6);
  ScoredRows rows{made_up::choice(4), {}, random.labelled(80, 4, {}), {}};
  rows.unlabelled = random.labelled(400, 4, {});
  for (auto* list : {&rows.labelled, &rows.unlabelled}) {
    for (ScoredRow& row : *list) row.scores[2] += 5;
  }
  const auto fitted = fit_question(rows, {});
  ASSERT_TRUE(fitted);
  ASSERT_EQ(fitted->prior.size(), 4U);
  EXPECT_GT(fitted->prior[2], 2);
  EXPECT_GT(fitted->report.held_out->accuracy_after,
            fitted->report.held_out->accuracy_before + 0.2);
}

TEST(FitQuestion, NoulGetsPlattsSlopeAndBias) {
  const ScoredRows rows{
      made_up::noul(), {}, made_up::Rows(3).labelled(600, 2, {.temperature = 2, .tilt = 1}), {}};
  const auto fitted = fit_question(rows, {});
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(fitted->map.temperature, 2, 0.5);
  EXPECT_GT(fitted->map.tilt, 0.3);
  EXPECT_FALSE(fitted->abstain);
}

TEST(FitQuestion, ScoreGetsATiltAndStaysUnimodal) {
  const ScoredRows rows{made_up::score(5),
                        {},
                        made_up::Rows(3).labelled(600, 5, {.temperature = 2, .tilt = 0.6}),
                        {}};
  const auto fitted = fit_question(rows, {});
  ASSERT_TRUE(fitted);
  EXPECT_GT(fitted->map.tilt, 0.2);
}

TEST(FitQuestion, AcceptanceIsHonestOnOtherRows) {
  const ScoreMap truth{.temperature = 0.5};
  const auto fitted =
      fit_question(choice_rows(800, 3, truth), {.risks = {0.1, 0.001}, .coverages = {0.9}});
  ASSERT_TRUE(fitted);
  ASSERT_EQ(fitted->acceptances.size(), 1U);
  EXPECT_TRUE(has_note(fitted->report, "a risk of 0.001 cannot be certified"));
  std::size_t n_accepted = 0;
  std::size_t n_wrong = 0;
  std::size_t n_covered = 0;
  const auto fresh = made_up::Rows(42).labelled(5000, 3, truth);
  for (const ScoredRow& row : fresh) {
    const auto p = softmax(map_scores(fitted->map, row.scores, fitted->prior));
    const auto best = std::max_element(p.begin(), p.end());
    const auto set = prediction_set(fitted->conformal[0], p);
    n_covered += std::count(set.begin(), set.end(), *row.label) > 0 ? 1U : 0U;
    if (!accepts(fitted->acceptances[0], *best)) continue;
    ++n_accepted;
    n_wrong += static_cast<std::size_t>(best - p.begin()) == *row.label ? 0U : 1U;
  }
  EXPECT_GT(n_accepted, 1000U);
  EXPECT_LE(static_cast<double>(n_wrong) / static_cast<double>(n_accepted), 0.1);
  EXPECT_NEAR(static_cast<double>(n_covered) / 5000, 0.9, 0.03);
}

TEST(FitQuestion, AbstainsWhereTheRightOptionIsGone) {
  const auto fitted = fit_question(choice_rows(300, 6, {.temperature = 0.4}), {});
  ASSERT_TRUE(fitted);
  ASSERT_TRUE(fitted->abstain);
  EXPECT_GT(*fitted->report.abstain_auroc, 0.6);
}

TEST(FitQuestion, OrderOfRowsHardlyMatters) {
  ScoredRows rows = choice_rows(300, 4, {.temperature = 3, .bias = {1, 0, 0, -1}});
  const auto forward = fit_question(rows, {});
  std::reverse(rows.labelled.begin(), rows.labelled.end());
  const auto backward = fit_question(rows, {});
  ASSERT_TRUE(forward);
  ASSERT_TRUE(backward);
  EXPECT_NEAR(forward->map.temperature, backward->map.temperature, 1e-5);
  EXPECT_NEAR(forward->report.held_out->log_loss_after, backward->report.held_out->log_loss_after,
              1e-5);
}

TEST(FitQuestion, TooFewRowsAreRefusedWithTheNumber) {
  const auto fitted = fit_question(choice_rows(9, 3, {}), {});
  ASSERT_FALSE(fitted);
  EXPECT_EQ(fitted.error().code, ErrorCode::kConfig);
  EXPECT_NE(fitted.error().message.find("9 labelled rows, at least 30"), std::string::npos);
  const ScoredRows nouls{made_up::noul(), {}, made_up::Rows(1).labelled(29, 2, {}), {}};
  ASSERT_FALSE(fit_question(nouls, {}));
  EXPECT_NE(fit_question(nouls, {}).error().message.find("a choice only"), std::string::npos);
}

TEST(FitQuestion, WhatWasAskedForAndNotDoneIsSaid) {
  const FitOptions options{.risks = {.1}, .coverages = {.9}};
  const auto few = fit_question(choice_rows(20, 4, {}), options);
  ASSERT_TRUE(few);
  EXPECT_TRUE(has_note(few->report, "no threshold for a risk was sought: 20 labelled rows"));
  EXPECT_TRUE(has_note(few->report, "no sets were fitted: 20 labelled rows"));
  EXPECT_FALSE(has_note(fit_question(choice_rows(20, 4, {}), {})->report, "sought"));
}

TEST(FitQuestion, RowsForWhichNothingIsRightAreCountedApart) {
  ScoredRows rows = choice_rows(40, 4, {});
  for (int i = 0; i < 12; ++i) rows.labelled.push_back({{.1 * i, 0, 0, 0}, {}, 0, {}});
  const auto fitted = fit_question(rows, {});
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->report.n_labelled, 40U);
  EXPECT_TRUE(has_note(fitted->report, "12 rows for which no answer is right"));
  ScoredRows nouls{made_up::noul(), {}, made_up::Rows(1).labelled(40, 2, {}), {}};
  nouls.labelled.push_back({{0, 0}, {}, 0, {}});
  EXPECT_TRUE(has_note(fit_question(nouls, {})->report,
                       "1 rows for which no answer is right take no part"));
  rows.labelled.erase(rows.labelled.begin(), rows.labelled.begin() + 40);
  const auto refused = fit_question(rows, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("(and 12 for which no answer is right)"),
            std::string::npos)
      << refused.error().message;
}

TEST(FitQuestion, RowsThatDoNotMatchAreRefusedByPlace) {
  ScoredRows rows = choice_rows(40, 3, {});
  rows.labelled[7].scores.pop_back();
  EXPECT_EQ(fit_question(rows, {}).error().where, "q.labelled[7]");
  rows = choice_rows(40, 3, {});
  rows.labelled[3].label = 3;
  EXPECT_EQ(fit_question(rows, {}).error().where, "q.labelled[3]");
  rows = choice_rows(40, 3, {});
  rows.unlabelled = {{{0, std::numeric_limits<double>::quiet_NaN(), 0}, {}, 0}};
  EXPECT_EQ(fit_question(rows, {}).error().where, "q.unlabelled[0]");
  EXPECT_EQ(fit_question(choice_rows(40, 3, {}), {.risks = {1.5}}).error().where, "risks");
}

}  // namespace
}  // namespace logit
