// Readouts that weigh more than one thing, and what is subtracted from them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/defaults.h"
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

// ---- States that ask ----

TEST(Baseline, OfAStateThatAsksIsTheMeanOverEmptyStatesAndPlainQuestions) {
  Made made = make({}, {Readout::kText, FrameKind::kPlain});
  const Question desk = testing::choice("desk", {"billing", "tech support", "sales"});
  const auto ask = [&](std::string_view state) {
    const auto reply = made.classifier.classify(testing::request(std::string(state), {desk}));
    return reply->answers[0];
  };
  std::vector<double> sum(3, 0.0);
  double shares = 0;
  const auto add = [&](std::string_view state, double share) {
    const Answer answer = ask(state);
    shares += share;
    for (std::size_t i = 0; i < 3; ++i) sum[i] += share * answer.raw[i];
  };
  for (std::string_view state : pipeline::kEmptyStates) add(state, 1);
  const std::vector<double> empty = {sum[0] / shares, sum[1] / shares, sum[2] / shares};
  for (std::string_view state : pipeline::kPlainQuestions) {
    add(state, pipeline::kPlainQuestionShare);
  }
  EXPECT_DOUBLE_EQ(shares, 7.5);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(ask("who?").baseline[i], sum[i] / shares, 1e-9);
    EXPECT_NEAR(ask("who.").baseline[i], empty[i], 1e-9);
  }
}

// ---- Scored one by one ----

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

}  // namespace
}  // namespace logit
