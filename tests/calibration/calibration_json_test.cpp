// src/wire/{render,parse}_calibration.cpp: the calibration file.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "calibration/made_up.h"
#include "logit/calibration.h"
#include "wire/calibration_file.h"

namespace logit {
namespace {

Calibration sample() {
  Calibration calibration;
  calibration.fingerprint = "xxh64:0123";
  calibration.prompts = 1;
  calibration.created = "2026-11-30T12:00:00Z";
  calibration.sets = {"banking10", "emotion \"4\""};
  KindCalibration kind;
  kind.band = 2;
  kind.source = {Readout::kLabel, "chat", 3, "joint", true};
  kind.map = {.temperature = 1.25, .tilt = -0.1};
  kind.abstain = AbstainMap{{1, 2, 3, 4, 5, 6e-12}};
  kind.report.notes = {"a note"};
  calibration.kinds = {kind};
  QuestionCalibration known;
  known.question = made_up::choice(3, "");
  known.question.options[1].description =
      Content(Content::Object{{"b", Content(Content::Number{"1e2"})}, {"a", Content("x")}});
  known.prior = {0.1, 1 / 3.0, -5e-300};
  known.map = {.temperature = 0.7, .bias = {1, 2, 3}};
  known.acceptances = {{0.05, 0.75, 0.049, 500, 200, 3}};
  known.conformal = {{0.9, 0.66}};
  known.report.n_labelled = 500;
  HeldOut& measured = known.report.held_out.emplace();
  measured.log_loss_before = 0.1 + 0.2;
  known.report.abstain_auroc = 0.875;
  measured.reliability_before = {{40, 0.25, 0.5}, {40, 0.875, 0.75}};
  measured.reliability_after = {{80, 0.5, 0.625}};
  calibration.questions = {known};
  for (Question question : {made_up::noul(), made_up::score(4)}) {
    QuestionCalibration& other = calibration.questions.emplace_back();
    other.question = std::move(question);
    other.question.id.clear();
  }
  calibration.questions[1].question.when_true = Content("it is");
  return calibration;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// With the checksum of what it says now.
std::string sealed(const std::string& json) {
  const std::string body = "{" + json.substr(json.find(',') + 1);
  return R"({"checksum":")" + wire::calibration_checksum(body) + "\"," + body.substr(1);
}

TEST(CalibrationJson, EverythingComesBack) {
  const Calibration before = sample();
  const auto after = parse_calibration(calibration_json(before));
  ASSERT_TRUE(after) << after.error().where << " " << after.error().message;
  EXPECT_EQ(after->kinds, before.kinds);
  EXPECT_EQ(after->sets, before.sets);
  ASSERT_EQ(after->questions.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const QuestionCalibration& a = before.questions[i];
    const QuestionCalibration& b = after->questions[i];
    EXPECT_EQ(question_key(a.question), question_key(b.question));
    EXPECT_EQ(a.prior, b.prior);
    EXPECT_EQ(a.map, b.map);
    EXPECT_EQ(a.acceptances, b.acceptances);
    EXPECT_EQ(a.conformal, b.conformal);
    EXPECT_EQ(a.report, b.report);
  }
  EXPECT_EQ(calibration_json(*after), calibration_json(before));
}

TEST(CalibrationJson, WhiteSpaceAndOrderOfMembersDoNotMatter) {
  const std::string json = calibration_json(sample());
  const std::string spaced = replaced(json, ",\"version\"", " ,\n \"version\"");
  EXPECT_TRUE(parse_calibration(spaced + "\n"));
  const std::string checksum = json.substr(1, json.find(',') - 1);
  const std::string moved = "{" +
                            json.substr(json.find(',') + 1, json.size() - json.find(',') - 2) +
                            "," + checksum + "}";
  EXPECT_TRUE(parse_calibration(moved));
}

TEST(CalibrationJson, AValueChangedByHandIsRefused) {
  const std::string edited =
      replaced(calibration_json(sample()), "\"temperature\":1.25", "\"temperature\":1.35");
  const auto calibration = parse_calibration(edited);
  ASSERT_FALSE(calibration);
  EXPECT_EQ(calibration.error().code, ErrorCode::kFile);
  EXPECT_EQ(calibration.error().where, "checksum");
  EXPECT_NE(calibration.error().message.find("edited by hand"), std::string::npos);
}

TEST(CalibrationJson, WhatWasNotMeasuredIsAbsent) {
  Calibration calibration = sample();
  calibration.questions[0].report.held_out.reset();
  const std::string json = calibration_json(calibration);
  for (const char* name : {"log_loss", "ece", "accuracy", "majority", "reliability"}) {
    EXPECT_EQ(json.find(std::string("\"") + name), std::string::npos) << name;
  }
  const auto back = parse_calibration(json);
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->questions[0].report.held_out);
}

TEST(CalibrationJson, ZerosOfOlderFilesAreNoMeasures) {
  Calibration calibration = sample();
  calibration.questions[0].report.held_out = HeldOut();
  const std::string json = calibration_json(calibration);
  EXPECT_NE(json.find("\"accuracy_after\":0"), std::string::npos);
  const auto back = parse_calibration(json);
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->questions[0].report.held_out);
}

TEST(CalibrationJson, EveryTornFileIsRefused) {
  const std::string json = calibration_json(sample());
  for (std::size_t n = 0; n < json.size(); n += 7) {
    const auto calibration = parse_calibration(json.substr(0, n));
    ASSERT_FALSE(calibration) << n;
    EXPECT_EQ(calibration.error().code, ErrorCode::kFile);
  }
}

TEST(CalibrationJson, WhatMakesNoSenseIsRefusedByPlaceEvenWithARightChecksum) {
  const std::string json = calibration_json(sample());
  struct Case {
    const char* from;
    const char* to;
    const char* where;
  };
  const Case cases[] = {
      {"\"version\":1", "\"version\":2", "version"},
      {"\"version\":1", "\"version\":0", "version"},
      {"\"prompts\":1", "\"prompts\":99999999999", "prompts"},
      {"\"temperature\":1.25", "\"temperature\":0", "kinds[0].map.temperature"},
      {"\"temperature\":1.25", "\"temperature\":21", "kinds[0].map.temperature"},
      {"\"temperature\":1.25", "\"temperature\":\"1\"", "kinds[0].map.temperature"},
      {"\"band\":2", "\"band\":6", "kinds[0].band"},
      {"\"readout\":\"label\"", "\"readout\":\"auto\"", "kinds[0].source.readout"},
      {"\"abstain\":[1.0,", "\"abstain\":[", "kinds[0].abstain"},
      {"\"bias\":[1.0,", "\"bias\":[", "questions[0].map.bias"},
      {"\"prior\":[0.1,", "\"prior\":[1e300,", "questions[0].prior[0]"},
      {"\"threshold\":0.75", "\"threshold\":1.5", "questions[0].acceptances[0].threshold"},
      {"\"n_accepted\":200", "\"n_accepted\":501", "questions[0].acceptances[0].n_accepted"},
      {"[40,0.25,0.5]", "[40,0.25]", "questions[0].report.reliability_before[0]"},
      {"[80,0.5,0.625]", "[80,0.5,2]", "questions[0].report.reliability_after[0][2]"},
      {"\"quantile\":0.66", "\"quantile\":-1", "questions[0].conformal[0].quantile"},
      {"\"type\":\"choice\",\"instructions\"", "\"type\":\"box\",\"instructions\"", "questions[0]"},
      {"\"o0\":null", "\"o1\":null", "questions[0].prior"},
  };
  for (const Case& each : cases) {
    const auto calibration = parse_calibration(sealed(replaced(json, each.from, each.to)));
    ASSERT_FALSE(calibration) << each.to;
    EXPECT_EQ(calibration.error().code, ErrorCode::kFile);
    EXPECT_EQ(calibration.error().where, each.where) << calibration.error().message;
  }
}

TEST(CalibrationJson, NewerVersionSaysSo) {
  const auto newer =
      parse_calibration(replaced(calibration_json(sample()), "\"version\":1", "\"version\":2"));
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().message.find("newer version"), std::string::npos);
}

}  // namespace
}  // namespace logit
