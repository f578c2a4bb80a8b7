#include "serve/message.h"

#include <gtest/gtest.h>

namespace logit::serve {
namespace {

TEST(SplitTarget, PartsAPathFromItsQuery) {
  const Target target = split_target("/v1/systemone?diagnostics=1&x=2");
  EXPECT_EQ(target.path, "/v1/systemone");
  EXPECT_EQ(target.query, "diagnostics=1&x=2");
  EXPECT_EQ(target.authority, "");
}

TEST(SplitTarget, ATrailingSlashDoesNotCount) {
  EXPECT_EQ(split_target("/v1/models/").path, "/v1/models");
  EXPECT_EQ(split_target("/v1/models/?a").path, "/v1/models");
  EXPECT_EQ(split_target("/").path, "/");
  EXPECT_EQ(split_target("").path, "");
}

TEST(SplitTarget, AnAbsoluteTargetNamesItsHost) {
  EXPECT_EQ(split_target("http://evil.example/v1/models").authority, "evil.example");
  EXPECT_EQ(split_target("http://evil.example/v1/models").path, "/v1/models");
  EXPECT_EQ(split_target("http://localhost:1").path, "/");
  EXPECT_EQ(split_target("http://localhost?x=1").query, "x=1");
  EXPECT_EQ(split_target("/a?next=http://b/c").path, "/a");
}

TEST(IsSwitchedOn, KnowsTheUsualSpellings) {
  for (const char* query : {"diagnostics", "diagnostics=1", "a=2&diagnostics=TRUE"}) {
    EXPECT_TRUE(is_switched_on(query, "diagnostics")) << query;
  }
  for (const char* query : {"", "diagnostics=0", "diagnostics=", "xdiagnostics=1"}) {
    EXPECT_FALSE(is_switched_on(query, "diagnostics")) << query;
  }
}

TEST(SplitList, TrimsAndLeavesEmptyPartsOut) {
  EXPECT_EQ(split_list(" a , ,b\t,"), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_TRUE(split_list("").empty());
}

TEST(MediaType, IsLowerCaseWithoutParameters) {
  EXPECT_EQ(media_type("Application/JSON; charset=utf-8"), "application/json");
  EXPECT_EQ(media_type(""), "");
}

TEST(Headers, NamesCompareInAnyCase) {
  const Head head{"GET", "/", {{"HOST", "a"}, {"host", "b"}}, 11};
  EXPECT_EQ(find_header(head, "Host"), "a");
  EXPECT_EQ(count_headers(head, "Host"), 2U);
  EXPECT_FALSE(find_header(head, "Origin"));
}

}  // namespace
}  // namespace logit::serve
