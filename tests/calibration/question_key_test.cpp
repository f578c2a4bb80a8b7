// src/calibration/question_key.cpp: what makes two questions the same.
#include <gtest/gtest.h>

#include <utility>

#include "calibration/made_up.h"
#include "logit/calibration.h"

namespace logit {
namespace {

TEST(QuestionKey, IdAndOrderOfOptionsDoNotCount) {
  Question a = made_up::choice(3);
  Question b = a;
  b.id = "other";
  std::swap(b.options[0], b.options[2]);
  EXPECT_EQ(question_key(a), question_key(b));
}

TEST(QuestionKey, EverythingTheModelReadsCounts) {
  const Question base = made_up::choice(3);
  std::vector<Question> others(5, base);
  others[0].instructions = Content("Which one?");
  others[1].options[0].description = Content("the first");
  others[2].options[0].name = "O0";
  others[3].options.pop_back();
  others[4].options[0].description = Content("");
  for (const Question& other : others) EXPECT_NE(question_key(other), question_key(base));
}

TEST(QuestionKey, OrderOfLevelsCounts) {
  Question a = made_up::score(3);
  Question b = a;
  std::swap(b.levels[0], b.levels[2]);
  EXPECT_NE(question_key(a), question_key(b));
}

TEST(QuestionKey, SidesOfANoulDoNotChangePlaces) {
  Question a = made_up::noul();
  Question b = a;
  a.when_true = Content("x");
  b.when_false = Content("x");
  EXPECT_NE(question_key(a), question_key(b));
}

TEST(QuestionKey, TextsThatLookLikePartsOfTheKeyDoNotCollide) {
  Question a = made_up::choice(0);
  a.options = {{"x", Content("1:y;-;")}};
  Question b = made_up::choice(0);
  b.options = {{"x", {}}, {"y", {}}};
  EXPECT_NE(question_key(a), question_key(b));
}

TEST(Align, ValuesFollowTheirOptions) {
  QuestionCalibration known;
  known.question = made_up::choice(3);
  known.prior = {1, 2, 3};
  known.map.bias = {0.1, 0.2, 0.3};
  Question asked = known.question;
  asked.id = "mine";
  std::swap(asked.options[0], asked.options[2]);
  const QuestionCalibration aligned = align(known, asked);
  EXPECT_EQ(aligned.prior, (std::vector<double>{3, 2, 1}));
  EXPECT_EQ(aligned.map.bias, (std::vector<double>{0.3, 0.2, 0.1}));
  EXPECT_EQ(aligned.question.id, "mine");
}

TEST(Align, LevelsKeepTheirPlaces) {
  QuestionCalibration known;
  known.question = made_up::score(3);
  known.prior = {1, 2, 3};
  EXPECT_EQ(align(known, made_up::score(3)).prior, known.prior);
}

}  // namespace
}  // namespace logit
