// A running prior inside the classifier: what teaches it, and what it may not change.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "logit/classifier.h"
#include "pipeline/sample_questions.h"
#include "support/default_model.h"
#include "support/scripted_backend.h"

namespace logit {
namespace {

using testing::ScriptedBackend;

class Traffic : public ::testing::Test {
 protected:
  explicit Traffic(PriorSource prior = PriorSource::kRunning) {
    auto backend = std::make_unique<ScriptedBackend>();
    backend_ = backend.get();
    say_labels({0.5, 0.3, 0.15});
    ClassifierOptions options;
    options.prior = prior;
    options.profile =
        testing::profile_of({Readout::kLabel, FrameKind::kPlain}, backend->info().fingerprint);
    auto made = Classifier::create(std::move(backend), std::move(options));
    EXPECT_TRUE(made);
    classifier_.emplace(std::move(*made));
  }

  // Of "A", "B" and "C", whatever is listed behind them.
  void say_labels(std::array<double, 3> probabilities) {
    const char* const labels[] = {"A", "B", "C"};
    for (std::size_t i = 0; i < 3; ++i) backend_->say("Answer: (", labels[i], probabilities[i]);
  }

  Answer ask(const Question& question, const std::string& state = "x") {
    const auto reply = classifier_->classify(testing::request(state, {question}));
    EXPECT_TRUE(reply);
    return reply->answers[0];
  }

  // Enough for a prior to be applied.
  void ask_often(const Question& question) {
    for (int i = 0; i < 40; ++i) ask(question, "ticket " + std::to_string(i));
  }

  ScriptedBackend* backend_ = nullptr;
  std::optional<Classifier> classifier_;
};

class NoTraffic : public Traffic {
 protected:
  NoTraffic() : Traffic(PriorSource::kNone) {}
};

// The names of the candidates from the likeliest down.
std::vector<std::string> ranked(const Question& question, const Answer& answer) {
  std::vector<std::size_t> order(question.options.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return answer.probabilities[a] > answer.probabilities[b];
  });
  std::vector<std::string> names;
  for (const std::size_t i : order) names.push_back(question.options[i].name);
  return names;
}

std::vector<Question> all_orders_of_three() {
  std::vector<std::string> names = {"billing", "sales", "technical"};
  std::vector<Question> questions;
  do {
    Question question = testing::choice("desk", {});
    for (const std::string& name : names) question.options.push_back({name, {}});
    questions.push_back(question);
  } while (std::next_permutation(names.begin(), names.end()));
  return questions;
}

TEST_F(Traffic, ACallersOrderChangesNoAnswerWhateverWasLearned) {  // case C53
  const std::vector<Question> orders = all_orders_of_three();
  ask_often(orders[0]);
  const auto first = ranked(orders[0], ask(orders[0]));
  ASSERT_FALSE(ask(orders[0]).prior.empty());
  for (const Question& question : orders) EXPECT_EQ(ranked(question, ask(question)), first);
}

TEST_F(NoTraffic, ACallersOrderChangesNoAnswer) {  // case C53
  const std::vector<Question> orders = all_orders_of_three();
  const auto first = ranked(orders[0], ask(orders[0]));
  for (const Question& question : orders) EXPECT_EQ(ranked(question, ask(question)), first);
}

TEST_F(Traffic, OfChoicesDoesNotMoveAScoreOfTheSameWidth) {  // case C55
  const Question score = testing::score("s", {"awful", "fine", "superb"});
  const Answer before = ask(score);
  ask_often(testing::choice("c", {"alpha", "bravo", "charlie"}));
  EXPECT_EQ(ask(score).probabilities, before.probabilities);
}

TEST_F(Traffic, OfAnswersThatCarryAWarningTeachesNothing) {  // case C50
  say_labels({1e-7, 1e-7, 1e-7});
  const Question question = testing::choice("c", {"alpha", "bravo", "charlie"});
  ask_often(question);
  EXPECT_TRUE(ask(question).prior.empty());
}

TEST_F(Traffic, ThatFailsTeachesNothing) {  // case C61
  const Question question = testing::choice("c", {"alpha", "bravo", "charlie"});
  for (int i = 0; i < 40; ++i) {
    backend_->fail_at(0, {ErrorCode::kModelRun, "weights that are not finite", ""});
    EXPECT_FALSE(classifier_->classify(testing::request("x", {question})));
  }
  EXPECT_TRUE(ask(question).prior.empty());
}

// A classifier that takes its weights for those of `fingerprint`.
Classifier of_model(const std::string& fingerprint, ClassifierOptions options) {
  auto backend = std::make_unique<ScriptedBackend>();
  backend->info_.fingerprint = fingerprint;
  options.profile = testing::profile_of({Readout::kTextChannel, FrameKind::kPlain}, fingerprint);
  auto made = Classifier::create(std::move(backend), std::move(options));
  EXPECT_TRUE(made);
  return std::move(*made);
}

std::vector<double> shares_of_thirty(const std::string& fingerprint, PriorSource prior) {
  Question question = testing::choice("intent", {});
  for (int i = 0; i < 30; ++i) question.options.push_back({"intent " + std::to_string(i), {}});
  Classifier classifier = of_model(fingerprint, {.prior = prior});
  const auto reply = classifier.classify(testing::request("x", {question}));
  EXPECT_TRUE(reply);
  return reply->answers[0].probabilities;
}

TEST(RunningPriorOption, KeepsWhatIsKnownOfTheModelsTemperature) {
  const std::vector<double> fitted =
      shares_of_thirty(testing::kDefaultFingerprint, PriorSource::kFitted);
  EXPECT_EQ(shares_of_thirty(testing::kDefaultFingerprint, PriorSource::kRunning), fitted);
  EXPECT_NE(shares_of_thirty("of-no-known-model", PriorSource::kRunning), fitted);
}

TEST(RunningPriorOption, AFileThatCannotBeWrittenCostsNoRequestAndIsToldOnce) {
  const std::filesystem::path path = ::testing::TempDir() + "no-such-folder/s.json";
  Classifier classifier = of_model("m", {.prior = PriorSource::kRunning, .prior_path = path});
  const std::vector<std::string> warnings = classifier.take_warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find(path.string()), std::string::npos) << warnings[0];
  EXPECT_TRUE(classifier.classify(testing::request("x", {testing::choice("c", {"a", "b"})})));
  const auto saved = classifier.save_prior();
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::kFile);
  EXPECT_TRUE(classifier.take_warnings().empty());
}

}  // namespace
}  // namespace logit
