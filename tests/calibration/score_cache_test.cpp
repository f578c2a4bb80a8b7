// apps/cli/score_cache.cpp: scores kept on disk.
#include "score_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <string>

#include "calibration/made_up.h"
#include "eval/read_file.h"

namespace logit::cli {
namespace {

CachedScores scores_of(std::vector<double> scores) {
  return {{Readout::kTextChannel, "chat", 2, "joint", true}, 0.85, 0.25, -1.5, std::move(scores)};
}

TEST(ScoreKey, EverythingTheScoresDependOnCounts) {
  const Question base = made_up::choice(3);
  Question reordered = base;
  std::swap(reordered.options[0], reordered.options[1]);
  Question renamed = base;
  renamed.id = "other";
  const std::string key = score_key("s", base, "x");
  EXPECT_EQ(key.size(), 16U);
  EXPECT_EQ(score_key("s", renamed, "x"), key);
  const std::set<std::string> keys{
      key, score_key("t", base, "x"), score_key("s", reordered, "x"),  // scores stand in order
      score_key("s", made_up::choice(4), "x"), score_key("s", base, "y")};
  EXPECT_EQ(keys.size(), 5U);
}

TEST(ScoreCache, WhatWasAddedIsFoundAgainToTheLastBit) {
  const made_up::Folder folder("cache");
  const auto file = folder.path() / "scores" / "m.jsonl";
  auto cache = ScoreCache::open(file);
  ASSERT_TRUE(cache);
  const CachedScores scores = scores_of({0.1 + 0.2, -1e-300, 5});
  ASSERT_TRUE(cache->add({{"a", scores}, {"b", scores_of({1})}}));
  ASSERT_TRUE(cache->add({{"c", scores_of({2})}}));
  const auto again = ScoreCache::open(file);
  ASSERT_TRUE(again);
  ASSERT_NE(again->find("a", 3), nullptr);
  EXPECT_EQ(*again->find("a", 3), scores);
  EXPECT_EQ(again->find("a", 2), nullptr);
  EXPECT_EQ(*again->find("c", 1), scores_of({2}));
  EXPECT_EQ(again->find("d", 1), nullptr);
}

TEST(ScoreCache, ATornLineIsLeftOutAndTheNextOneIsNot) {
  const made_up::Folder folder("cache-torn");
  const auto file = folder.path() / "m.jsonl";
  {
    auto first = ScoreCache::open(file);
    ASSERT_TRUE(first && first->add({{"a", scores_of({1})}, {"b", scores_of({2})}}));
  }
  const std::string lines = *eval::read_file(file.string());
  std::ofstream(file) << "rubbish\n{\"key\":\"x\",\"scores\":[1.0]}\n"
                      << lines.substr(0, lines.size() - 9);
  auto cache = ScoreCache::open(file);
  ASSERT_TRUE(cache);
  EXPECT_NE(cache->find("a", 1), nullptr);
  EXPECT_EQ(cache->find("x", 1), nullptr);
  EXPECT_EQ(cache->find("b", 1), nullptr);
  ASSERT_TRUE(cache->add({{"c", scores_of({3})}}));
  const auto again = ScoreCache::open(file);
  ASSERT_TRUE(again);
  EXPECT_NE(again->find("a", 1), nullptr);
  EXPECT_NE(again->find("c", 1), nullptr);
}

TEST(ScoreCache, NullIsACandidateThatWasNotListedAndDamageAmongScores) {
  const made_up::Folder folder("cache-null");
  const auto file = folder.path() / "m.jsonl";
  CachedScores scores = scores_of({1, 2});
  scores.listed = {-0.5, std::numeric_limits<double>::quiet_NaN()};
  ASSERT_TRUE(ScoreCache::open(file)->add({{"a", scores}}));
  const auto cache = ScoreCache::open(file);
  ASSERT_NE(cache->find("a", 2), nullptr);
  EXPECT_EQ(cache->find("a", 2)->listed[0], -0.5);
  EXPECT_TRUE(std::isnan(cache->find("a", 2)->listed[1]));
  std::string line = *eval::read_file(file.string());
  line.replace(line.find("[1.0,2.0]"), 9, "[1.0,null]");
  std::ofstream(file) << line;
  EXPECT_EQ(ScoreCache::open(file)->find("a", 2), nullptr);
}

TEST(ScoreCache, NoPathKeepsInMemoryAndAFileInTheWayIsAnError) {
  auto memory = ScoreCache::open({});
  ASSERT_TRUE(memory);
  ASSERT_TRUE(memory->add({{"a", scores_of({1})}}));
  EXPECT_NE(memory->find("a", 1), nullptr);
  const made_up::Folder folder("cache-way");
  std::ofstream(folder.path() / "scores") << "a file";
  auto cache = ScoreCache::open(folder.path() / "scores" / "m.jsonl");
  EXPECT_TRUE(!cache || !cache->add({{"a", scores_of({1})}}));
}

}  // namespace
}  // namespace logit::cli
