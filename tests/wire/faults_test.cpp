// Places and the list of faults.
#include "wire/faults.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace logit::wire {
namespace {

TEST(LocText, CannotBeMistakenForAnotherPlace) {
  const std::vector<LocStep> plain = {"questions", "q", "criteria", std::size_t{3}};
  EXPECT_EQ(loc_text(plain), "questions.q.criteria[3]");
  const std::vector<LocStep> dotted = {"questions", "a.b", "", "x y", "\"[0]"};
  EXPECT_EQ(loc_text(dotted), R"(questions."a.b".""."x y"."\"[0]")");
  EXPECT_EQ(loc_text({}), "");
}

TEST(SchemaError, NamesTheFirstFaultAndCountsTheOthers) {
  FaultList faults;
  const Place state{nullptr, std::string_view("state")};
  faults.add("missing", &state, "state is missing");
  faults.add("wrong_type", nullptr, "other");
  const Error error = schema_error(std::move(faults).take());
  EXPECT_EQ(error.code, ErrorCode::kSchema);
  EXPECT_EQ(error.where, "state");
  EXPECT_EQ(error.message, "state is missing (2 faults in all)");
  EXPECT_EQ(error.faults.size(), 2u);
}

TEST(FaultList, SaysWhenItStopsListing) {
  const std::string long_key(100'000, 'k');
  const Place place{nullptr, std::string_view(long_key)};
  FaultList faults;
  for (int i = 0; i < 1000; ++i) faults.add("wrong_type", &place, "no");
  const auto listed = std::move(faults).take();
  EXPECT_LT(listed.size(), 20u);
  EXPECT_EQ(listed.back().type, "truncated");
  EXPECT_EQ(listed.front().type, "wrong_type");
}

}  // namespace
}  // namespace logit::wire
