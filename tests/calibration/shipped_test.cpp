#include <gtest/gtest.h>

#include "logit/calibration.h"
#include "logit/profile.h"
#include "support/default_model.h"

namespace logit {
namespace {

TEST(ShippedCalibration, IsOfTheEmbeddedDefaultAndOfThesePrompts) {
  const auto calibration = shipped_calibration(testing::kDefaultFingerprint);
  ASSERT_TRUE(calibration);
  EXPECT_TRUE(check_calibration(*calibration, testing::kDefaultFingerprint, Profile::kVersion));
}

TEST(ShippedCalibration, KnowsKindsAndNoSingleQuestion) {
  const auto calibration = shipped_calibration(testing::kDefaultFingerprint);
  ASSERT_TRUE(calibration);
  EXPECT_FALSE(calibration->kinds.empty());
  EXPECT_TRUE(calibration->questions.empty());
}

TEST(ShippedCalibration, AnotherModelHasNone) {
  EXPECT_FALSE(shipped_calibration("xxh3-0000"));
  EXPECT_FALSE(shipped_calibration(""));
}

}  // namespace
}  // namespace logit
