#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

using Values = std::vector<double>;

Question of_type(QuestionType type, std::size_t n) {
  Question question;
  question.id = "q";
  question.type = type;
  for (std::size_t i = 0; i < n; ++i) {
    if (type == QuestionType::kChoice) question.options.push_back({"o" + std::to_string(i), {}});
    if (type == QuestionType::kScore) question.levels.emplace_back("l" + std::to_string(i));
  }
  return question;
}

TEST(ChoiceConfidence, MatchesTheDocumentedExamples) {  // case C10
  EXPECT_NEAR(choice_confidence(Values{.85, 0, .15}), 0.775, 1e-12);
  EXPECT_NEAR(choice_confidence(Values{.25, .25, .25, .25}), 0, 1e-12);
  EXPECT_EQ(choice_confidence(Values{1, 0, 0}), 1);
  EXPECT_NEAR(choice_confidence(Values{0, .57, .43}), 0.355, 1e-12);
}

TEST(ScoreConfidence, DividesByTheSpreadOfAUniformScale) {
  const double divisors[] = {.5, 2.0 / 3, 1, 1.2, 1.5, 12.0 / 7, 2, 20.0 / 9, 2.5};
  for (std::size_t n = 2; n <= 10; ++n) {
    Values p(n, 0.0);
    p[0] = 0.75;
    p[1] = 0.25;
    EXPECT_NEAR(score_confidence(p), 1 - 0.25 / divisors[n - 2], 1e-12) << n;
  }
}

TEST(ScoreConfidence, SeparatesNearMissesFromFarOnes) {
  EXPECT_GT(score_confidence(Values{.6, .4, 0, 0}), score_confidence(Values{.6, 0, 0, .4}));
}

TEST(ScoreConfidence, NeverFallsBelowZero) {
  EXPECT_EQ(score_confidence(Values{.51, 0, 0, 0, 0, 0, 0, 0, 0, .49}), 0);
}

TEST(Confidence, OneCandidateIsCertain) {  // decision 8
  EXPECT_EQ(choice_confidence(Values{1}), 1);
  EXPECT_EQ(score_confidence(Values{1}), 1);
}

TEST(Conclude, BestIsTheFirstMaximum) {
  EXPECT_EQ(conclude(of_type(QuestionType::kChoice, 3), {.2, .4, .4}).best, 1U);
}

TEST(Conclude, ScoreIsTheExpectedLevel) {
  EXPECT_NEAR(conclude(of_type(QuestionType::kScore, 4), {.1, .2, .3, .4}).score, 2.0, 1e-12);
}

TEST(Conclude, ScoreNeverLeavesItsScale) {  // case C128
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    Values scores(1 + random() % 10);
    for (double& value : scores) value = static_cast<double>(random() % 2000) - 1000.0;
    scores.back() += 1000;
    const Answer answer = conclude(of_type(QuestionType::kScore, scores.size()), normalise(scores));
    EXPECT_GE(answer.score, 0);
    EXPECT_LE(answer.score, static_cast<double>(scores.size() - 1));
  }
}

TEST(Conclude, NoulHasNeitherConfidenceNorScore) {
  const Answer answer = conclude(of_type(QuestionType::kNoul, 0), {.9, .1});
  EXPECT_EQ(answer.confidence, 0);
  EXPECT_EQ(answer.score, 0);
  EXPECT_EQ(answer.probabilities.front(), .9);
}

}  // namespace
}  // namespace logit::pipeline
