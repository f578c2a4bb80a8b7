// Running a dataset through a classifier on the scripted double.
#include "eval/run.h"

#include <gtest/gtest.h>

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
