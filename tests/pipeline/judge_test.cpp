#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

using Values = std::vector<double>;

TEST(MixChannel, AddsAShareOfWhatEachCandidateLacksOfTheBest) {
  const ChannelReading reading = {{0, 2}, {{0, 1}, {2}}, {}};
  Values channel;
  const Values mixed = mix_channel(Values{1, 2, 3}, reading, 3, 0.5, Values{-4, -2, -10}, channel);
  EXPECT_EQ(mixed, (Values{1, 2 - 0.5 * 4, 3 - 0.5 * 4}));
  EXPECT_EQ(channel[0], -6);
  EXPECT_TRUE(std::isnan(channel[1]));
  EXPECT_EQ(channel[2], -10);
}

TEST(MixChannel, WithoutScoresTheChannelAloneDecides) {
  const ChannelReading reading = {{0, 1}, {{0}, {1}}, {}};
  Values channel;
  EXPECT_EQ(mix_channel({}, reading, 2, 1, Values{-3, -5}, channel), (Values{0, -2}));
}

TEST(MixChannel, WithoutASecondRoundNothingChanges) {
  Values channel;
  EXPECT_EQ(mix_channel(Values{1, 2}, {}, 2, 0.5, {}, channel), (Values{1, 2}));
}

TEST(ChannelDecline, IsNoneOfTheseInTheMixAgainstTheMeanCandidate) {
  const ChannelReading reading = {{0, 1}, {{0}, {1}}, {2, 3}};
  // Behind the best one's -3 the state loses 6 more; candidates of equal scores are their own mean.
  EXPECT_DOUBLE_EQ(channel_decline_log_odds(Values{2, 2}, reading, 0.5, Values{-3, -5, -4, -5}),
                   0.5 * (-9 + 3) - 2);
  const double loose = channel_decline_log_odds(Values{4, 2}, reading, 0.5, Values{-3, -5, -4, -5});
  EXPECT_NEAR(loose, -3 - std::log((std::exp(4) + std::exp(2)) / 2), 1e-12);
}

TEST(Judge, TakesAKnownBaselineOrReadsIt) {
  Reading reading;
  reading.weighings = {{{Weight{{{0}}}, Weight{{{1}}}}}};
  reading.baseline.known = {-1, -5};
  EXPECT_EQ(judge(reading, Values{-4, -6}).scores, (Values{-3, -1}));
  reading.baseline.known.clear();
  reading.baseline.weighings = {{{Weight{{{1}}}, Weight{{{0}}}}}};
  const Judged judged = judge(reading, Values{-4, -6});
  EXPECT_EQ(judged.baseline, (Values{-6, -4}));
  EXPECT_EQ(judged.scores, (Values{2, -2}));
}

TEST(Judge, IndependentScoringIsTheShareOfYes) {
  Reading reading;
  reading.weighings = {{{Weight{{{0}}}}}};
  reading.contrast = {{{Weight{{{1}}}}}};
  EXPECT_NEAR(judge(reading, Values{std::log(.3), std::log(.1)}).scores[0], std::log(.75), 1e-12);
}

}  // namespace
}  // namespace logit::pipeline
