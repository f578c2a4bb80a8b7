// src/calibration/drop_repeats.cpp: labelled rows that say nothing new.
#include <gtest/gtest.h>

#include "calibration/check_rows.h"
#include "logit/fit.h"

namespace logit::calibration {
namespace {

ScoredRow row(double score, std::optional<std::size_t> label) { return {{score, 0}, label, 0, {}}; }

TEST(DropRepeats, ARowGivenTwiceCountsOnce) {
  ScoredRows rows;
  rows.labelled = {row(1, 0), row(2, 0), row(1, 0), row(1, 0)};
  rows.unlabelled = {row(1, {}), row(1, {})};
  const ScoredRows kept = drop_repeats(rows);
  ASSERT_EQ(kept.labelled.size(), 2U);
  EXPECT_EQ(kept.labelled[0].scores[0], 1);
  EXPECT_EQ(kept.labelled[1].scores[0], 2);
  EXPECT_EQ(kept.unlabelled.size(), 2U);
}

TEST(DropRepeats, OneStateUnderTwoLabelsIsNoRepeat) {
  ScoredRows rows;
  rows.labelled = {row(1, 0), row(1, 1), row(1, {})};
  EXPECT_EQ(drop_repeats(rows).labelled.size(), 3U);
}

// Thirty rows eight times over certify no more than thirty.
TEST(DropRepeats, RowsGivenEightTimesCertifyNothingNew) {
  ScoredRows once;
  once.question.id = "q";
  once.question.type = QuestionType::kChoice;
  once.question.options = {{"a", {}}, {"b", {}}};
  for (int i = 0; i < 40; ++i) once.labelled.push_back(row(i % 2 == 0 ? 3 + i : -3 - i, i % 2));
  ScoredRows often = once;
  for (int copy = 1; copy < 8; ++copy) {
    often.labelled.insert(often.labelled.end(), once.labelled.begin(), once.labelled.end());
  }
  const FitOptions options{.risks = {.05}, .coverages = {.9}};
  const auto fitted_once = fit_question(once, options);
  const auto fitted_often = fit_question(often, options);
  ASSERT_TRUE(fitted_once && fitted_often);
  EXPECT_TRUE(fitted_often->acceptances.empty());
  EXPECT_EQ(fitted_often->map, fitted_once->map);
  EXPECT_EQ(fitted_often->conformal, fitted_once->conformal);
  EXPECT_EQ(fitted_often->report.n_labelled, 40U);
  EXPECT_EQ(fitted_often->report.notes.front(),
            "280 labelled rows repeat another, and count once with it");
}

}  // namespace
}  // namespace logit::calibration
