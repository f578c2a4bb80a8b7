// What a second round adds: a list of the leaders of a wide choice, and more orders in doubt.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

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

TEST(Mix, OfLabelsAndTextsWeighsAShortStateUnderThoseThatLeadByTheirTexts) {
  Made made = make({}, {Readout::kLabelText, FrameKind::kPlain});
  const auto reply = made.classifier.classify(
      testing::request(std::string(pipeline::kShortState, 'x'), {thirty_options()}));
  ASSERT_TRUE(reply);
  const Answer& answer = reply->answers[0];
  std::vector<double> gains;
  for (std::size_t i = 0; i < 30; ++i) gains.push_back(answer.raw[i] - answer.baseline[i]);
  std::vector<double> sorted = gains;
  std::sort(sorted.rbegin(), sorted.rend());
  std::size_t n_weighed = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    const bool is_weighed = !std::isnan(answer.channel[i]);
    n_weighed += is_weighed ? 1U : 0U;
    if (is_weighed) {
      EXPECT_GE(gains[i], sorted[pipeline::kChannelLeaders - 1]) << i;
    }
    if (!std::isnan(answer.listed[i])) {
      EXPECT_TRUE(is_weighed) << i;
    }
  }
  EXPECT_EQ(n_weighed, pipeline::kChannelLeaders);
}

TEST(Mix, OfLabelsAndTextsWeighsNoLongOrEmptyStateUnderTheLeaders) {
  Made made = make({.temperature = 1.0}, {Readout::kLabelText, FrameKind::kPlain});
  for (const std::string& state : {std::string(pipeline::kShortState + 1, 'x'), std::string()}) {
    const auto reply = made.classifier.classify(testing::request(state, {thirty_options()}));
    ASSERT_TRUE(reply);
    const Answer& answer = reply->answers[0];
    EXPECT_TRUE(answer.channel.empty());
    for (std::size_t i = 0; i < 30; ++i) {
      if (std::isnan(answer.listed[i])) continue;
      const double texts = pipeline::kTextShare * (answer.raw[i] - answer.baseline[i]);
      EXPECT_NEAR(answer.scores[i], answer.listed[i] + texts, 1e-9);
    }
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
  const std::vector<Request> requests = {
      testing::request("state", {wide, kDesk, other}),
      testing::request("another state", {other, wide}), testing::request("", {kDesk, wide}),
      testing::request("who?", {kDesk, wide}), testing::request("who else?", {kDesk})};
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
