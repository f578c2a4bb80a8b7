#include "logit/classifier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include "pipeline/defaults.h"
#include "pipeline/orders.h"
#include "pipeline/scripted_classifier.h"

namespace logit {
namespace {

using testing::answer_of;
using testing::Made;
using testing::make;
using testing::ScriptedBackend;

const Question kDesk = testing::choice("desk", {"billing", "technical", "sales"});

pipeline::Order first_order(const Question& question) {
  return pipeline::list_orders(pipeline::question_text(question), question.type, 1).front();
}

TEST(Classifier, AnswersEveryTypeInTheRequestsOrder) {
  Made made = make();
  const auto reply = made.classifier.classify(testing::request(
      "Charged twice, fix it now!",
      {testing::noul("a", "Angry?"), kDesk, testing::score("c", {"calm", "cross", "furious"})}));
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->answers.size(), 3U);
  EXPECT_EQ(reply->answers[0].id, "a");
  EXPECT_EQ(reply->answers[1].id, "desk");
  EXPECT_EQ(reply->answers[2].id, "c");
  for (const Answer& answer : reply->answers) {
    EXPECT_NEAR(std::accumulate(answer.probabilities.begin(), answer.probabilities.end(), 0.0), 1,
                1e-9);
  }
  EXPECT_EQ(reply->usage.output_tokens, 0U);
  EXPECT_GT(reply->usage.input_tokens, 0U);
}

TEST(Classifier, WhatTheModelSaysAfterTheBracketIsTheAnswer) {
  Made made = make({.abstain = Abstain::kOff, .orders = 1, .temperature = 1.0},
                   {Readout::kLabel, FrameKind::kPlain});
  made.backend->say("Answer: (", "B", 0.9);
  made.backend->say("Answer: (", "A", 0.05);
  made.backend->say("Answer: (", "C", 0.05);
  const auto reply = made.classifier.classify(testing::request("x", {kDesk}));
  ASSERT_TRUE(reply);
  const Answer& answer = reply->answers[0];
  const std::size_t behind_b = first_order(kDesk)[1];
  EXPECT_EQ(answer.best, behind_b);
  EXPECT_NEAR(answer.probabilities[behind_b], 0.9, 1e-9);
  EXPECT_NEAR(*answer.label_mass, 1.0, 1e-9);
  EXPECT_FALSE(answer.abstain);
  EXPECT_TRUE(answer.warnings.empty());
}

TEST(Classifier, TheShareOfNoneOfTheseIsTheAbstentionAndNoProbability) {
  Made made = make({.orders = 1, .temperature = 1.0}, {Readout::kLabel, FrameKind::kPlain});
  made.backend->say("Answer: (", "A", 0.3);
  made.backend->say("Answer: (", "B", 0.06);
  made.backend->say("Answer: (", "C", 0.04);
  made.backend->say("Answer: (", "D", 0.6);
  const auto reply = made.classifier.classify(testing::request("x", {kDesk}));
  const std::vector<double> p = answer_of(reply);
  EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-9);
  EXPECT_NEAR(p[first_order(kDesk)[0]], 0.75, 1e-9);
  EXPECT_NEAR(reply->answers[0].abstain.value(), 0.6, 1e-9);
  EXPECT_NEAR(*reply->answers[0].label_mass, 1.0, 1e-9);
}

TEST(Classifier, ANoulIsReadInBothOrders) {
  Made made = make({.temperature = 1.0}, {Readout::kLabel, FrameKind::kPlain});
  // Labels alone decide: with both orders the preference for A cancels.
  made.backend->say("Answer: (", "A", 0.9);
  made.backend->say("Answer: (", "B", 0.1);
  const auto reply = made.classifier.classify(testing::request("x", {testing::noul("q", "True?")}));
  EXPECT_NEAR(answer_of(reply)[0], 0.5, 1e-9);
  EXPECT_NEAR(reply->answers[0].order_spread.value(), 0.8, 1e-9);
}

TEST(Classifier, OneOrderIsReadWhenOneIsAskedFor) {
  Made made = make({.orders = 1, .temperature = 1.0}, {Readout::kLabel, FrameKind::kPlain});
  made.backend->say("Answer: (", "A", 0.9);
  made.backend->say("Answer: (", "B", 0.1);
  const auto reply = made.classifier.classify(testing::request("x", {testing::noul("q", "True?")}));
  EXPECT_NEAR(answer_of(reply)[0], 0.9, 1e-9);
  EXPECT_FALSE(reply->answers[0].order_spread);
}

TEST(Classifier, ACallersNoneOfTheseKeepsItsOwnProbability) {  // case C124
  Question question = testing::choice("q", {"fruit", "red", "both of these", "none of these"});
  for (const std::size_t n_more : {0U, 60U}) {
    for (std::size_t i = 0; i < n_more; ++i) {
      question.options.push_back({"option " + std::to_string(i), {}});
    }
    for (Readout readout : {Readout::kLabel, Readout::kTextChannel}) {
      Made made = make({.readout = readout});
      const auto reply = made.classifier.classify(testing::request("red fruit", {question}));
      ASSERT_TRUE(reply);
      const std::vector<double>& p = reply->answers[0].probabilities;
      ASSERT_EQ(p.size(), question.options.size());
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-9);
      EXPECT_TRUE(reply->answers[0].abstain);
      EXPECT_GT(p[3], 0);
      EXPECT_NE(p[3], *reply->answers[0].abstain);
    }
  }
}

TEST(Classifier, LabelsThatHoldLittleProbabilityAreWarnedAbout) {  // cases C38, C50
  Made made = make({}, {Readout::kLabel, FrameKind::kPlain});
  for (const char* label : {"A", "B", "C"}) made.backend->say("Answer: (", label, 1e-7);
  const auto reply = made.classifier.classify(testing::request("x", {kDesk}));
  ASSERT_TRUE(reply);
  EXPECT_LT(*reply->answers[0].label_mass, 1e-6);
  EXPECT_EQ(reply->answers[0].warnings.size(), 1U);
}

TEST(Classifier, ColdRepeatedAndBesideOthersGiveTheSameBits) {
  const Request alone = testing::request("Charged twice", {kDesk});
  Request beside = testing::request("Charged twice", {});
  for (int i = 0; i < 31; ++i) {
    beside.questions.push_back(testing::noul("n" + std::to_string(i), std::to_string(i).c_str()));
  }
  beside.questions.insert(beside.questions.begin() + 7, kDesk);
  Made made = make();
  const auto cold = answer_of(made.classifier.classify(alone));
  EXPECT_EQ(cold, answer_of(made.classifier.classify(alone)));
  EXPECT_EQ(cold, answer_of(made.classifier.classify(beside), 7));
  EXPECT_EQ(cold, answer_of(make().classifier.classify(beside), 7));
}

TEST(Classifier, TheOrderOfOptionsMovesNoBit) {
  Question question = testing::choice("q", {});
  for (int i = 0; i < 30; ++i) {
    question.options.push_back({"option " + std::to_string(i * 7919 % 100), {}});
  }
  for (Readout readout : {Readout::kLabel, Readout::kText, Readout::kChannel, Readout::kTextChannel,
                          Readout::kLabelText}) {
    for (const std::size_t n : {3U, 9U, 30U}) {
      SCOPED_TRACE(std::string(readout_name(readout)) + ", " + std::to_string(n));
      Question some = question;
      some.options.resize(n);
      Made made = make({}, {readout, FrameKind::kPlain});
      const auto one = made.classifier.classify(testing::request("a state", {some}));
      std::reverse(some.options.begin(), some.options.end());
      const auto other = made.classifier.classify(testing::request("a state", {some}));
      auto turned = answer_of(other);
      std::reverse(turned.begin(), turned.end());
      EXPECT_EQ(answer_of(one), turned);
      EXPECT_EQ(one->answers[0].confidence, other->answers[0].confidence);
      EXPECT_EQ(one->answers[0].abstain, other->answers[0].abstain);
      EXPECT_EQ(one->answers[0].label_mass, other->answers[0].label_mass);
      EXPECT_EQ(one->answers[0].order_spread, other->answers[0].order_spread);
    }
  }
}

TEST(Classifier, TheIdOfAQuestionMovesNoBit) {  // case C131
  Made made = make();
  Question renamed = kDesk;
  renamed.id = "the answer is billing";
  const auto reply = made.classifier.classify(testing::request("x", {kDesk, renamed}));
  EXPECT_EQ(answer_of(reply, 0), answer_of(reply, 1));
}

TEST(Classifier, TwoHundredFiftyFiveOptionsAllComeBack) {
  for (Readout readout : {Readout::kLabel, Readout::kText}) {
    Made made = make({.readout = readout});
    Question wide = testing::choice("q", {});
    for (int i = 0; i < 255; ++i) wide.options.push_back({"o" + std::to_string(i), {}});
    const auto p = answer_of(made.classifier.classify(testing::request("?", {wide})));
    ASSERT_EQ(p.size(), 255U);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-9);  // case C64
  }
}

TEST(Classifier, OneOptionIsCertain) {
  Made made = make();
  const auto reply = made.classifier.classify(
      testing::request("x", {testing::choice("q", {"only"}), testing::score("s", {"only"})}));
  for (const Answer& answer : reply->answers) {
    EXPECT_EQ(answer.probabilities, std::vector<double>{1.0});
    EXPECT_EQ(answer.confidence, 1);
  }
}

TEST(Classifier, AFailureOfTheModelIsAnErrorAndTheNextRequestIsFine) {  // cases C61, C76
  Made made = make();
  const Request request = testing::request("x", {kDesk});
  const auto before = answer_of(made.classifier.classify(request));
  made.backend->fail_at(0, {ErrorCode::kModelRun, "the model returned NaN"});
  const auto failed = made.classifier.classify(request);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kModelRun);
  EXPECT_EQ(before, answer_of(made.classifier.classify(request)));
}

TEST(Classifier, AFailedEvaluationKeepsNoBaseline) {
  Made made = make();
  made.backend->fail_at(0, {ErrorCode::kModelRun, "broken"});
  const Request request = testing::request("x", {kDesk});
  EXPECT_FALSE(made.classifier.classify(request));
  const auto reply = made.classifier.classify(request);
  ASSERT_TRUE(reply);
  EXPECT_GT(reply->diagnostics.baseline_tokens, 0U);
}

TEST(Classifier, SixteenThreadsGetTheAnswersOfOne) {  // case C80
  Made made = make();
  std::vector<Request> requests;
  for (int i = 0; i < 4; ++i) {
    requests.push_back(
        testing::request("ticket " + std::string(static_cast<std::size_t>(i), 'x'), {kDesk}));
  }
  std::vector<std::vector<double>> alone;
  for (const Request& request : requests)
    alone.push_back(answer_of(make().classifier.classify(request)));
  std::vector<int> n_right(16, 0);
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < n_right.size(); ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t which = (thread + i) % requests.size();
        const auto answer = answer_of(made.classifier.classify(requests[which]));
        n_right[thread] += answer == alone[which] ? 1 : 0;
        static_cast<void>(made.classifier.measure(requests[which]));
        static_cast<void>(made.classifier.memory_use());
      }
    });
  }
  threads.clear();
  EXPECT_EQ(n_right, std::vector<int>(16, 16));
}

TEST(Classifier, ABadRequestDoesNotDisturbItsNeighbours) {
  Made made = make({.max_request_tokens = 2000});
  const std::vector<Request> requests = {testing::request("one", {kDesk}),
                                         testing::request(std::string(5000, 'x'), {kDesk}),
                                         testing::request("two", {kDesk})};
  const auto replies = made.classifier.classify(requests);
  ASSERT_EQ(replies.size(), 3U);
  EXPECT_TRUE(replies[0]);
  EXPECT_FALSE(replies[1]);
  EXPECT_EQ(answer_of(replies[2]), answer_of(make().classifier.classify(requests[2])));
}

TEST(Classifier, WhenASharedEvaluationFailsEachRequestIsTriedAlone) {
  Made made = make();
  made.backend->fail_at(0, {ErrorCode::kModelRun, "broken"});
  const std::vector<Request> requests = {testing::request("one", {kDesk}),
                                         testing::request("two", {kDesk})};
  for (const auto& reply : made.classifier.classify(requests)) EXPECT_TRUE(reply);
}

TEST(Classifier, ACancelledCallIsNotRepeated) {
  Made made = make();
  made.backend->fail_at(0, {ErrorCode::kCancelled, "cancelled"});
  const std::vector<Request> requests = {testing::request("one", {kDesk}),
                                         testing::request("two", {kDesk})};
  for (const auto& reply : made.classifier.classify(requests)) {
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
  }
}

TEST(Classifier, AnswersOfATypeAtChanceSaySo) {
  auto backend = std::make_unique<ScriptedBackend>();
  Profile profile =
      testing::profile_of({Readout::kText, FrameKind::kPlain}, backend->info().fingerprint);
  profile.types[0].at_chance = true;
  auto classifier = Classifier::create(std::move(backend), {.profile = profile});
  ASSERT_TRUE(classifier);
  const auto reply =
      classifier->classify(testing::request("x", {testing::noul("n", "Angry?"), kDesk}));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->answers[0].warnings.size(), 1U);
  EXPECT_TRUE(reply->answers[1].warnings.empty());
}

TEST(Classifier, WhetherAQuestionIsAtChanceIsSaidByItsHeldOutRowsAndWithoutThemByTheProbe) {
  Made made = make();
  const Request request = testing::request("x", {kDesk});
  Calibration calibration;
  calibration.fingerprint = made.classifier.model().fingerprint;
  calibration.prompts = Profile::kVersion;
  QuestionCalibration& known = calibration.questions.emplace_back();
  known.question = kDesk;
  known.source = source_of(made.classifier.classify(request)->answers[0]);
  known.prior = {0.5, 0, -0.5};
  known.report.n_labelled = 20;  // too few to hold any out
  const auto n_warnings = [&] {
    EXPECT_TRUE(made.classifier.set_calibration(calibration));
    return made.classifier.classify(request)->answers[0].warnings.size();
  };
  EXPECT_EQ(n_warnings(), 0U);
  known.report.held_out = HeldOut{.accuracy_after = 0.4, .majority = 0.5};
  EXPECT_EQ(n_warnings(), 1U);
  known.report.held_out->accuracy_after = 0.6;
  EXPECT_EQ(n_warnings(), 0U);
}

TEST(Classifier, OptionsOutOfRangeAreRefusedByName) {
  for (double temperature : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    auto made =
        Classifier::create(std::make_unique<ScriptedBackend>(), {.temperature = temperature});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kConfig);
    EXPECT_EQ(made.error().where, "temperature");
  }
}

TEST(Classifier, AProfileOfAnotherModelIsRefused) {
  auto made = Classifier::create(
      std::make_unique<ScriptedBackend>(),
      {.profile = testing::profile_of({Readout::kText, FrameKind::kPlain}, "another model")});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().where, "profile");
}

TEST(Classifier, ATemperatureWidensWithoutReordering) {
  const Request request = testing::request("x", {kDesk});
  const auto narrow = answer_of(make({.temperature = 0.5}).classifier.classify(request));
  const auto broad = answer_of(make({.temperature = 5.0}).classifier.classify(request));
  const auto top = [](const std::vector<double>& p) {
    return std::max_element(p.begin(), p.end());
  };
  EXPECT_EQ(top(narrow) - narrow.begin(), top(broad) - broad.begin());
  EXPECT_GT(*top(narrow), *top(broad));
}

TEST(Classifier, IndependentScoringNormalisesTheSharesOfYes) {
  Made made = make({.score_method = ScoreMethod::kIndependent, .temperature = 1.0},
                   {Readout::kLabel, FrameKind::kPlain});
  const auto reply =
      made.classifier.classify(testing::request("x", {testing::score("s", {"a", "b"})}));
  ASSERT_TRUE(reply);
  EXPECT_NEAR(reply->answers[0].probabilities[0] + reply->answers[0].probabilities[1], 1, 1e-12);
  EXPECT_FALSE(reply->answers[0].label_mass.has_value());
}

}  // namespace
}  // namespace logit
