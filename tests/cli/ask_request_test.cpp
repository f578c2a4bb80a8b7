// The grammar of question flags.
#include "ask_request.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text.h"

namespace logit::cli {
namespace {

constexpr AskFlag kChoice = AskFlag::kChoice;
constexpr AskFlag kNoul = AskFlag::kNoul;
constexpr AskFlag kScore = AskFlag::kScore;
constexpr AskFlag kInstructions = AskFlag::kInstructions;

Result<Request> build(const std::vector<AskItem>& items) { return build_request("state", items); }

std::string refusal(const std::vector<AskItem>& items) {
  const Result<Request> request = build(items);
  return request ? "" : request.error().where + ": " + request.error().message;
}

std::string many(const std::string& name, std::size_t n) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += (i == 0 ? "" : "|") + name + std::to_string(i);
  return text;
}

TEST(AskRequest, AChoiceHasNamesAndDescriptions) {
  const Result<Request> request = build({{kChoice, "a| b : use when: b |c"}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->state, Content("state"));
  const Question& question = request->questions.front();
  EXPECT_EQ(question.id, "q1");
  EXPECT_EQ(question.type, QuestionType::kChoice);
  ASSERT_EQ(question.options.size(), 3U);
  EXPECT_EQ(question.options[1].name, "b");
  EXPECT_EQ(question.options[1].description, Content("use when: b"));
  EXPECT_TRUE(question.options[0].description.is_null());
}

TEST(AskRequest, AColonWithoutABlankBelongsToTheName) {
  const Result<Request> request = build({{kChoice, "12:30|x:y: later"}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->questions[0].options[0].name, "12:30");
  EXPECT_EQ(request->questions[0].options[1].name, "x:y");
  EXPECT_EQ(request->questions[0].options[1].description, Content("later"));
}

TEST(AskRequest, ABackslashMakesAMarkText) {
  const Result<Request> request = build({{kChoice, R"(a\|b|c\: d|e\\|f\n)"}});
  ASSERT_TRUE(request);
  std::vector<std::string> names;
  for (const Option& option : request->questions[0].options) names.push_back(option.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a|b", "c: d", "e\\", "f\\n"}));
}

TEST(AskRequest, AScoreHasLevelsAndANoulItsText) {
  const Result<Request> request = build({{kScore, "low|mid|high"}, {kNoul, "Is it so?"}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->questions[0].levels.size(), 3U);
  EXPECT_EQ(request->questions[0].levels[2], Content("high"));
  EXPECT_EQ(request->questions[1].id, "q2");
  EXPECT_EQ(request->questions[1].instructions, Content("Is it so?"));
}

TEST(AskRequest, InstructionsBelongToTheQuestionBeforeOrToTheOnlyOne) {
  const Result<Request> after =
      build({{kChoice, "a|b"}, {kNoul, "n"}, {kInstructions, "i"}, {kScore, "l|h"}});
  ASSERT_TRUE(after);
  EXPECT_EQ(after->questions[0].instructions, Content("i"));
  EXPECT_EQ(after->questions[1].instructions, Content("n"));
  EXPECT_TRUE(after->questions[2].instructions.is_null());
  const Result<Request> leading = build({{kInstructions, "i"}, {kNoul, "n"}, {kScore, "l|h"}});
  ASSERT_TRUE(leading);
  EXPECT_EQ(leading->questions[1].instructions, Content("i"));
}

TEST(AskRequest, WhatCannotBeMeantIsRefusedByFlag) {
  struct Case {
    std::vector<AskItem> items;
    const char* message;
  };
  const Case cases[] = {{{}, "--state: ask something: --choice, --noul or --score"},
                        {{{kChoice, "a|a"}}, "--choice: option 'a' stands there twice"},
                        {{{kChoice, "a||b"}}, "--choice: an option has no name"},
                        {{{kChoice, ""}}, "--choice: an option has no name"},
                        {{{kChoice, many("o", 256)}}, "--choice: has more than 255 options"},
                        {{{kScore, many("l", 11)}}, "--score: has more than 10 levels"},
                        {{{kScore, "low|"}}, "--score: a level has no text"},
                        {{{kNoul, " "}}, "--noul: asks nothing"},
                        {{{kNoul, "\xff"}}, "--noul: is not UTF-8"},
                        {{{kChoice, "a"}, {kInstructions, "i"}, {kInstructions, "j"}},
                         "--instructions: q1 has instructions already"},
                        {{{kInstructions, "i"}, {kInstructions, "j"}},
                         "--instructions: is given twice before any --choice or --score"},
                        {{{kInstructions, "i"}, {kChoice, "a"}, {kScore, "l"}},
                         "--instructions: must follow the --choice or --score that it is for"},
                        {{{kInstructions, "i"}, {kNoul, "n"}},
                         "--instructions: must follow the --choice or --score that it is for"}};
  for (const Case& c : cases) EXPECT_EQ(refusal(c.items), c.message);
}

TEST(AskRequest, TheFormatsLimitsAreReached) {
  EXPECT_EQ(refusal({{kChoice, many("o", 255)}, {kScore, many("l", 10)}}), "");
  EXPECT_EQ(refusal(std::vector<AskItem>(256, {kNoul, "n"})), "");
  EXPECT_EQ(refusal(std::vector<AskItem>(257, {kNoul, "n"})), "--noul: more than 256 questions");
}

TEST(AskRequest, AStateMustBeUtf8) {
  EXPECT_FALSE(build_request("\xc0\x80", std::vector<AskItem>{{kNoul, "n"}}));
}

}  // namespace
}  // namespace logit::cli
