// apps/cli/describe_calibration.cpp, calibration_page.cpp: a calibration in words and as a page.
#include "describe_calibration.h"

#include <gtest/gtest.h>

#include "calibration/made_up.h"
#include "calibration_page.h"

namespace logit::cli {
namespace {

TEST(CalibrationText, TellsWhatWasGainedAndRefused) {
  Calibration calibration;
  calibration.fingerprint = "f1";
  calibration.created = "2026-11-30T12:00:00Z";
  calibration.sets = {"banking10", "emotion4"};
  QuestionCalibration& known = calibration.questions.emplace_back();
  known.question = made_up::choice(10);
  known.map = {.temperature = 0.65, .bias = std::vector<double>(10)};
  known.prior = std::vector<double>(10);
  known.acceptances = {{0.05, 0.8, 0.0491, 400, 200, 2}};
  known.conformal = {{0.9, 0.75}};
  known.report.n_labelled = 400;
  known.report.held_out = HeldOut{.log_loss_before = 0.6, .log_loss_after = 0.4};
  known.report.abstain_auroc = 0.875;
  known.report.notes = {"tilt not kept: \x1b[31m"};
  KindCalibration& kind = calibration.kinds.emplace_back();
  kind.band = 2;
  const std::string text = calibration_text(calibration, {"banking10"});
  for (const char* part : {"banking10: choice of 10, text readout, plain frame", "0.6000    0.4000",
                           "temperature 0.650, prior, bias", "AUROC 0.8750",
                           "from 0.8000: 50.0 % of the rows, wrong at most 4.9 % (2 of 200 here)",
                           "90.0 %: candidates from 0.2500", "tilt not kept: \\x1b[31m",
                           "every choice of 6-10, text readout", "fitted on banking10, emotion4"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_NE(calibration_text(calibration).find("Which q?: choice of 10"), std::string::npos);
}

TEST(CalibrationPage, DrawsBothDiagramsAndEscapesNames) {
  Calibration calibration;
  calibration.sets = {"<b>"};
  QuestionCalibration& known = calibration.questions.emplace_back();
  known.question = made_up::choice(3);
  known.report.n_labelled = 40;
  HeldOut& measured = known.report.held_out.emplace();
  measured.reliability_before = {{20, 0.4, 0.5}, {20, 0.9, 0.6}};
  measured.reliability_after = {{20, 0.45, 0.5}, {20, 0.7, 0.6}};
  calibration.kinds.emplace_back();  // without bins: no diagram
  const std::string page = calibration_page(calibration, {"<i>name"});
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find("<i>"), std::string::npos);
  std::size_t n_images = 0;
  for (std::size_t at = 0; (at = page.find("<svg", at)) != std::string::npos; ++at) ++n_images;
  EXPECT_EQ(n_images, 2U);
  EXPECT_NE(page.find("20 rows: said 0.700, right 0.600"), std::string::npos);
  EXPECT_NE(page.find("40 labelled\n"), std::string::npos);
}

}  // namespace
}  // namespace logit::cli
