#include "pipeline/orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "pipeline/sample_questions.h"

namespace logit::pipeline {
namespace {

QuestionText text_of(const std::vector<std::string>& names) {
  Question question = testing::choice("q", {});
  for (const std::string& name : names) question.options.push_back({name, {}});
  return question_text(question);
}

std::vector<std::string> listed(const QuestionText& text, const Order& order) {
  std::vector<std::string> names;
  for (std::size_t candidate : order) names.push_back(text.candidates[candidate].name);
  return names;
}

TEST(ListOrders, DoNotDependOnTheCallersOrder) {
  const QuestionText one = text_of({"pear", "apple", "fig", "plum"});
  const QuestionText other = text_of({"plum", "fig", "apple", "pear"});
  const auto a = list_orders(one, QuestionType::kChoice, 3);
  const auto b = list_orders(other, QuestionType::kChoice, 3);
  ASSERT_EQ(a.size(), 3U);
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(listed(one, a[k]), listed(other, b[k]));
}

TEST(ListOrders, EachIsAPermutationAndNoTwoAreEqual) {
  const QuestionText text = text_of({"pear", "apple", "fig", "plum", "lime"});
  auto orders = list_orders(text, QuestionType::kChoice, 9);
  EXPECT_EQ(orders.size(), 5U);
  for (const Order& order : orders) {
    Order sorted = order;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, (Order{0, 1, 2, 3, 4}));
  }
  std::sort(orders.begin(), orders.end());
  EXPECT_EQ(std::adjacent_find(orders.begin(), orders.end()), orders.end());
}

TEST(ListOrders, AnotherQuestionGivesAnotherFirstOrder) {
  std::size_t n_different = 0;
  for (const char* instructions : {"One?", "Two?", "Three?", "Four?"}) {
    QuestionText text = text_of({"a1", "b1", "c1", "d1", "e1", "f1"});
    const Order first = list_orders(text, QuestionType::kChoice, 1).front();
    text.instructions = instructions;
    n_different += list_orders(text, QuestionType::kChoice, 1).front() != first;
  }
  EXPECT_GE(n_different, 3U);
}

TEST(ListOrders, ALetterStaysBehindItself) {
  const QuestionText text = text_of({"C", "apple", "a", "pear", "z"});
  for (const Order& order : list_orders(text, QuestionType::kChoice, 3)) {
    EXPECT_EQ(order[2], 0U);  // "C"
    EXPECT_EQ(order[0], 2U);  // "a"
  }
}

TEST(ListOrders, LevelsAreOnlyEverReversed) {
  const QuestionText text = question_text(testing::score("q", {"low", "mid", "high"}));
  EXPECT_EQ(list_orders(text, QuestionType::kScore, 1), (std::vector<Order>{{0, 1, 2}}));
  EXPECT_EQ(list_orders(text, QuestionType::kScore, 5), (std::vector<Order>{{0, 1, 2}, {2, 1, 0}}));
}

TEST(ListOrders, ANoulIsAskedYesFirstThenNoFirst) {
  const QuestionText text = question_text(testing::noul("q", "True?"));
  EXPECT_EQ(list_orders(text, QuestionType::kNoul, 2), (std::vector<Order>{{0, 1}, {1, 0}}));
}

}  // namespace
}  // namespace logit::pipeline
