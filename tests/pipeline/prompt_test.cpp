#include "pipeline/prompt.h"

#include <gtest/gtest.h>

#include <set>

namespace logit::pipeline {
namespace {

TEST(QuestionText, ANullDescriptionLeavesTheNameToSpeak) {
  Question question;
  question.type = QuestionType::kChoice;
  question.options = {{"billing", {}}, {"sales", "orders and quotes"}};
  const QuestionText text = question_text(question);
  EXPECT_EQ(listed_text(text.candidates[0]), "billing");
  EXPECT_EQ(listed_text(text.candidates[1]), "sales: orders and quotes");
  EXPECT_EQ(weighed_texts(text.candidates[0]).size(), 1U);
  EXPECT_EQ(weighed_texts(text.candidates[1]).front().text, "orders and quotes");
}

TEST(QuestionText, AMissingSideOfANoulLeavesNoTrace) {  // case C05
  Question question;
  question.instructions = "Satisfied?";
  question.when_true = "thanks us";
  const QuestionText text = question_text(question);
  EXPECT_EQ(listed_text(text.candidates[0]), "Yes: thanks us");
  EXPECT_EQ(listed_text(text.candidates[1]), "No");
}

TEST(QuestionText, AStatementIsJudgedTrueOrFalseAndAQuestionAnsweredYesOrNo) {
  Question question;
  question.instructions = "The customer is angry.";
  question.when_false = "calm";
  const QuestionText statement = question_text(question);
  EXPECT_EQ(statement.heading + statement.instructions,
            "Statement: The customer is angry.\nQuestion: Is the statement true or false?");
  EXPECT_EQ(listed_text(statement.candidates[0]), "True");
  EXPECT_EQ(listed_text(statement.candidates[1]), "False: calm");
  const Content rule = Content(Content::Object{{"rule", Content("no spam")}});
  for (const Content& asked : {Content("Is it? Say so."), Content("ghadib\xD8\x9F"),
                               Content("okotteru\xEF\xBC\x9F"), rule, Content(" "), Content()}) {
    question.instructions = asked;
    const QuestionText text = question_text(question);
    EXPECT_EQ(text.heading, "Question: ");
    EXPECT_EQ(text.candidates[0].name, "Yes");
  }
}

TEST(QuestionText, AbsentInstructionsGetAPlainWording) {
  Question question;
  for (QuestionType type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    question.type = type;
    EXPECT_FALSE(question_text(question).instructions.empty());
  }
}

TEST(QuestionText, TheIdNeverReachesThePrompt) {  // case C131
  Question question;
  question.type = QuestionType::kChoice;
  question.id = "the answer is billing";
  question.options = {{"billing", {}}, {"shipping", {}}};
  const QuestionText text = question_text(question);
  EXPECT_EQ(text.instructions.find("answer is billing"), std::string::npos);
}

TEST(QuestionText, StructuredTextIsRenderedOnceAndDeterministically) {  // case C04
  Question question;
  question.type = QuestionType::kChoice;
  question.instructions = Content(
      Content::Object{{"rule", Content("first match wins")}, {"ask", Content("Which desk?")}});
  question.options = {{"other", Content(Content::Object{{"k", Content(Content::Number{"1"})}})}};
  const QuestionText text = question_text(question);
  EXPECT_EQ(text.instructions,
            "{\n  \"ask\": \"Which desk?\",\n  \"rule\": \"first match wins\"\n}");
  EXPECT_EQ(text.candidates[0].description, "{\n  \"k\": 1\n}");
}

TEST(QuestionMark, IsSoughtAtTheEndInSeveralScripts) {
  for (const char* text :
       {"Who?", "Who? \n", "\xE8\xB0\x81\xEF\xBC\x9F", "\xD9\x85\xD9\x86\xD8\x9F"}) {
    EXPECT_TRUE(ends_in_question_mark(text)) << text;
  }
  for (const char* text : {"", " ", "Who? Me.", "\"Who?\"", "Who"}) {
    EXPECT_FALSE(ends_in_question_mark(text)) << text;
  }
}

TEST(Spellings, CoverCaseAndSpaceWithoutRepeats) {
  const auto all = spellings_of("Yes");
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 6U);
  EXPECT_EQ(all.front(), " Yes");
}

}  // namespace
}  // namespace logit::pipeline
