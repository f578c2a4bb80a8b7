#include "pipeline/apply.h"

#include <gtest/gtest.h>

#include "pipeline/defaults.h"
#include "pipeline/sample_questions.h"

namespace logit::pipeline {
namespace {

const ScoreSource kText{Readout::kText};

Calibration with_kind(double temperature) {
  Calibration calibration;
  calibration.kinds.push_back({QuestionType::kChoice, kText, band_of(3), {temperature}, {}, {}});
  return calibration;
}

class FindApplied : public ::testing::Test {
 protected:
  Applied find(const Calibrations& calibrations) {
    return find_applied(question, kText, options, calibrations);
  }

  Question question = testing::choice("q", {"a", "b", "c"});
  ClassifierOptions options;
};

TEST_F(FindApplied, WithoutACalibrationTheReadoutsTemperatureApplies) {
  EXPECT_EQ(find({}).map.temperature, kTextTemperature);
}

TEST_F(FindApplied, WhatWasPublishedForAModelsLabelsIsUsedWithoutACalibration) {
  const auto of = [&](Readout readout, const char* name) {
    return find_applied(question, {readout}, options, {}, name).map.temperature;
  };
  EXPECT_EQ(of(Readout::kLabel, "Qwen3 4B Instruct 2507"), 6.0);
  EXPECT_EQ(of(Readout::kLabelText, "Qwen3 4B Instruct 2507"), 6.0 * kLabelTextTemperature);
  EXPECT_EQ(of(Readout::kText, "Qwen3 4B Instruct 2507"), kTextTemperature);
  EXPECT_EQ(of(Readout::kLabel, "SmolLM2 135M"), kLabelTemperature);
}

TEST_F(FindApplied, TheUsersKindComesBeforeTheShippedOne) {
  const Calibration own = with_kind(2);
  const Calibration shipped = with_kind(3);
  EXPECT_EQ(find({&own, &shipped}).map.temperature, 2);
  EXPECT_EQ(find({nullptr, &shipped}).map.temperature, 3);
}

TEST_F(FindApplied, AnotherBandOrReadoutIsNoKindOfThisQuestion) {
  Calibration shipped = with_kind(3);
  shipped.kinds[0].band = band_of(20);
  EXPECT_EQ(find({nullptr, &shipped}).map.temperature, kTextTemperature);
  shipped = with_kind(3);
  shipped.kinds[0].source.readout = Readout::kLabel;
  EXPECT_EQ(find({nullptr, &shipped}).map.temperature, kTextTemperature);
}

TEST_F(FindApplied, TheQuestionsOwnMapIsBroughtIntoItsOrder) {
  Calibration own = with_kind(2);
  QuestionCalibration fitted;
  fitted.question = testing::choice("other id", {"c", "a", "b"});
  fitted.source = kText;
  fitted.prior = {.3, .1, .2};
  fitted.map = {1.5, 0, {3, 1, 2}};
  own.questions.push_back(fitted);
  const Applied applied = find({&own, nullptr});
  EXPECT_EQ(applied.map.temperature, 1.5);
  EXPECT_EQ(applied.map.bias, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(applied.prior, (std::vector<double>{.1, .2, .3}));
  EXPECT_FALSE(applied.warning);
}

TEST_F(FindApplied, AQuestionsCalibrationIsUsedWholeOrNotAtAll) {
  Calibration own;
  QuestionCalibration fitted;
  fitted.question = question;
  fitted.source = kText;
  fitted.prior = {.3, .1, .2};
  fitted.map = {1.5, 0, {}};
  fitted.acceptances = {{.05, .9, .04, 100, 90, 0}};
  fitted.conformal = {{.9, .5}};
  own.questions.push_back(fitted);
  const auto expect_left_out = [&](double temperature) {
    const Applied applied = find({&own, nullptr});
    EXPECT_EQ(applied.map, ScoreMap{temperature});
    EXPECT_TRUE(applied.prior.empty() && applied.acceptances.empty() && applied.conformal.empty());
    EXPECT_EQ(applied.known, nullptr);
    EXPECT_TRUE(applied.warning);
  };
  options.prior = PriorSource::kNone;
  expect_left_out(kTextTemperature);
  options.prior = PriorSource::kFitted;
  options.temperature = 2;
  expect_left_out(2);
  options = {};
  own.questions[0].prior.clear();
  options.prior = PriorSource::kNone;  // takes nothing away from a fit without one
  EXPECT_EQ(find({&own, nullptr}).acceptances.size(), 1U);
}

TEST_F(FindApplied, AGivenTemperatureReplacesEveryMap) {
  const Calibration own = with_kind(2);
  options.temperature = 7;
  EXPECT_EQ(find({&own, nullptr}).map, ScoreMap{7});
}

TEST_F(FindApplied, AQuestionCalibratedForAnotherReadoutSaysSo) {
  Calibration own;
  QuestionCalibration fitted;
  fitted.question = question;
  fitted.source.readout = Readout::kLabel;
  fitted.map = {1.5, 0, {3, 1, 2}};
  own.questions.push_back(fitted);
  const Applied applied = find({&own, nullptr});
  EXPECT_TRUE(applied.map.bias.empty());
  ASSERT_TRUE(applied.warning);
  EXPECT_NE(applied.warning->find("label"), std::string::npos);
}

}  // namespace
}  // namespace logit::pipeline
