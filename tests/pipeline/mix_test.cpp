// Readouts that weigh more than one thing, and the round that only some candidates get.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
  EXPECT_EQ(mixed.raw, texts.raw);
  EXPECT_EQ(mixed.listed, labels.raw);
  EXPECT_EQ(mixed.label_mass, labels.label_mass);
  EXPECT_EQ(mixed.lift, texts.lift);
  EXPECT_EQ(mixed.decline_log_odds, labels.decline_log_odds);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(mixed.scores[i], labels.scores[i] + pipeline::kTextShare * texts.scores[i], 1e-9);
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
  EXPECT_EQ(static_cast<std::size_t>(n), pipeline::kLeaders);
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

}  // namespace
}  // namespace logit
