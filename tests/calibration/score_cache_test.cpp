// apps/cli/score_cache.cpp: scores kept on disk.
#include "score_cache.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "calibration/made_up.h"
#include "eval/read_file.h"

namespace logit::cli {
namespace {

using Scores = std::vector<double>;

TEST(ScoreKey, EverythingTheScoresDependOnCounts) {
  const Question base = made_up::choice(3);
  Question reordered = base;
  std::swap(reordered.options[0], reordered.options[1]);
  Question renamed = base;
  renamed.id = "other";
  const std::string key = score_key("s", base, {}, 1);
  EXPECT_EQ(key.size(), 16U);
  EXPECT_EQ(score_key("s", renamed, {}, 1), key);
  const std::set<std::string> keys{key,
                                   score_key("t", base, {}, 1),
                                   score_key("s", reordered, {}, 1),  // scores stand in order
                                   score_key("s", made_up::choice(4), {}, 1),
                                   score_key("s", base, {.frame = "chat"}, 1),
                                   score_key("s", base, {.readout = Readout::kLabel}, 1),
                                   score_key("s", base, {.orders = 2}, 1),
                                   score_key("s", base, {.score_method = "independent"}, 1),
                                   score_key("s", base, {}, 2)};
  EXPECT_EQ(keys.size(), 9U);
}

TEST(ScoreCache, WhatWasAddedIsFoundAgainToTheLastBit) {
  const made_up::Folder folder("cache");
  const auto file = folder.path() / "scores" / "m.jsonl";
  auto cache = ScoreCache::open(file);
  ASSERT_TRUE(cache);
  const Scores scores{0.1 + 0.2, -1e-300, 5};
  ASSERT_TRUE(cache->add({{"a", scores}, {"b", {1}}}));
  ASSERT_TRUE(cache->add({{"c", {2}}}));
  const auto again = ScoreCache::open(file);
  ASSERT_TRUE(again);
  ASSERT_NE(again->find("a", 3), nullptr);
  EXPECT_EQ(*again->find("a", 3), scores);
  EXPECT_EQ(again->find("a", 2), nullptr);
  EXPECT_EQ(*again->find("c", 1), Scores{2});
  EXPECT_EQ(again->find("d", 1), nullptr);
}

TEST(ScoreCache, ATornLineIsLeftOutAndTheNextOneIsNot) {
  const made_up::Folder folder("cache-torn");
  const auto file = folder.path() / "m.jsonl";
  std::ofstream(file) << R"({"key":"a","scores":[1]})"
                      << "\nrubbish\n"
                      << R"({"key":"x","scores":[null]})"
                      << "\n"
                      << R"({"key":"b","sco)";
  auto cache = ScoreCache::open(file);
  ASSERT_TRUE(cache);
  EXPECT_NE(cache->find("a", 1), nullptr);
  EXPECT_EQ(cache->find("x", 1), nullptr);
  EXPECT_EQ(cache->find("b", 1), nullptr);
  ASSERT_TRUE(cache->add({{"c", {3}}}));
  const auto again = ScoreCache::open(file);
  ASSERT_TRUE(again);
  EXPECT_NE(again->find("a", 1), nullptr);
  EXPECT_NE(again->find("c", 1), nullptr);
}

TEST(ScoreCache, NoPathKeepsInMemoryAndAFileInTheWayIsAnError) {
  auto memory = ScoreCache::open({});
  ASSERT_TRUE(memory);
  ASSERT_TRUE(memory->add({{"a", {1}}}));
  EXPECT_NE(memory->find("a", 1), nullptr);
  const made_up::Folder folder("cache-way");
  std::ofstream(folder.path() / "scores") << "a file";
  auto cache = ScoreCache::open(folder.path() / "scores" / "m.jsonl");
  EXPECT_TRUE(!cache || !cache->add({{"a", {1}}}));
}

}  // namespace
}  // namespace logit::cli
