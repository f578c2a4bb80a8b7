#include <gtest/gtest.h>

#include "pipeline/defaults.h"
#include "pipeline/sample_questions.h"
#include "pipeline/stages.h"
#include "support/scripted_backend.h"

namespace logit::pipeline {
namespace {

using testing::ScriptedBackend;

constexpr Way kLabelChat{Readout::kLabel, FrameKind::kChat};
constexpr Way kTextPlain{Readout::kText, FrameKind::kPlain};

Question wide(std::size_t n) {
  Question question = testing::choice("q", {});
  for (std::size_t i = 0; i < n; ++i) question.options.push_back({std::to_string(i), {}});
  return question;
}

class ChooseWay : public ::testing::Test {
 protected:
  Result<Way> choose(const Question& question) {
    return choose_way(question, backend, options, profile);
  }

  ScriptedBackend backend;
  ClassifierOptions options;
  Profile profile = testing::profile_of(kLabelChat, backend.info().fingerprint);
};

TEST_F(ChooseWay, AutoFollowsTheProfile) { EXPECT_EQ(*choose(wide(4)), kLabelChat); }

TEST_F(ChooseWay, AutoListsTheLeadersOfManyOptionsInTheFrameThatReadsThemBest) {
  profile.types[1].results = {{{Readout::kLabelText, FrameKind::kPlain}, 16, 9, 1.0, 0},
                              {{Readout::kLabelText, FrameKind::kChat}, 16, 11, 1.0, 0},
                              {kLabelChat, 16, 16, 0.1, 0.9}};
  EXPECT_EQ(*choose(wide(kMostLabelOptions)), kLabelChat);
  EXPECT_EQ(*choose(wide(kMostLabelOptions + 1)), (Way{Readout::kLabelText, FrameKind::kChat}));
}

TEST_F(ChooseWay, AutoWeighsTheStateUnderManyOptionsWhereLettersDoNotBind) {
  profile.types[1].results = {{kTextPlain, 16, 9, 1.0, 0},
                              {{Readout::kTextChannel, FrameKind::kPlain}, 16, 15, 0.1, 0}};
  profile.types[1].best = {Readout::kTextChannel, FrameKind::kPlain};
  EXPECT_EQ(choose(wide(200))->readout, Readout::kTextChannel);
}

TEST_F(ChooseWay, AForcedReadoutAndFrameWin) {
  options.readout = Readout::kText;
  options.frame = FrameKind::kPlain;
  EXPECT_EQ(*choose(wide(4)), kTextPlain);
}

TEST_F(ChooseWay, AFrameTheModelDoesNotHaveIsRefusedByName) {
  ScriptedBackend plain({.has_chat_frame = false});
  options.frame = FrameKind::kChat;
  const auto way = choose_way(wide(4), plain, options, profile);
  ASSERT_FALSE(way);
  EXPECT_EQ(way.error().code, ErrorCode::kConfig);
  EXPECT_NE(way.error().message.find("chat"), std::string::npos);
}

TEST_F(ChooseWay, AModelWithoutTwoLabelsCannotList) {
  ScriptedBackend few({.n_labels = 1});
  options.readout = Readout::kLabel;
  const auto way = choose_way(wide(21), few, options, profile);
  ASSERT_FALSE(way);
  EXPECT_EQ(way.error().code, ErrorCode::kConfig);
  EXPECT_EQ(way.error().where, "questions.q");
  EXPECT_TRUE(choose_way(wide(21), ScriptedBackend({.n_labels = 20}), options, profile));
}

TEST_F(ChooseWay, AutoNeedsNoMoreLabelsThanTheModelHas) {
  ScriptedBackend few({.n_labels = 3});
  EXPECT_EQ(choose_way(wide(4), few, options, profile)->readout, Readout::kLabelText);
}

}  // namespace
}  // namespace logit::pipeline
