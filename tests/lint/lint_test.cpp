// Every rule on a question that breaks it and on one that does not.
#include "logit/lint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lint/text.h"
#include "logit/wire.h"

namespace logit {
namespace {

// "rule place" of each finding for a question's JSON.
std::vector<std::string> found(const std::string& question, const LintOptions& options = {}) {
  const auto request = parse_request(R"({"state":"s","questions":{"q":)" + question + "}}");
  if (!request) return {"not a request: " + question};
  std::vector<std::string> rules;
  for (const Finding& finding : lint(request->questions.front(), options)) {
    std::string text = finding.rule;
    for (const LocStep& step : finding.loc) {
      const auto* key = std::get_if<std::string>(&step);
      text += " " + (key != nullptr ? *key : std::to_string(std::get<std::size_t>(step)));
    }
    EXPECT_FALSE(finding.message.empty() || finding.advice.empty()) << text;
    rules.push_back(text);
  }
  return rules;
}

std::string choice(const std::string& criteria) {
  return R"({"type":"choice","instructions":"Which?","criteria":)" + criteria + "}";
}
std::string score(const std::string& levels) {
  return R"({"type":"score","instructions":"How?","criteria":)" + levels + "}";
}

using Rules = std::vector<std::string>;

TEST(Lint, AGoodQuestionHasNoFindings) {
  EXPECT_EQ(found(choice(R"({"billing":"money","bug":"it is broken","other":null})")), Rules{});
  EXPECT_EQ(found(score(R"(["not urgent","urgent","emergency"])")), Rules{});
  EXPECT_EQ(found(R"({"type":"noul","instructions":"Is it so?"})"), Rules{});
}

TEST(Lint, MissingInstructionsAreFoundInEveryType) {
  for (const char* question :
       {R"({"type":"noul","instructions":" \n"})", R"({"type":"choice","criteria":{"a":null}})",
        R"({"type":"score","criteria":["x","y"]})"}) {
    EXPECT_EQ(found(question), Rules{"no_instructions instructions"}) << question;
  }
}

// C125: options that are blank, or equal after trimming.
TEST(Lint, NamesThatNobodyCanTellApart) {
  EXPECT_EQ(found(choice(R"({"a":null,"a ":null," ":null,"":null,"A":null})")),
            (Rules{"empty_name criteria  ", "empty_name criteria ", "near_equal_names criteria a ",
                   "near_equal_names criteria A"}));
  EXPECT_EQ(found(choice(R"({"card  arrival":null,"Card arrival.":null})")),
            Rules{"near_equal_names criteria Card arrival."});
}

// C124: options that refer to others.
TEST(Lint, OptionsThatSpeakOfTheOthers) {
  for (const char* name :
       {"both of these", "None of these", "all of the above", "None of the above.", "neither",
        "any of them", "one of the others", "All  of the above"}) {
    EXPECT_EQ(found(choice(R"({"fruit":null,")" + std::string(name) + R"(":null})")),
              Rules{"refers_to_others criteria " + std::string(name)});
  }
  for (const char* name : {"none", "all hands", "bothersome", "one of a kind", "all of France"}) {
    const bool is_bare_none = std::string(name) == "none";
    EXPECT_EQ(found(choice(R"({"fruit":null,")" + std::string(name) + R"(":null})")).size(),
              is_bare_none ? 1U : 0U)
        << name;
  }
}

TEST(Lint, ManyOptionsWithoutADescription) {
  std::string criteria = "{";
  for (int i = 0; i < 13; ++i) {
    criteria += (i > 0 ? "," : "") + std::string("\"option ") + std::to_string(i) + "\":null";
  }
  EXPECT_EQ(found(choice(criteria + "}")), Rules{"many_without_description criteria"});
  EXPECT_EQ(found(choice(criteria + "}"), {.many_options = 13}), Rules{});
}

TEST(Lint, EqualDescriptions) {
  EXPECT_EQ(found(choice(R"({"a":"It broke.","b":"works","c":"it  broke"})")),
            Rules{"equal_descriptions criteria c"});
  EXPECT_EQ(found(R"({"type":"noul","instructions":"So?","criteria":{"true":"x","false":"X"}})"),
            Rules{"equal_descriptions criteria false"});
  EXPECT_EQ(found(score(R"(["a","b","A"])")), Rules{"equal_descriptions criteria 2"});
}

TEST(Lint, DescriptionsWithTheSameLongBeginning) {
  EXPECT_EQ(found(choice(R"({"b":"The customer is asking about a refund",
                             "c":"a bug",
                             "a":"The customer is asking about a parcel"})")),
            Rules{"shared_beginning criteria a"});
  // Long, but less than half of what they say.
  EXPECT_EQ(
      found(choice(
          R"({"a":"The customer is asking about a refund that was promised last week and never came",
                             "b":"The customer is asking about the way to our shop, or when it is open on Sundays"})")),
      Rules{});
}

// C122: the scale is the caller's, a score of 0 is the first level.
TEST(Lint, LevelsFromHighToLow) {
  for (const char* levels : {R"(["5 stars","4 stars","3 stars"])", R"(["high","medium","low"])",
                             R"(["Very positive","Positive","Neutral","Negative"])",
                             R"(["10","5","1"])", R"(["severe","medium","small","no problem"])",
                             R"(["Always: each day","sometimes","never"])"}) {
    EXPECT_EQ(found(score(levels)), Rules{"levels_descend criteria"}) << levels;
  }
  EXPECT_EQ(found(score(R"(["low","high","medium"])")), Rules{"levels_out_of_order criteria"});
  for (const char* levels :
       {R"(["1","2","3"])", R"(["-1: worse","0: same","1: better"])", R"(["low","medium","high"])",
        R"(["never","sometimes","always"])", R"(["a","b","c"])", R"(["2nd","1st"])",
        R"(["cold","something else","and another","last"])"}) {
    EXPECT_EQ(found(score(levels)), Rules{}) << levels;
  }
}

TEST(Lint, ALevelThatSaysNothing) {
  EXPECT_EQ(found(score(R"(["low"," "])")), Rules{"empty_name criteria 1"});
}

TEST(Lint, OptionsThatTheModelConfuses) {
  const LintOptions measured{.confusions = {{"a", "b", 3, 10},
                                            {"b", "c", 1, 2},
                                            {"b", "a", 2, 30},
                                            {"c", "d", 5, 5},
                                            {"x", "a", 5, 5}}};
  EXPECT_EQ(found(choice(R"({"a":null,"b":"bee","c":"see","d":"dee"})"), measured),
            Rules{"confused_without_description criteria a"});
  EXPECT_EQ(found(choice(R"({"a":"ay","b":"bee","c":"see","d":"dee"})"), measured), Rules{});
}

TEST(Lint, ARequestsFindingsNameTheQuestion) {
  const auto request =
      parse_request(R"({"state":"s","questions":{"x":{"type":"noul","instructions":"So?"},
                        "y":{"type":"noul","instructions":" "}}})");
  ASSERT_TRUE(request);
  const std::vector<Finding> findings = lint(*request);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.front().loc, (std::vector<LocStep>{"questions", "y", "instructions"}));
  EXPECT_STREQ(severity_name(findings.front().severity), "warning");
}

TEST(LintText, FoldingAndPrefixes) {
  EXPECT_EQ(lint_rules::folded("  A\tb\n\nC.. "), "a b c");
  EXPECT_EQ(lint_rules::folded(" . "), "");
  EXPECT_EQ(lint_rules::shared_prefix("abc", "abd"), 2U);
  EXPECT_EQ(lint_rules::shared_prefix("a\xc3\xa9", "a\xc3\xa8"), 1U);  // half a character is none
  EXPECT_EQ(lint_rules::name_list({"a", "b"}), "'a' and 'b'");
  EXPECT_EQ(lint_rules::name_list({"a", "b", "c", "d"}, 2), "'a', 'b' and 2 more");
}

}  // namespace
}  // namespace logit
