// Findings for people and machines.
#include "describe_findings.h"

#include <gtest/gtest.h>

namespace logit::cli {
namespace {

std::vector<Finding> findings() {
  return {{"a_rule",
           Severity::kWarning,
           {"questions", "q\n", "criteria", std::size_t{3}},
           "is bad",
           "mend it"},
          {"b_rule", Severity::kNote, {}, "is odd", "look"}};
}

TEST(DescribeFindings, PeopleGetALineEachAndACount) {
  EXPECT_EQ(findings_text(findings()),
            "warning: questions.'q\\n'.criteria.3: is bad; mend it [a_rule]\n"
            "note: is odd; look [b_rule]\n"
            "1 warning, 1 note\n");
  EXPECT_EQ(findings_text({}), "0 warnings, 0 notes\n");
}

TEST(DescribeFindings, NamesThatCannotBeSeenStandInQuotes) {
  const auto place = [](const char* name) {
    return finding_line({"r", Severity::kNote, {"criteria", name}, "m", "a"});
  };
  EXPECT_EQ(place(""), "criteria.'': m; a");
  EXPECT_EQ(place("a "), "criteria.'a ': m; a");
  EXPECT_EQ(place("a b"), "criteria.a b: m; a");
}

TEST(DescribeFindings, MachinesGetThePlaceInSteps) {
  EXPECT_EQ(compact_json(findings_json({findings().front()})),
            R"({"findings":[{"rule":"a_rule","severity":"warning","loc":["questions","q\n",)"
            R"("criteria",3],"message":"is bad","advice":"mend it"}]})");
}

}  // namespace
}  // namespace logit::cli
