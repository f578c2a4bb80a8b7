// Replies as people see them.
#include "draw_reply.h"

#include <gtest/gtest.h>

#include <string>

namespace logit::cli {
namespace {

Terminal narrow() {
  Terminal terminal;
  terminal.width = 40;
  return terminal;
}

Question choice(std::size_t n_options) {
  Question question;
  question.id = "q1";
  question.type = QuestionType::kChoice;
  for (std::size_t i = 0; i < n_options; ++i) {
    question.options.push_back({"option " + std::to_string(i), Content()});
  }
  return question;
}

Answer answer_of(const Question& question, std::vector<double> probabilities, std::size_t best) {
  Answer answer;
  answer.id = question.id;
  answer.type = question.type;
  answer.probabilities = std::move(probabilities);
  answer.best = best;
  answer.confidence = .5;
  return answer;
}

std::string draw(const Question& question, const Answer& answer) {
  Request request;
  request.questions = {question};
  Reply reply;
  reply.model = "m";
  reply.answers = {answer};
  reply.usage.input_tokens = 7;
  return draw_reply(request, reply, narrow());
}

TEST(DrawReply, BarsAndNumbersAreAligned) {
  Question question = choice(2);
  question.options[1].name = "b";
  question.instructions = Content("Which?");
  EXPECT_EQ(draw(question, answer_of(question, {.75, .25}, 0)),
            "q1  choice, text  Which?\n"
            "  option 0  ##############       0.7500\n"
            "  b         #####                0.2500\n"
            "  confidence 0.500\n"
            "m, 7 tokens, 0 ms\n");
}

TEST(DrawReply, ANoulShowsYesAndNoAndItsWarningInPlainWords) {
  Question question;
  question.id = "q";
  Answer answer = answer_of(question, {1, 0}, 0);
  answer.warnings = {"this model is guessing"};
  const std::string text = draw(question, answer);
  EXPECT_NE(text.find("yes"), std::string::npos);
  EXPECT_NE(text.find("note: this model is guessing\n"), std::string::npos);
  EXPECT_EQ(text.find("confidence"), std::string::npos);
}

TEST(DrawReply, AScoreShowsItsRange) {
  Question question;
  question.id = "q";
  question.type = QuestionType::kScore;
  question.levels = {"low", "mid", "high"};
  Answer answer = answer_of(question, {.1, .2, .7}, 2);
  answer.score = 1.6;
  EXPECT_NE(draw(question, answer).find("score 1.600 of 2, confidence"), std::string::npos);
}

TEST(DrawReply, ManyOptionsAreCutToTheMostLikelyAndTheRestIsCounted) {
  const Question question = choice(20);
  std::vector<double> probabilities(20, .02);
  probabilities[19] = .62;
  const std::string text = draw(question, answer_of(question, probabilities, 19));
  EXPECT_LT(text.find("option 19"), text.find("option 0 "));
  EXPECT_NE(text.find("and 8 less likely, together 0.1600\n"), std::string::npos) << text;
}

TEST(DrawReply, NamesCannotSteerTheTerminalAndEmptyOnesAreSeen) {
  Question question = choice(2);
  question.options[0].name = "\033[2J";
  question.options[1].name = "";
  const std::string text = draw(question, answer_of(question, {.5, .5}, 0));
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(text.find("\\x1b[2J"), std::string::npos);
  EXPECT_NE(text.find("\"\""), std::string::npos);
}

}  // namespace
}  // namespace logit::cli
