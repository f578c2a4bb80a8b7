// src/calibration/fit_kinds.cpp: what questions of one kind share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "calibration/made_up.h"
#include "logit/fit.h"

namespace logit {
namespace {

ScoredRows task(std::size_t n_rows, std::size_t n, const ScoreMap& map, std::uint64_t seed) {
  return {made_up::choice(n, "t" + std::to_string(seed)),
          {},
          made_up::Rows(seed).labelled(n_rows, n, map),
          {}};
}

TEST(FitKinds, QuestionsOfOneKindShareATemperature) {
  std::vector<ScoredRows> tasks;
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    tasks.push_back(task(200, 4, {.temperature = 4}, seed));
  tasks.push_back(task(200, 12, {.temperature = 2}, 5));
  const auto kinds = fit_kinds(tasks, std::vector<ScoreMap>(5), {});
  ASSERT_TRUE(kinds);
  ASSERT_EQ(kinds->size(), 2U);
  EXPECT_EQ((*kinds)[0].band, 1U);
  EXPECT_NEAR(std::log((*kinds)[0].map.temperature), std::log(4), 0.15);
  EXPECT_EQ((*kinds)[0].report.n_labelled, 800U);
  EXPECT_EQ((*kinds)[1].band, 3U);
  EXPECT_NEAR(std::log((*kinds)[1].map.temperature), std::log(2), 0.25);
  const std::vector<std::string>& notes = (*kinds)[1].report.notes;
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("one question") != note.npos;
  }));
  EXPECT_TRUE((*kinds)[0].map.bias.empty());
}

TEST(FitKinds, EveryQuestionWeighsTheSame) {
  const std::vector<ScoredRows> even{task(400, 4, {.temperature = 1}, 1),
                                     task(400, 4, {.temperature = 2}, 2)};
  std::vector<ScoredRows> uneven = even;
  const std::vector<ScoredRow> rows = uneven[0].labelled;
  for (int copy = 0; copy < 9; ++copy) {
    uneven[0].labelled.insert(uneven[0].labelled.end(), rows.begin(), rows.end());
  }
  const std::vector<ScoreMap> befores(2, {.temperature = 20});
  const auto a = fit_kinds(even, befores, {});
  const auto b = fit_kinds(uneven, befores, {});
  ASSERT_TRUE(a);
  ASSERT_TRUE(b);
  ASSERT_EQ(a->size(), 1U);
  ASSERT_EQ(b->size(), 1U);
  EXPECT_LT((*a)[0].map.temperature, 3);
  EXPECT_NEAR((*a)[0].map.temperature, (*b)[0].map.temperature, 1e-3);
}

TEST(FitKinds, ATemperatureThatServesOneQuestionOnlyIsNotKept) {
  // Each wants the opposite of the other: fitted on one it harms the other.
  const std::vector<ScoredRows> tasks{task(300, 4, {.temperature = 0.3}, 1),
                                      task(300, 4, {.temperature = 1.7}, 3),
                                      task(300, 4, {.temperature = 10}, 2)};
  const auto kinds = fit_kinds(tasks, std::vector<ScoreMap>(3, {.temperature = 1.7}), {});
  ASSERT_TRUE(kinds);
  ASSERT_EQ(kinds->size(), 1U);  // for its abstaining
  EXPECT_EQ((*kinds)[0].map.temperature, 1.7);
  EXPECT_EQ((*kinds)[0].report.notes[0].find("temperature not kept"), 0U);
}

TEST(FitKinds, AbstainingNeedsSeveralQuestions) {
  std::vector<ScoredRows> tasks{task(300, 4, {.temperature = 3}, 1),
                                task(300, 4, {.temperature = 3}, 2)};
  const auto two = fit_kinds(tasks, std::vector<ScoreMap>(2), {});
  ASSERT_TRUE(two);
  ASSERT_EQ(two->size(), 1U);
  EXPECT_FALSE((*two)[0].abstain);
  tasks.push_back(task(300, 4, {.temperature = 3}, 3));
  const auto three = fit_kinds(tasks, std::vector<ScoreMap>(3), {});
  ASSERT_TRUE(three);
  EXPECT_TRUE((*three)[0].abstain);
}

TEST(FitKinds, NoulsShareATiltToo) {
  std::vector<ScoredRows> tasks;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    ScoredRows rows{made_up::noul(),
                    {},
                    made_up::Rows(seed).labelled(300, 2, {.temperature = 2, .tilt = 1.2}),
                    {}};
    rows.question.instructions = Content("Is it " + std::to_string(seed) + "?");
    tasks.push_back(std::move(rows));
  }
  const auto kinds = fit_kinds(tasks, std::vector<ScoreMap>(3), {});
  ASSERT_TRUE(kinds);
  ASSERT_EQ(kinds->size(), 1U);
  EXPECT_NEAR((*kinds)[0].map.tilt, 1.2, 0.25);
  EXPECT_FALSE((*kinds)[0].abstain);
}

TEST(FitKinds, QuestionsWithFewRowsAndKindsWithoutAnyAreLeftOut) {
  const std::vector<ScoredRows> tasks{task(29, 4, {}, 1)};
  const auto kinds = fit_kinds(tasks, std::vector<ScoreMap>(1), {});
  ASSERT_TRUE(kinds);
  EXPECT_TRUE(kinds->empty());
}

TEST(FitKinds, OneMapBeforeIsNeededForEachQuestion) {
  const std::vector<ScoredRows> tasks{task(40, 4, {}, 1)};
  EXPECT_EQ(fit_kinds(tasks, {}, {}).error().where, "befores");
}

}  // namespace
}  // namespace logit
