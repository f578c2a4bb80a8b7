// Risk and coverage: values by hand and by numpy.
#include "eval/selective.h"

#include <gtest/gtest.h>

#include <vector>

namespace logit::eval {
namespace {

constexpr double kTolerance = 1e-12;

const std::vector<double> kConfidence{.2, .9, .8, .7, .6, .5, .4, .3};
const std::vector<char> kRight{0, 1, 1, 0, 1, 0, 1, 1};

TEST(Selective, TheAreaAgreesWithNumpy) {
  EXPECT_NEAR(*area_under_risk_coverage(kConfidence, kRight), 0.24717261904761903, kTolerance);
}

TEST(Selective, ACurveHasOnePointForEachDifferentConfidence) {
  const std::vector<RiskPoint> points =
      risk_coverage(std::vector<double>{.5, .9, .5}, std::vector<char>{1, 1, 0});
  ASSERT_EQ(points.size(), 2U);
  EXPECT_NEAR(points[0].coverage, 1.0 / 3, kTolerance);
  EXPECT_EQ(points[0].risk, 0);
  EXPECT_EQ(points[1].coverage, 1);
  EXPECT_NEAR(points[1].risk, 1.0 / 3, kTolerance);
  EXPECT_EQ(points[1].threshold, .5);
}

TEST(Selective, TheOrderOfRowsDoesNotMatterAmongEquals) {
  const std::vector<double> same(4, .5);
  const double first = *area_under_risk_coverage(same, std::vector<char>{1, 1, 0, 0});
  EXPECT_EQ(first, *area_under_risk_coverage(same, std::vector<char>{0, 1, 0, 1}));
  EXPECT_NEAR(first, 0.5, kTolerance);
}

TEST(Selective, CoverageIsTheLargestThatKeepsTheRisk) {
  EXPECT_NEAR(*coverage_at_risk(kConfidence, kRight, 0), 2.0 / 8, kTolerance);
  EXPECT_NEAR(*coverage_at_risk(kConfidence, kRight, 0.25), 4.0 / 8, kTolerance);
  EXPECT_NEAR(*coverage_at_risk(kConfidence, kRight, 0.3), 7.0 / 8, kTolerance);
  EXPECT_EQ(*coverage_at_risk(kConfidence, kRight, 1), 1);
}

TEST(Selective, NoThresholdHelpsWhenTheSurestAreWrong) {
  EXPECT_EQ(*coverage_at_risk(std::vector<double>{.9, .8}, std::vector<char>{0, 1}, .05), 0);
}

TEST(Selective, NoRowsAreNoData) {
  EXPECT_FALSE(area_under_risk_coverage({}, {}).has_value());
  EXPECT_FALSE(coverage_at_risk({}, {}, .05).has_value());
  EXPECT_TRUE(risk_coverage({}, {}).empty());
}

}  // namespace
}  // namespace logit::eval
