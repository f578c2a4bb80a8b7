// apps/cli/load_calibration.cpp: the file that --calibration names.
#include "load_calibration.h"

#include <gtest/gtest.h>

#include "calibration/durable_file.h"
#include "calibration/made_up.h"
#include "logit/profile.h"

namespace logit::cli {
namespace {

using made_up::Folder;

std::string saved(const Folder& folder, int prompts) {
  const std::string path = (folder.path() / "c.json").string();
  Calibration calibration;
  calibration.fingerprint = "f1";
  calibration.prompts = prompts;
  EXPECT_TRUE(save_calibration(path, calibration));
  return path;
}

TEST(LoadCalibrationFor, TakesOneOfTheModelAndOfThesePrompts) {
  const Folder folder("load-for");
  EXPECT_TRUE(load_calibration_for("f1", saved(folder, Profile::kVersion)));
}

TEST(LoadCalibrationFor, EveryRefusalBeginsWithThePath) {
  const Folder folder("load-for-refused");
  const std::string path = saved(folder, Profile::kVersion);
  const auto other_model = load_calibration_for("f2", path);
  ASSERT_FALSE(other_model);
  EXPECT_EQ(other_model.error().code, ErrorCode::kConfig);
  EXPECT_EQ(other_model.error().where, path);
  EXPECT_EQ(other_model.error().message.find("the calibration is of another model"), 0U);
  const auto other_prompts = load_calibration_for("f1", saved(folder, Profile::kVersion + 1));
  ASSERT_FALSE(other_prompts);
  EXPECT_EQ(other_prompts.error().where, path);
  ASSERT_TRUE(calibration::replace_file(path, R"({"checksum":"d8d1)"));
  EXPECT_EQ(load_calibration_for("f1", path).error().where.find(path), 0U);
  const auto missing = load_calibration_for("f1", path + "-none");
  EXPECT_EQ(missing.error().where, path + "-none");
}

}  // namespace
}  // namespace logit::cli
