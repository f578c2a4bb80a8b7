// apps/cli/ask_scores.cpp: rows through the model, each asked once.
#include "ask_scores.h"

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "calibration/made_up.h"
#include "support/scripted_backend.h"

namespace logit::cli {
namespace {

struct Fixture {
  explicit Fixture(logit::testing::Script script = {}) {
    auto made = std::make_unique<logit::testing::ScriptedBackend>(script);
    backend = made.get();
    ClassifierOptions options;
    options.profile.emplace();
    options.profile->fingerprint = made->info().fingerprint;
    for (const QuestionType type :
         {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
      options.profile->types.emplace_back().type = type;
    }
    classifier =
        std::make_unique<Classifier>(*Classifier::create(std::move(made), std::move(options)));
  }
  logit::testing::ScriptedBackend* backend = nullptr;
  std::unique_ptr<Classifier> classifier;
};

FitTask task_of(std::size_t n_labelled, std::size_t n_unlabelled) {
  FitTask task;
  task.task = {"t", made_up::choice(3)};
  for (std::size_t i = 0; i < n_labelled; ++i) {
    const std::string id = std::to_string(i);
    task.labelled.push_back({id, Content("state " + id), i % 3});
  }
  for (std::size_t i = 0; i < n_unlabelled; ++i) {
    task.unlabelled.emplace_back("free " + std::to_string(i));
  }
  return task;
}

TEST(AskScores, RowsComeBackInOrderWithTheWayTheyWereRead) {
  Fixture fixture;
  auto cache = ScoreCache::open({});
  std::vector<std::string> warnings;
  const FitTask task = task_of(20, 5);
  const auto asked = ask_scores(*fixture.classifier, task, *cache, warnings);
  ASSERT_TRUE(asked) << asked.error().message;
  ASSERT_EQ(asked->rows.labelled.size(), 20U);
  ASSERT_EQ(asked->rows.unlabelled.size(), 5U);
  EXPECT_EQ(asked->rows.labelled[4].label, 1U);
  EXPECT_EQ(asked->rows.question.id, "t");
  EXPECT_EQ(asked->rows.source.frame, "plain");
  EXPECT_EQ(asked->n_asked, 25U);
  Request request;
  request.state = task.labelled[7].state;
  request.questions = {task.task.question};
  const auto reply = fixture.classifier->classify(request);
  ASSERT_TRUE(reply);
  EXPECT_EQ(asked->rows.labelled[7].scores, reply->answers[0].scores);
  EXPECT_EQ(asked->rows.source, source_of(reply->answers[0]));
  EXPECT_EQ(asked->before.temperature, reply->answers[0].temperature);
}

TEST(AskScores, ARefitAsksNothingAndAnInterruptedRunGoesOn) {
  const made_up::Folder folder("ask");
  std::vector<std::string> warnings;
  std::vector<ScoredRow> first;
  {
    Fixture fixture;
    auto cache = ScoreCache::open(folder.path() / "m.jsonl");
    std::stop_source source;
    const auto broken = ask_scores(
        *fixture.classifier, task_of(40, 0), *cache, warnings,
        [&](std::size_t done, std::size_t) {
          if (done >= 16) source.request_stop();
        },
        source.get_token());
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ErrorCode::kCancelled);
    EXPECT_EQ(broken.error().where.substr(0, 4), "row ");
  }
  {
    Fixture fixture;
    auto cache = ScoreCache::open(folder.path() / "m.jsonl");
    const auto rest = ask_scores(*fixture.classifier, task_of(40, 0), *cache, warnings);
    ASSERT_TRUE(rest);
    EXPECT_EQ(rest->n_asked, 24U);
    first = rest->rows.labelled;
  }
  Fixture fixture;
  auto cache = ScoreCache::open(folder.path() / "m.jsonl");
  const auto again = ask_scores(*fixture.classifier, task_of(40, 0), *cache, warnings);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->n_asked, 0U);
  EXPECT_TRUE(fixture.backend->calls.empty());
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(again->rows.labelled[i].scores, first[i].scores);
  EXPECT_TRUE(warnings.empty());
}

TEST(AskScores, RowsThatAreTooLongAreLeftOutAndNamed) {
  logit::testing::Script script;
  script.n_context = 1000;
  Fixture fixture(script);
  FitTask task = task_of(5, 0);
  task.labelled[0].state = Content(std::string(5000, 'x'));
  auto cache = ScoreCache::open({});
  std::vector<std::string> warnings;
  const auto asked = ask_scores(*fixture.classifier, task, *cache, warnings);
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_EQ(asked->rows.labelled.size(), 4U);
  ASSERT_EQ(asked->failed.size(), 1U);
  EXPECT_EQ(asked->failed[0].substr(0, 3), "0: ");
}

}  // namespace
}  // namespace logit::cli
