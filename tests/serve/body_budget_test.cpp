#include "serve/body_budget.h"

#include <gtest/gtest.h>

namespace logit::serve {
namespace {

TEST(BodyBudget, HoldsGrowUntilTheBudgetIsSpent) {
  BodyBudget budget{100, 0};
  BodyHold first(budget);
  EXPECT_TRUE(first.grow_to(60));
  BodyHold second(budget);
  EXPECT_FALSE(second.grow_to(41));
  EXPECT_EQ(budget.held, 60U);
  EXPECT_TRUE(second.grow_to(40));
  EXPECT_FALSE(first.grow_to(61));
  EXPECT_EQ(budget.held, 100U);
}

TEST(BodyBudget, AHoldNeverShrinksAndEndsWithItsRequest) {
  BodyBudget budget{100, 0};
  {
    BodyHold hold(budget);
    EXPECT_TRUE(hold.grow_to(70));
    EXPECT_TRUE(hold.grow_to(10));
    EXPECT_EQ(budget.held, 70U);
  }
  EXPECT_EQ(budget.held, 0U);
}

TEST(BodyBudget, ANumberBeyondEveryBudgetIsRefused) {
  BodyBudget budget{100, 0};
  BodyHold hold(budget);
  EXPECT_FALSE(hold.grow_to(static_cast<std::size_t>(-1)));
  EXPECT_EQ(budget.held, 0U);
}

}  // namespace
}  // namespace logit::serve
