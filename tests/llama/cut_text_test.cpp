// Facts about where text is cut before it is tokenised.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "llama/vocabulary.h"

namespace logit {
namespace {

std::string repeated(std::string_view text, std::size_t n) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += text;
  return all;
}

// Token 1 is markup, the others are text.
Vocabulary vocabulary() {
  Vocabulary made;
  made.n_tokens = 4;
  made.structural = {false, true, false, false};
  made.user_tokens.add("<think>", 1);
  made.user_tokens.add("\n\n", 2);
  made.user_tokens.add("\n\n\n", 3);
  return made;
}

std::vector<std::string> texts(const std::vector<TextPart>& parts) {
  std::vector<std::string> all;
  for (const TextPart& part : parts) all.emplace_back(part.text);
  return all;
}

TEST(UserTokens, TheLongestIsFound) {
  const Vocabulary made = vocabulary();
  EXPECT_EQ(made.user_tokens.match("a\n\n\n\n", 1)->id, 3);
  EXPECT_EQ(made.user_tokens.match("a\n\n\n\n", 1)->size, 3U);
  EXPECT_EQ(made.user_tokens.match("a\n\nb", 1)->id, 2);
  EXPECT_FALSE(made.user_tokens.match("a\nb", 1));
  EXPECT_FALSE(made.user_tokens.match("<think", 0));
}

TEST(CutText, MarkersAreCutBehindTheirFirstCharacter) {
  EXPECT_EQ(texts(cut_text(vocabulary(), "a<think>b")),
            (std::vector<std::string>{"a<", "think>b"}));
  EXPECT_EQ(texts(cut_text(vocabulary(), "<<think>think><think>")),
            (std::vector<std::string>{"<<", "think>think><", "think>"}));
  EXPECT_EQ(texts(cut_text(vocabulary(), "<thin k>")), (std::vector<std::string>{"<thin k>"}));
  EXPECT_TRUE(cut_text(vocabulary(), "").empty());
}

TEST(CutText, WhatIsNoMarkupStaysInItsText) {
  EXPECT_EQ(texts(cut_text(vocabulary(), "a\n\nb\n\n\n")),
            (std::vector<std::string>{"a\n\nb\n\n\n"}));
}

// What stands behind it in one call would get a space of its own.
TEST(CutText, BehindASpacePrefixWhatIsNoMarkupIsATokenAlready) {
  Vocabulary prefixed = vocabulary();
  prefixed.space_guard = SpaceGuard{"\x01", {0}};
  const std::vector<TextPart> parts = cut_text(prefixed, "a\n\nb");
  EXPECT_EQ(texts(parts), (std::vector<std::string>{"a", "\n\n", "b"}));
  EXPECT_FALSE(parts[0].token);
  EXPECT_EQ(parts[1].token, 2);
  EXPECT_FALSE(parts[2].token);
}

// llama.cpp takes the square of their number in one call.
TEST(CutText, APartHasFewMatches) {
  const std::string text = repeated("ab\n\n", 2000);
  const std::vector<TextPart> parts = cut_text(vocabulary(), text);
  EXPECT_EQ(parts.size(), 4U);
  std::string together;
  for (const TextPart& part : parts) together += part.text;
  EXPECT_EQ(together, text);
}

TEST(CutLongRuns, OrdinaryTextIsNotCut) {
  const std::string text = repeated("A sentence of some words, 17 of them. ", 500);
  EXPECT_EQ(cut_long_runs(text), std::vector<std::size_t>{text.size()});
  EXPECT_TRUE(cut_long_runs("").empty());
}

TEST(CutLongRuns, PartsAreShortRunsOfWholeCharacters) {
  for (const std::string_view unit : {"Z", " ", "0", "!", "\xE0\xB8\x81", "\xF0\x9F\x99\x82"}) {
    const std::vector<std::size_t> sizes = cut_long_runs(repeated(unit, 1000));
    EXPECT_EQ(sizes, (std::vector<std::size_t>{256 * unit.size(), 256 * unit.size(),
                                               256 * unit.size(), 232 * unit.size()}));
  }
}

TEST(CutLongRuns, AnotherKindStartsANewRun) {
  const std::string text = repeated(repeated("a", 200) + "\xE3\x80\x82", 10);
  EXPECT_EQ(cut_long_runs(text).size(), 1U);
}

}  // namespace
}  // namespace logit
