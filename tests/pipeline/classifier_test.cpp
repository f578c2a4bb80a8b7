#include "logit/classifier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "pipeline/defaults.h"
#include "pipeline/orders.h"
#include "pipeline/sample_questions.h"
#include "support/scripted_backend.h"

namespace logit {
namespace {

using testing::ScriptedBackend;

struct Made {
  Classifier classifier;
  ScriptedBackend* backend;  // owned by the classifier
};

Made make(ClassifierOptions options = {}, Way way = {Readout::kText, FrameKind::kPlain}) {
  auto backend = std::make_unique<ScriptedBackend>();
  ScriptedBackend* engine = backend.get();
  options.profile = testing::profile_of(way, engine->info().fingerprint);
  auto classifier = Classifier::create(std::move(backend), std::move(options));
  EXPECT_TRUE(classifier);
  return {std::move(*classifier), engine};
}

std::vector<double> answer_of(const Result<Reply>& reply, std::size_t question = 0) {
  EXPECT_TRUE(reply);
  return reply->answers[question].probabilities;
}

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

TEST(Classifier, AMixAddsTheStatesWeightUnderEachCandidate) {
  Made mixed = make({.temperature = 1.0}, {Readout::kTextChannel, FrameKind::kPlain});
  Made text = make({.temperature = 1.0}, {Readout::kText, FrameKind::kPlain});
  Made channel = make({.temperature = 1.0}, {Readout::kChannel, FrameKind::kPlain});
  const Request request = testing::request("state", {kDesk});
  const Answer both = mixed.classifier.classify(request)->answers[0];
  const Answer one = text.classifier.classify(request)->answers[0];
  const Answer other = channel.classifier.classify(request)->answers[0];
  EXPECT_EQ(both.channel, other.channel);
  EXPECT_EQ(both.raw, one.raw);
  EXPECT_EQ(both.readout, Readout::kTextChannel);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_NEAR(both.scores[i] - both.scores[0],
                one.scores[i] - one.scores[0] +
                    pipeline::kChannelShare * (other.scores[i] - other.scores[0]),
                1e-9);
  }
}

TEST(Classifier, LabelsAndTextsAddUp) {
  Made both = make({.temperature = 1.0}, {Readout::kLabelText, FrameKind::kPlain});
  Made text = make({.temperature = 1.0}, {Readout::kText, FrameKind::kPlain});
  Made label = make({.temperature = 1.0}, {Readout::kLabel, FrameKind::kPlain});
  const Request request = testing::request("state", {kDesk});
  const Answer mixed = both.classifier.classify(request)->answers[0];
  const Answer texts = text.classifier.classify(request)->answers[0];
  const Answer labels = label.classifier.classify(request)->answers[0];
  EXPECT_EQ(mixed.readout, Readout::kLabelText);
  EXPECT_EQ(mixed.raw, texts.raw);
  EXPECT_EQ(mixed.listed, labels.raw);
  EXPECT_EQ(mixed.label_mass, labels.label_mass);
  EXPECT_EQ(mixed.lift, texts.lift);
  EXPECT_EQ(mixed.decline_log_odds, labels.decline_log_odds);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(mixed.scores[i], labels.scores[i] + pipeline::kTextShare * texts.scores[i], 1e-9);
  }
}

TEST(Classifier, AMixWeighsTheStateUnderNoneOfTheseToo) {  // case C127
  Made made = make({}, {Readout::kTextChannel, FrameKind::kPlain});
  Made off = make({.abstain = Abstain::kOff}, {Readout::kTextChannel, FrameKind::kPlain});
  const Request request = testing::request("state", {kDesk});
  const auto with = made.classifier.classify(request);
  const auto without = off.classifier.classify(request);
  ASSERT_TRUE(with && without);
  EXPECT_EQ(with->answers[0].probabilities, without->answers[0].probabilities);
  EXPECT_FALSE(without->answers[0].abstain);
  const double expected = 1 / (1 + std::exp(-0.3 - 0.4 * *with->answers[0].decline_log_odds));
  EXPECT_DOUBLE_EQ(*with->answers[0].abstain, expected);
  EXPECT_GT(with->diagnostics.second_round_tokens, without->diagnostics.second_round_tokens);
}

TEST(Classifier, AStateThatNoneOfTheseExplainsBestIsOneToAbstainFrom) {
  Made plain = make({}, {Readout::kTextChannel, FrameKind::kPlain});
  Made declining = make({}, {Readout::kTextChannel, FrameKind::kPlain});
  for (const char letter : {'s', 't'}) {
    declining.backend->say("Answer: none of these\n\nText: \"", std::string(1, letter).c_str(),
                           0.9);
  }
  const Request request = testing::request("s", {kDesk});
  const Answer before = plain.classifier.classify(request)->answers[0];
  const Answer after = declining.classifier.classify(request)->answers[0];
  EXPECT_EQ(before.probabilities, after.probabilities);
  EXPECT_GT(*after.abstain, *before.abstain);
}

TEST(Classifier, OnlyTheLeadersOfAWideChoiceHaveASecondRound) {
  Made made = make({}, {Readout::kTextChannel, FrameKind::kPlain});
  Question wide = testing::choice("q", {});
  for (int i = 0; i < 30; ++i) wide.options.push_back({"option " + std::to_string(i), {}});
  const auto reply = made.classifier.classify(testing::request("state", {wide}));
  ASSERT_TRUE(reply);
  const std::vector<double>& channel = reply->answers[0].channel;
  const auto n = std::count_if(channel.begin(), channel.end(), [](double v) { return v == v; });
  EXPECT_EQ(static_cast<std::size_t>(n), pipeline::kLeaders);
  EXPECT_GT(reply->diagnostics.second_round_tokens, 0U);
}

TEST(Classifier, AMixReadsALongOrAnEmptyStateAsText) {
  Made made = make({}, {Readout::kTextChannel, FrameKind::kPlain});
  for (const std::string& state : {std::string(pipeline::kShortState + 1, 'x'), std::string()}) {
    const auto reply = made.classifier.classify(testing::request(state, {kDesk}));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->answers[0].readout, Readout::kText);
    EXPECT_EQ(reply->diagnostics.second_round_tokens, 0U);
  }
}

TEST(Classifier, AStateWithoutTokensTellsTheChannelNothing) {
  Made made = make({}, {Readout::kChannel, FrameKind::kPlain});
  const auto reply = made.classifier.classify(testing::request("", {kDesk}));
  for (const double p : answer_of(reply)) EXPECT_NEAR(p, 1.0 / 3, 1e-12);
}

TEST(Classifier, AMixDoesNotDependOnTheOrderOfOptions) {
  Made made = make({}, {Readout::kTextChannel, FrameKind::kPlain});
  const Question other = testing::choice("desk", {"sales", "billing", "technical"});
  const auto a = made.classifier.classify(testing::request("x y", {kDesk}));
  const auto b = made.classifier.classify(testing::request("x y", {other}));
  EXPECT_EQ(answer_of(a)[0], answer_of(b)[1]);
  EXPECT_EQ(answer_of(a)[2], answer_of(b)[0]);
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

TEST(Classifier, TheOrderOfOptionsMovesNoBitOfATextReadout) {
  Made made = make();
  const auto one = answer_of(made.classifier.classify(testing::request("x", {kDesk})));
  Question turned = kDesk;
  std::reverse(turned.options.begin(), turned.options.end());
  auto other = answer_of(made.classifier.classify(testing::request("x", {turned})));
  std::reverse(other.begin(), other.end());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-15);
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
