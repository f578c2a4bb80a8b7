#include "pipeline/baseline_cache.h"

#include <gtest/gtest.h>

namespace logit::pipeline {
namespace {

TEST(BaselineCache, ReturnsWhatWasPut) {
  BaselineCache cache(2);
  EXPECT_EQ(cache.find("a"), nullptr);
  cache.put("a", {1, 2});
  ASSERT_NE(cache.find("a"), nullptr);
  EXPECT_EQ(*cache.find("a"), (std::vector<double>{1, 2}));
}

TEST(BaselineCache, TheLeastRecentlyUsedEntryGoesFirst) {
  BaselineCache cache(2);
  cache.put("a", {1});
  cache.put("b", {2});
  ASSERT_NE(cache.find("a"), nullptr);
  cache.put("c", {3});
  EXPECT_EQ(cache.find("b"), nullptr);
  EXPECT_NE(cache.find("a"), nullptr);
  EXPECT_EQ(cache.size(), 2U);
}

TEST(BaselineCache, PuttingAgainReplaces) {
  BaselineCache cache(1);
  cache.put("a", {1});
  cache.put("a", {5});
  EXPECT_EQ(cache.find("a")->front(), 5);
  EXPECT_EQ(cache.size(), 1U);
}

TEST(BaselineCache, ZeroEntriesKeepNothing) {
  BaselineCache cache(0);
  cache.put("a", {1});
  EXPECT_EQ(cache.find("a"), nullptr);
}

}  // namespace
}  // namespace logit::pipeline
