// src/calibration/look_up.cpp: what a calibration holds for a question.
#include <gtest/gtest.h>

#include <algorithm>

#include "calibration/made_up.h"
#include "logit/calibration.h"

namespace logit {
namespace {

Calibration sample() {
  Calibration calibration;
  calibration.fingerprint = "f1";
  calibration.prompts = 1;
  calibration.created = "2026-01-01T00:00:00Z";
  calibration.sets = {"a"};
  KindCalibration kind;
  kind.band = 1;
  kind.map.temperature = 2;
  calibration.kinds = {kind};
  QuestionCalibration known;
  known.question = made_up::choice(4);
  known.map.temperature = 3;
  calibration.questions = {known};
  return calibration;
}

TEST(BandOf, EdgesBelongToTheLowerBand) {
  const std::pair<std::size_t, std::size_t> cases[] = {{1, 0},  {2, 0},  {3, 1},  {5, 1},
                                                       {6, 2},  {10, 2}, {11, 3}, {25, 3},
                                                       {26, 4}, {77, 4}, {78, 5}, {255, 5}};
  for (const auto& [n, band] : cases) EXPECT_EQ(band_of(n), band) << n;
}

TEST(Find, KindNeedsTypeSourceAndBand) {
  const Calibration calibration = sample();
  EXPECT_NE(calibration.find(QuestionType::kChoice, {}, 5), nullptr);
  EXPECT_EQ(calibration.find(QuestionType::kScore, {}, 5), nullptr);
  EXPECT_EQ(calibration.find(QuestionType::kChoice, {}, 6), nullptr);
  EXPECT_EQ(calibration.find(QuestionType::kChoice, {.readout = Readout::kLabel}, 5), nullptr);
  EXPECT_EQ(calibration.find(QuestionType::kChoice, {.orders = 3}, 5), nullptr);
}

TEST(Find, QuestionIsKnownInAnyOrderOfItsOptions) {
  const Calibration calibration = sample();
  Question asked = made_up::choice(4);
  std::reverse(asked.options.begin(), asked.options.end());
  ASSERT_NE(calibration.find(asked, {}), nullptr);
  EXPECT_EQ(calibration.find(asked, {})->map.temperature, 3);
  EXPECT_EQ(calibration.find(made_up::choice(3), {}), nullptr);
}

TEST(WhyUnused, NamesBothWaysOfReading) {
  const Calibration calibration = sample();
  const ScoreSource label{.readout = Readout::kLabel, .frame = "chat", .orders = 3};
  const auto why = why_unused(calibration, made_up::choice(4), label);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("text readout, plain frame"), std::string::npos) << *why;
  EXPECT_NE(why->find("label readout, chat frame, 3 orders"), std::string::npos) << *why;
  EXPECT_FALSE(why_unused(calibration, made_up::choice(4), {}));
  EXPECT_FALSE(why_unused(calibration, made_up::choice(3), label));
}

TEST(CheckCalibration, OtherModelOrPromptsAreRefusedByName) {
  EXPECT_TRUE(check_calibration(sample(), "f1", 1));
  const Result<Done> model = check_calibration(sample(), "f2", 1);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kConfig);
  EXPECT_NE(model.error().message.find("another model"), std::string::npos);
  const Result<Done> prompts = check_calibration(sample(), "f1", 2);
  ASSERT_FALSE(prompts);
  EXPECT_NE(prompts.error().message.find("prompts"), std::string::npos);
}

TEST(Merge, LaterOneWinsWhateverTheOrderOfTheTwo) {
  Calibration later = sample();
  later.created = "2026-02-01T00:00:00Z";
  later.sets = {"b"};
  later.kinds[0].map.temperature = 5;
  later.kinds.push_back(later.kinds[0]);
  later.kinds[1].band = 4;
  later.questions[0].map.temperature = 6;
  for (const auto& merged : {merge(sample(), later), merge(later, sample())}) {
    ASSERT_TRUE(merged);
    EXPECT_EQ(merged->created, later.created);
    EXPECT_EQ(merged->sets, (std::vector<std::string>{"a", "b"}));
    ASSERT_EQ(merged->kinds.size(), 2U);
    EXPECT_EQ(merged->kinds[0].map.temperature, 5);
    ASSERT_EQ(merged->questions.size(), 1U);
    EXPECT_EQ(merged->questions[0].map.temperature, 6);
  }
}

TEST(TemperaturesOf, KeepsKindsThatAreATemperatureAndNothingElseOfThem) {
  Calibration calibration = sample();
  calibration.kinds[0].abstain.emplace();
  calibration.kinds.resize(3, calibration.kinds[0]);
  calibration.kinds[1].map.tilt = 0.5;
  calibration.kinds[2].map.bias = {1};
  const Calibration kept = temperatures_of(calibration);
  ASSERT_EQ(kept.kinds.size(), 1U);
  EXPECT_EQ(kept.kinds[0].map, calibration.kinds[0].map);
  EXPECT_FALSE(kept.kinds[0].abstain);
  EXPECT_TRUE(kept.questions.empty());
}

TEST(Merge, DifferentModelsAreRefused) {
  Calibration other = sample();
  other.fingerprint = "f2";
  const auto merged = merge(sample(), other);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kConfig);
}

}  // namespace
}  // namespace logit
