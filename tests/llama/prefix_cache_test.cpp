// Facts about the cache of root states.
#include "llama/prefix_cache.h"

#include <gtest/gtest.h>

namespace logit {
namespace {

std::vector<std::uint8_t> state(std::uint8_t value, std::size_t n = 100) {
  return std::vector<std::uint8_t>(n, value);
}

TEST(PrefixCache, FindsWhatWasStored) {
  PrefixCache cache(1000);
  EXPECT_TRUE(cache.find({1}).empty());
  cache.store({1}, state(7));
  ASSERT_EQ(cache.find({1}).size(), 100U);
  EXPECT_EQ(cache.find({1}).front(), 7);
  EXPECT_TRUE(cache.find({1, 2}).empty());
}

TEST(PrefixCache, TheLeastRecentlyUsedGoesFirst) {
  PrefixCache cache(330);  // three states of 100 bytes and 8 for the tokens
  cache.store({1}, state(1));
  cache.store({2}, state(2));
  cache.store({3}, state(3));
  EXPECT_FALSE(cache.find({1}).empty());
  cache.store({4}, state(4));
  EXPECT_TRUE(cache.has({1}));
  EXPECT_FALSE(cache.has({2}));
  EXPECT_TRUE(cache.has({3}));
  EXPECT_LE(cache.n_bytes(), 330U);
}

TEST(PrefixCache, WhatIsTooLargeIsNotKeptAndDisplacesNothing) {
  PrefixCache cache(330);
  cache.store({1}, state(1));
  cache.store({2}, state(2, 400));
  EXPECT_TRUE(cache.has({1}));
  EXPECT_FALSE(cache.has({2}));
}

TEST(PrefixCache, StoringAgainReplaces) {
  PrefixCache cache(330);
  cache.store({1}, state(1));
  cache.store({1}, state(9, 50));
  EXPECT_EQ(cache.n_states(), 1U);
  EXPECT_EQ(cache.n_bytes(), 58U);
  EXPECT_EQ(cache.find({1}).front(), 9);
}

TEST(PrefixCache, ForgettingFreesItsBytes) {
  PrefixCache cache(330);
  cache.store({1}, state(1));
  cache.forget({1});
  cache.forget({2});
  EXPECT_EQ(cache.n_bytes(), 0U);
  EXPECT_EQ(cache.n_states(), 0U);
}

TEST(PrefixCache, NoBytesMeansNoStates) {
  PrefixCache cache(0);
  cache.store({1}, state(1, 0));
  EXPECT_EQ(cache.n_states(), 0U);
}

}  // namespace
}  // namespace logit
