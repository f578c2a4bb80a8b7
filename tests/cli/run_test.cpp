// Running a dataset through a classifier on the scripted double.
#include "eval/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "support/scripted_backend.h"

namespace logit::eval {
namespace {

Profile profile_of(const std::string& fingerprint) {
  Profile profile;
  profile.fingerprint = fingerprint;
  for (const QuestionType type :
       {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    profile.types.emplace_back().type = type;
  }
  return profile;
}

struct Fixture {
  explicit Fixture(logit::testing::Script script = {}) {
    auto made = std::make_unique<logit::testing::ScriptedBackend>(script);
    backend = made.get();
    ClassifierOptions options;
    options.profile = profile_of(made->info().fingerprint);
    classifier =
        std::make_unique<Classifier>(*Classifier::create(std::move(made), std::move(options)));
  }
  logit::testing::ScriptedBackend* backend = nullptr;
  std::unique_ptr<Classifier> classifier;
};

Dataset dataset_of(std::size_t n_rows) {
  Dataset dataset;
  dataset.task.name = "t";
  Question& question = dataset.task.question;
  question.id = "q";
  question.type = QuestionType::kChoice;
  question.options = {{"red", Content()}, {"blue", Content()}};
  for (std::size_t i = 0; i < n_rows; ++i) {
    dataset.rows.push_back({std::to_string(i), Content("state " + std::to_string(i)), i % 2});
  }
  return dataset;
}

TEST(Run, EveryLabelledRowIsAnsweredInOrderWhateverTheBlock) {
  const Dataset dataset = dataset_of(10);
  Fixture fixture;
  std::size_t n_calls = 0;
  const Result<RunResult> run_all =
      run(*fixture.classifier, dataset, {4}, [&](std::size_t, std::size_t) { ++n_calls; });
  ASSERT_TRUE(run_all) << run_all.error().message;
  EXPECT_EQ(n_calls, 3U);
  EXPECT_EQ(run_all->outcomes.size(), 10U);
  EXPECT_EQ(run_all->outcomes.n_candidates, 2U);
  EXPECT_GT(run_all->evaluated_tokens, 0U);
  Fixture alone;
  const Result<RunResult> run_single = run(*alone.classifier, dataset, {1});
  ASSERT_TRUE(run_single);
  EXPECT_EQ(run_single->outcomes.probabilities, run_all->outcomes.probabilities);
}

TEST(Run, RowsOutOfScopeAreCountedAndNotAsked) {
  Dataset dataset = dataset_of(4);
  dataset.rows[1].label.reset();
  Fixture fixture;
  const Result<RunResult> result = run(*fixture.classifier, dataset, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcomes.size(), 3U);
  EXPECT_EQ(result->n_out_of_scope, 1U);
}

TEST(Run, ARowThatIsTooLongIsReportedAndTheOthersAreMeasured) {
  Dataset dataset = dataset_of(4);
  dataset.rows[2].state = Content(std::string(5000, 'x'));
  logit::testing::Script script;
  script.n_context = 1000;
  Fixture fixture(script);
  const Result<RunResult> result = run(*fixture.classifier, dataset, {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->outcomes.size(), 3U);
  ASSERT_EQ(result->failed.size(), 1U);
  EXPECT_EQ(result->failed.front().substr(0, 3), "2: ");
}

Dataset of_three_options(std::size_t n_rows) {
  Dataset dataset = dataset_of(n_rows);
  dataset.task.question.options.push_back({"green", Content()});
  return dataset;
}

TEST(Run, EveryAnsweredRowIsKeptWithItsNumbers) {
  const Dataset dataset = dataset_of(3);
  Fixture fixture;
  const Result<RunResult> result = run(*fixture.classifier, dataset, {});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->predictions.size(), 3U);
  EXPECT_EQ(result->predictions[1].id, "1");
  EXPECT_EQ(result->predictions[1].label, 1U);
  EXPECT_EQ(result->predictions[1].answer.scores.size(), 2U);
  EXPECT_GT(result->predictions[1].input_tokens, 0U);
  EXPECT_EQ(result->predictions[1].state_hash, state_hash(dataset.rows[1].state));
  EXPECT_NE(result->predictions[0].state_hash, result->predictions[1].state_hash);
  EXPECT_TRUE(result->predictions[1].reversed.empty());
}

// The text readout does not know an order, so the same options in reverse give the same numbers.
TEST(Run, ReversedAnswersComeBackInOrder) {
  Fixture fixture;
  RunOptions options;
  options.asks_reversed = true;
  const Result<RunResult> result = run(*fixture.classifier, of_three_options(5), options);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->predictions.size(), 5U);
  for (const Prediction& row : result->predictions) {
    ASSERT_EQ(row.reversed.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(row.reversed[k], row.answer.probabilities[k], 1e-9);
    }
  }
}

TEST(Run, ANoulHasNoOrderAndNoOptionToRemove) {
  Dataset dataset = dataset_of(2);
  dataset.task.question.type = QuestionType::kNoul;
  dataset.task.question.options.clear();
  Fixture fixture;
  RunOptions options;
  options.asks_reversed = true;
  options.asks_removed = true;
  const Result<RunResult> result = run(*fixture.classifier, dataset, options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->predictions.front().reversed.empty());
  EXPECT_TRUE(result->removals.empty());
  EXPECT_EQ(result->warnings.size(), 2U);
}

TEST(Run, OneOptionOfEachRowIsRemovedTheRightOneOfHalf) {
  const Dataset dataset = of_three_options(40);
  Fixture fixture;
  RunOptions options;
  options.asks_removed = true;
  const Result<RunResult> result = run(*fixture.classifier, dataset, options);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->removals.size(), 40U);
  std::size_t n_gold = 0;
  for (const Removal& removal : result->removals) {
    const std::size_t label = std::stoul(removal.id) % 2;
    EXPECT_EQ(removal.is_gold, removal.removed == label);
    EXPECT_EQ(removal.answer.probabilities.size(), 2U);
    if (removal.is_gold) ++n_gold;
  }
  EXPECT_GT(n_gold, 10U);
  EXPECT_LT(n_gold, 30U);
  Fixture again;
  const Result<RunResult> same = run(*again.classifier, dataset, options);
  ASSERT_TRUE(same);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(same->removals[i].id, result->removals[i].id);
    EXPECT_EQ(same->removals[i].removed, result->removals[i].removed);
  }
}

TEST(Run, AQuestionThatLostAnOptionIsNotTheOneThatWasCalibrated) {
  const Dataset dataset = of_three_options(3);
  Fixture fixture;
  RunOptions options;
  options.asks_removed = true;
  const auto n_warnings = [&] {
    const Result<RunResult> result = run(*fixture.classifier, dataset, options);
    return std::count_if(result->warnings.begin(), result->warnings.end(), [](const auto& warning) {
      return warning.find("drop_gold") != std::string::npos;
    });
  };
  EXPECT_EQ(n_warnings(), 0);
  Calibration calibration;
  calibration.fingerprint = fixture.classifier->model().fingerprint;
  calibration.prompts = Profile::kVersion;
  const Result<RunResult> before = run(*fixture.classifier, dataset, {});
  calibration.questions.push_back(
      {dataset.task.question, source_of(before->predictions[0].answer), {}, {}, {}, {}, {}, {}});
  ASSERT_TRUE(fixture.classifier->set_calibration(calibration));
  EXPECT_EQ(n_warnings(), 1);
}

TEST(Run, StatesWithTheSameTextHaveTheSameHash) {
  EXPECT_EQ(state_hash(Content("a")), state_hash(Content("a")));
  EXPECT_NE(state_hash(Content("a")), state_hash(Content("b")));
  EXPECT_EQ(state_hash(Content("")).size(), 16U);
}

TEST(Run, AModelThatFailsEndsTheRunAndTheRowIsNamed) {
  Fixture fixture;
  fixture.backend->fail_at(0, {ErrorCode::kModelRun, "broke", "", {}});
  const Result<RunResult> result = run(*fixture.classifier, dataset_of(1), {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kModelRun);
  EXPECT_EQ(result.error().where.substr(0, 5), "row 0");
}

}  // namespace
}  // namespace logit::eval
