// Readouts that weigh more than one thing, and the round that only some candidates get.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "logit/calibration.h"
#include "pipeline/defaults.h"
#include "pipeline/orders.h"
#include "pipeline/prompt.h"
#include "pipeline/scripted_classifier.h"

namespace logit {
namespace {

using testing::answer_of;
using testing::Made;
using testing::make;

const Question kDesk = testing::choice("desk", {"billing", "technical", "sales"});

TEST(Mix, AMixAddsTheStatesWeightUnderEachCandidate) {
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

TEST(Mix, LabelsAndTextsAddUp) {
  Made both = make({.temperature = 1.0}, {Readout::kLabelText, FrameKind::kPlain});
  Made text = make({.temperature = 1.0}, {Readout::kText, FrameKind::kPlain});
  Made label = make({.temperature = 1.0}, {Readout::kLabel, FrameKind::kPlain});
  const Request request = testing::request("state", {kDesk});
  const Answer mixed = both.classifier.classify(request)->answers[0];
  const Answer texts = text.classifier.classify(request)->answers[0];
  const Answer labels = label.classifier.classify(request)->answers[0];
  EXPECT_EQ(mixed.readout, Readout::kLabelText);
  EXPECT_EQ(mixed.listed, labels.raw);
  EXPECT_EQ(mixed.label_mass, labels.label_mass);
  EXPECT_EQ(mixed.decline_log_odds, labels.decline_log_odds);
  for (std::size_t i = 0; i < 3; ++i) {
    // Beside labels a text counts whole; alone it is divided by the root of its length (in bytes,
    // of which this model's tokens are, with the space in front).
    const double length = static_cast<double>(kDesk.options[i].name.size()) + 1;
    EXPECT_NEAR(mixed.raw[i], texts.raw[i] * std::sqrt(length), 1e-9);
    EXPECT_NEAR(mixed.scores[i],
                labels.scores[i] + pipeline::kTextShare * (mixed.raw[i] - mixed.baseline[i]), 1e-9);
  }
}

TEST(Mix, AMixWeighsTheStateUnderNoneOfTheseToo) {  // case C127
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

TEST(Mix, AStateThatNoneOfTheseExplainsBestIsOneToAbstainFrom) {
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

TEST(Mix, OnlyTheLeadersOfAWideChoiceHaveASecondRound) {
  Made made = make({}, {Readout::kTextChannel, FrameKind::kPlain});
  Question wide = testing::choice("q", {});
  for (int i = 0; i < 30; ++i) wide.options.push_back({"option " + std::to_string(i), {}});
  const auto reply = made.classifier.classify(testing::request("state", {wide}));
  ASSERT_TRUE(reply);
  const std::vector<double>& channel = reply->answers[0].channel;
  const auto n = std::count_if(channel.begin(), channel.end(), [](double v) { return v == v; });
  EXPECT_EQ(static_cast<std::size_t>(n), pipeline::kChannelLeaders);
  EXPECT_GT(reply->diagnostics.second_round_tokens, 0U);
}

TEST(Mix, AMixReadsALongOrAnEmptyStateAsText) {
  Made made = make({}, {Readout::kTextChannel, FrameKind::kPlain});
  for (const std::string& state : {std::string(pipeline::kShortState + 1, 'x'), std::string()}) {
    const auto reply = made.classifier.classify(testing::request(state, {kDesk}));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->answers[0].readout, Readout::kText);
    EXPECT_EQ(reply->diagnostics.second_round_tokens, 0U);
  }
}

TEST(Mix, AStateWithoutTokensTellsTheChannelNothing) {
  Made made = make({}, {Readout::kChannel, FrameKind::kPlain});
  const auto reply = made.classifier.classify(testing::request("", {kDesk}));
  for (const double p : answer_of(reply)) EXPECT_NEAR(p, 1.0 / 3, 1e-12);
}

TEST(Mix, AMixDoesNotDependOnTheOrderOfOptions) {
  Made made = make({}, {Readout::kTextChannel, FrameKind::kPlain});
  const Question other = testing::choice("desk", {"sales", "billing", "technical"});
  const auto a = made.classifier.classify(testing::request("x y", {kDesk}));
  const auto b = made.classifier.classify(testing::request("x y", {other}));
  EXPECT_EQ(answer_of(a)[0], answer_of(b)[1]);
  EXPECT_EQ(answer_of(a)[2], answer_of(b)[0]);
}

// ---- Leaders behind labels ----

Question thirty_options() {
  Question wide = testing::choice("q", {});
  for (int i = 0; i < 30; ++i) wide.options.push_back({"option " + std::to_string(i), {}});
  return wide;
}

// How much less the state weighs under a candidate than under the best one, as the mix counts it.
double channel_share(const Answer& answer, std::size_t candidate) {
  double best = -std::numeric_limits<double>::infinity();
  double worst = -best;
  for (const double v : answer.channel) {
    if (std::isnan(v)) continue;
    best = std::max(best, v);
    worst = std::min(worst, v);
  }
  const double own = answer.channel[candidate];
  return pipeline::kChannelShareBesideLabels * ((std::isnan(own) ? worst : own) - best);
}

TEST(Mix, OfLabelsAndTextsListsTheLeadersOfAWideChoice) {
  Made made = make({.temperature = 1.0}, {Readout::kLabelText, FrameKind::kPlain});
  const auto reply = made.classifier.classify(testing::request("state", {thirty_options()}));
  ASSERT_TRUE(reply);
  const Answer& answer = reply->answers[0];
  EXPECT_EQ(answer.readout, Readout::kLabelText);
  EXPECT_EQ(answer.n_orders, 2U);
  EXPECT_GT(reply->diagnostics.second_round_tokens, 0U);
  EXPECT_TRUE(answer.label_mass && answer.order_spread && answer.decline_log_odds);
  double last = 0;
  for (const double v : answer.listed) last = std::isnan(v) ? last : std::min(last, v);
  std::size_t n_listed = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    const bool is_listed = !std::isnan(answer.listed[i]);
    n_listed += is_listed ? 1U : 0U;
    const double texts = pipeline::kTextShare * (answer.raw[i] - answer.baseline[i]);
    const double labels = is_listed ? answer.listed[i] : last;
    EXPECT_NEAR(answer.scores[i], texts + labels + channel_share(answer, i), 1e-9);
  }
  EXPECT_EQ(n_listed, pipeline::kListedLeaders);
}

TEST(Mix, OfLabelsAndTextsWeighsNoLongOrEmptyStateUnderTheLeaders) {
  Made made = make({}, {Readout::kLabelText, FrameKind::kPlain});
  for (const std::string& state : {std::string(pipeline::kShortState + 1, 'x'), std::string()}) {
    const auto reply = made.classifier.classify(testing::request(state, {thirty_options()}));
    ASSERT_TRUE(reply);
    EXPECT_TRUE(reply->answers[0].channel.empty());
    EXPECT_FALSE(reply->answers[0].listed.empty());
  }
}

TEST(Mix, OfAWideChoiceDoesNotDependOnTheOrderOfOptions) {
  Made made = make({}, {Readout::kLabelText, FrameKind::kPlain});
  Question turned = thirty_options();
  std::reverse(turned.options.begin(), turned.options.end());
  const auto one = made.classifier.classify(testing::request("x", {thirty_options()}));
  auto other = answer_of(made.classifier.classify(testing::request("x", {turned})));
  std::reverse(other.begin(), other.end());
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(answer_of(one)[i], other[i], 1e-12);
}

TEST(Mix, OfAWideChoiceLeavesALabelForNoneOfThese) {
  auto backend = std::make_unique<testing::ScriptedBackend>(testing::Script{.n_labels = 4});
  ClassifierOptions options;
  options.profile =
      testing::profile_of({Readout::kLabelText, FrameKind::kPlain}, backend->info().fingerprint);
  auto classifier = Classifier::create(std::move(backend), std::move(options));
  ASSERT_TRUE(classifier);
  const auto reply = classifier->classify(testing::request("x", {thirty_options()}));
  ASSERT_TRUE(reply);
  const std::vector<double>& listed = reply->answers[0].listed;
  EXPECT_EQ(std::count_if(listed.begin(), listed.end(), [](double v) { return !std::isnan(v); }),
            3);
  EXPECT_TRUE(reply->answers[0].abstain);
}

TEST(Mix, OfAWideChoiceIsRefusedBeforeAnyWorkWhereItsLeadersWouldNotFit) {
  auto backend = std::make_unique<testing::ScriptedBackend>(testing::Script{.n_context = 900});
  testing::ScriptedBackend* engine = backend.get();
  ClassifierOptions options;
  options.profile =
      testing::profile_of({Readout::kLabelText, FrameKind::kPlain}, backend->info().fingerprint);
  auto classifier = Classifier::create(std::move(backend), std::move(options));
  ASSERT_TRUE(classifier);
  const auto wide = [](std::size_t length) {
    Question question = thirty_options();
    for (Option& option : question.options) option.name += std::string(length, 'x');
    return testing::request("state", {question});
  };
  EXPECT_TRUE(classifier->classify(wide(10)));
  engine->calls.clear();
  for (const auto& error :
       {classifier->measure(wide(250)).error(), classifier->classify(wide(250)).error()}) {
    EXPECT_EQ(error.code, ErrorCode::kTooLong);
    EXPECT_EQ(error.where, "questions.q");
  }
  EXPECT_TRUE(engine->calls.empty());
}

TEST(SecondRounds, OfManyQuestionsAndRequestsAreEachTheirOwn) {
  const ClassifierOptions options{.more_orders_in_doubt = true};
  Question wide = thirty_options();
  Question other = wide;
  other.id = "other";
  other.instructions = "Which other?";
  const std::vector<Request> requests = {testing::request("state", {wide, kDesk, other}),
                                         testing::request("another state", {other, wide}),
                                         testing::request("", {kDesk, wide})};
  for (Readout readout : {Readout::kLabelText, Readout::kTextChannel, Readout::kLabel}) {
    Made together = make(options, {readout, FrameKind::kPlain});
    const auto replies = together.classifier.classify(requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      ASSERT_TRUE(replies[i]);
      for (std::size_t k = 0; k < requests[i].questions.size(); ++k) {
        Made alone = make(options, {readout, FrameKind::kPlain});
        const auto reply = alone.classifier.classify(
            testing::request(*requests[i].state.text(), {requests[i].questions[k]}));
        EXPECT_EQ(replies[i]->answers[k].probabilities, answer_of(reply));
        EXPECT_EQ(replies[i]->answers[k].abstain, reply->answers[0].abstain);
      }
    }
  }
}

TEST(SecondRounds, ThatFailAreErrorsAndTheNextRequestIsFine) {
  Made made = make({}, {Readout::kLabelText, FrameKind::kPlain});
  const Request request = testing::request("state", {thirty_options()});
  made.backend->fail_at(1, {ErrorCode::kModelRun, "broken", ""});
  const auto failed = made.classifier.classify(request);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kModelRun);
  EXPECT_TRUE(made.classifier.classify(request));
}

TEST(SecondRounds, CountALongStateOnce) {
  const std::string state(pipeline::kShortState + 200, 'x');
  Made adaptive = make({.more_orders_in_doubt = true}, {Readout::kLabel, FrameKind::kPlain});
  Made four = make({.orders = 4}, {Readout::kLabel, FrameKind::kPlain});
  for (Made* made : {&adaptive, &four}) made->backend->say("Answer: (", "A", 0.9);
  const Request request =
      testing::request(state, {testing::choice("q", {"billing", "technical", "sales", "other"})});
  const auto one = adaptive.classifier.classify(request);
  const auto other = four.classifier.classify(request);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->answers[0].n_orders, 4U);
  EXPECT_EQ(one->usage.input_tokens, other->usage.input_tokens);
}

TEST(IndependentScoring, HasNothingMixedIn) {
  const Request request = testing::request("state", {testing::score("s", {"low", "mid", "high"})});
  const auto ask = [&](Readout readout) {
    Made made = make({.score_method = ScoreMethod::kIndependent}, {readout, FrameKind::kPlain});
    const auto reply = made.classifier.classify(request);
    EXPECT_TRUE(reply);
    EXPECT_EQ(reply->diagnostics.second_round_tokens, 0U);
    return reply->answers[0];
  };
  const Answer text = ask(Readout::kText);
  for (Readout readout : {Readout::kTextChannel, Readout::kChannel}) {
    EXPECT_EQ(ask(readout).readout, Readout::kText);
    EXPECT_EQ(ask(readout).probabilities, text.probabilities);
  }
  EXPECT_EQ(ask(Readout::kLabelText).readout, Readout::kLabel);
  EXPECT_EQ(ask(Readout::kLabelText).probabilities, ask(Readout::kLabel).probabilities);
}

// ---- More orders in doubt ----

// The prompt's end when the candidates are listed in this order.
std::string list_of(const Question& question, const pipeline::Order& order) {
  std::string text;
  for (std::size_t place = 0; place < order.size(); ++place) {
    text += "(" + std::string(1, static_cast<char>('A' + place)) + ") ";
    text += question.options[order[place]].name + "\n";
  }
  return text + "(" + std::string(1, static_cast<char>('A' + order.size())) +
         ") none of these\n\nAnswer: (";
}

TEST(Orders, AreNoMoreThanTwoWhereTheyAgree) {
  Made made = make({.more_orders_in_doubt = true}, {Readout::kLabel, FrameKind::kPlain});
  const Question question = testing::choice("q", {"billing", "technical", "sales", "other"});
  for (const auto& order : pipeline::list_orders(pipeline::question_text(question),
                                                 QuestionType::kChoice, pipeline::kOrders)) {
    const auto place = std::find(order.begin(), order.end(), 2U) - order.begin();
    const std::string label(1, static_cast<char>('A' + place));
    made.backend->say(list_of(question, order), label.c_str(), 0.9);
  }
  const auto reply = made.classifier.classify(testing::request("x", {question}));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->answers[0].best, 2U);
  EXPECT_EQ(reply->answers[0].n_orders, 2U);
  EXPECT_EQ(reply->diagnostics.second_round_tokens, 0U);
}

TEST(Orders, AreFourWhereTwoDisagreeAsIfAllHadBeenAskedAtOnce) {
  Made adaptive = make({.more_orders_in_doubt = true}, {Readout::kLabel, FrameKind::kPlain});
  Made four = make({.orders = 4}, {Readout::kLabel, FrameKind::kPlain});
  for (Made* made : {&adaptive, &four}) made->backend->say("Answer: (", "A", 0.9);
  const Request request =
      testing::request("x", {testing::choice("q", {"billing", "technical", "sales", "other"})});
  const auto one = adaptive.classifier.classify(request);
  const auto other = four.classifier.classify(request);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->answers[0].n_orders, 4U);
  EXPECT_GT(one->diagnostics.second_round_tokens, 0U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(answer_of(one)[i], answer_of(other)[i], 1e-12);
  }
  EXPECT_NEAR(*one->answers[0].label_mass, *other->answers[0].label_mass, 1e-12);
  EXPECT_NEAR(*one->answers[0].order_spread, *other->answers[0].order_spread, 1e-12);
  EXPECT_EQ(source_of(one->answers[0]).orders, 0U);
}

TEST(Orders, ThatCannotVaryAreNotSaidTo) {
  Made made = make({.more_orders_in_doubt = true}, {Readout::kLabel, FrameKind::kPlain});
  const auto reply = made.classifier.classify(testing::request(
      "x", {testing::noul("a", "Angry?"), testing::score("b", {"low", "mid", "high"}),
            testing::choice("c", {"one", "two"}), testing::choice("d", {"one", "two", "three"})}));
  ASSERT_TRUE(reply);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(source_of(reply->answers[i]).orders, 2U) << i;
  EXPECT_EQ(source_of(reply->answers[3]).orders, 0U);
}

}  // namespace
}  // namespace logit
