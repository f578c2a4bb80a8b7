#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/baseline_cache.h"
#include "pipeline/defaults.h"
#include "pipeline/sample_questions.h"
#include "pipeline/stages.h"
#include "support/scripted_backend.h"

namespace logit::pipeline {
namespace {

using testing::ScriptedBackend;

class PlanTest : public ::testing::Test {
 protected:
  Plan plan_of(const std::vector<Request>& requests) {
    return plan(backend, options, profile, cache, requests);
  }

  std::string path_text(const TokenTree& tree, std::uint32_t node) const {
    std::string text;
    for (std::uint32_t n = node; n != TokenTree::kNoParent; n = tree.nodes[n].parent) {
      text = backend.text(tree.tokens_of(n)) + text;
    }
    return text;
  }

  std::size_t n_roots(const TokenTree& tree) const {
    return static_cast<std::size_t>(std::count_if(
        tree.nodes.begin(), tree.nodes.end(),
        [](const TokenTree::Node& node) { return node.parent == TokenTree::kNoParent; }));
  }

  ScriptedBackend backend;
  ClassifierOptions options;
  Profile profile =
      testing::profile_of({Readout::kText, FrameKind::kPlain}, backend.info().fingerprint);
  BaselineCache cache{16};
};

TEST_F(PlanTest, ATreeKeepsTheRulesOfTheHeader) {
  const Plan planned = plan_of({testing::request(
      "some text", {testing::choice("a", {"x", "xy", "z"}), testing::noul("b", "True?"),
                    testing::score("c", {"low", "high"})})});
  EXPECT_EQ(tree_fault(planned.tree, backend.info().n_vocab), "");
}

TEST_F(PlanTest, ALabelPromptListsOptionsBehindSplicedLabels) {
  options.readout = Readout::kLabel;
  const Plan planned =
      plan_of({testing::request("stripes", {testing::choice("q", {"zebra", "apple"})})});
  const std::string text = path_text(planned.tree, planned.tree.reads.front().node);
  EXPECT_NE(text.find("(A) zebra\n(B) apple"), std::string::npos) << text;
  EXPECT_NE(text.find("Text: \"stripes\"\n\nQuestion: Which one?"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.size() - 9), "Answer: (") << text;
  EXPECT_EQ(planned.tree.ids[0], backend.info().labels[0].id);
}

TEST_F(PlanTest, AChatFrameStandsAroundThePrompt) {
  options.readout = Readout::kLabel;
  options.frame = FrameKind::kChat;
  const Plan planned = plan_of({testing::request("s", {testing::choice("q", {"a", "b"})})});
  const std::string text = path_text(planned.tree, planned.tree.reads.front().node);
  EXPECT_EQ(text.find("<bos><|im_start|>user\n"), 0U) << text;
  EXPECT_NE(text.find("<|im_end|>\n<|im_start|>assistant\nAnswer: ("), std::string::npos) << text;
}

TEST_F(PlanTest, AShortStateStandsBelowItsQuestion) {
  const Plan planned = plan_of({testing::request("short", {testing::choice("q", {"a", "b"})}),
                                testing::request("other", {testing::choice("q", {"a", "b"})})});
  EXPECT_EQ(n_roots(planned.tree), 1U);
}

TEST_F(PlanTest, ALongStateIsSharedByItsQuestions) {
  const std::string state(kShortState + 10, 'x');  // one token a byte here
  const Plan planned =
      plan_of({testing::request(state, {testing::noul("a", "One?"), testing::noul("b", "Two?")})});
  EXPECT_EQ(n_roots(planned.tree), 1U);
  EXPECT_NE(backend.text(planned.tree.tokens_of(0)).find(state), std::string::npos);
}

TEST_F(PlanTest, EmptyStatesAreWeighedOnceForAQuestionThatManyStatesShare) {
  const auto one = plan_of({testing::request("one", {testing::choice("q", {"a", "b"})})});
  const auto two = plan_of({testing::request("one", {testing::choice("q", {"a", "b"})}),
                            testing::request("two", {testing::choice("other id", {"a", "b"})})});
  EXPECT_EQ(one.baseline_tokens, two.baseline_tokens);
  EXPECT_GT(one.baseline_tokens, 0U);
}

TEST_F(PlanTest, AKnownBaselineIsNotEvaluatedAgain) {
  const std::vector<Request> requests = {
      testing::request("one", {testing::choice("q", {"a", "b"})})};
  const Plan first = plan_of(requests);
  cache.put(first.requests[0]->questions[0].baseline.key, {0.5, 0.25});
  const Plan second = plan_of(requests);
  EXPECT_EQ(second.baseline_tokens, 0U);
  EXPECT_EQ(second.requests[0]->questions[0].baseline.known, (std::vector<double>{0.5, 0.25}));
  EXPECT_LT(second.tree.tokens.size(), first.tree.tokens.size());
}

TEST_F(PlanTest, AStateThatAsksIsMeasuredAgainstPlainQuestionsToo) {
  const Plan planned = plan_of({testing::request("Who?", {testing::choice("q", {"a", "b"})})});
  const std::vector<Weighing>& baseline = planned.requests[0]->questions[0].baseline.weighings;
  ASSERT_EQ(baseline.size(), kEmptyStates.size() + kPlainQuestions.size());
  EXPECT_EQ(baseline.front().share, 1);
  EXPECT_EQ(baseline.back().share, kPlainQuestionShare);
  const auto stands = [&](std::string_view state) {
    return std::any_of(planned.tree.reads.begin(), planned.tree.reads.end(), [&](const auto& read) {
      const std::string quoted = "Text: \"" + std::string(state) + "\"";
      return path_text(planned.tree, read.node).find(quoted) != std::string::npos;
    });
  };
  for (std::string_view question : kPlainQuestions) EXPECT_TRUE(stands(question)) << question;
}

TEST_F(PlanTest, OtherStatesAndQuestionsHaveNoPlainQuestions) {
  const auto n_baseline = [&](const std::string& state, const Question& question) {
    const Plan planned = plan_of({testing::request(state, {question})});
    return planned.requests[0]->questions[0].baseline.weighings.size();
  };
  const Question two = testing::choice("q", {"a", "b"});
  EXPECT_EQ(n_baseline("Who? I wonder.", two), kEmptyStates.size());
  EXPECT_EQ(n_baseline(std::string(kShortState, 'x') + "?", two), kEmptyStates.size());
  EXPECT_EQ(n_baseline("Who?", testing::score("q", {"low", "high"})), kEmptyStates.size());
  Question many = two;
  while (many.options.size() <= kMostOptionsWithPlainQuestions) {
    many.options.push_back({"n" + std::to_string(many.options.size()), {}});
  }
  EXPECT_EQ(n_baseline("Who?", many), kEmptyStates.size());
  many.options.pop_back();
  EXPECT_EQ(n_baseline("Who?", many), kEmptyStates.size() + kPlainQuestions.size());
  options.readout = Readout::kLabelText;
  EXPECT_EQ(n_baseline("Who?", two), kEmptyStates.size());
}

TEST_F(PlanTest, APlainQuestionIsNoReasonToRefuseWhatFitsWithoutIt) {
  const ScriptedBackend small(testing::Script{.n_context = 300});
  Question question = testing::choice("q", {"a", "b"});
  const auto baseline_of = [&](std::size_t n_instructions) {
    question.instructions = Content(std::string(n_instructions, 'i') + "?");
    const std::vector<Request> requests = {testing::request("Who?", {question})};
    const Plan planned = plan(small, options, profile, cache, requests);
    return planned.requests[0] ? planned.requests[0]->questions[0].baseline.weighings.size() : 0;
  };
  std::set<std::size_t> seen;
  for (std::size_t n = 1; n <= 150; ++n) seen.insert(baseline_of(n));
  const std::size_t n_empty = kEmptyStates.size();
  EXPECT_EQ(seen, (std::set<std::size_t>{0, n_empty, n_empty + kPlainQuestions.size()}));
}

TEST_F(PlanTest, ABaselineWithPlainQuestionsIsNotTakenForOneWithout) {
  const auto key = [&](const std::string& state) {
    const Plan planned = plan_of({testing::request(state, {testing::choice("q", {"a", "b"})})});
    return planned.requests[0]->questions[0].baseline.key;
  };
  EXPECT_NE(key("Who?"), key("Who"));
  EXPECT_EQ(key("Who?"), key("Where?"));
}

TEST_F(PlanTest, InputTokensAreTheSameWithAndWithoutAKnownBaseline) {
  const std::vector<Request> requests = {
      testing::request("one", {testing::choice("q", {"a", "b"})})};
  const Plan first = plan_of(requests);
  cache.put(first.requests[0]->questions[0].baseline.key, {0.5, 0.25});
  EXPECT_EQ(plan_of(requests).requests[0]->input_tokens, first.requests[0]->input_tokens);
}

TEST_F(PlanTest, TheOrderOfOptionsDoesNotChangeTheTree) {
  const auto one =
      plan_of({testing::request("s", {testing::choice("q", {"pear", "apple", "fig"})})});
  const auto other =
      plan_of({testing::request("s", {testing::choice("q", {"fig", "apple", "pear"})})});
  EXPECT_EQ(one.tree.tokens, other.tree.tokens);
  EXPECT_EQ(one.tree.ids, other.tree.ids);
}

TEST_F(PlanTest, TooLongIsAnErrorThatNamesTheQuestionAndTheTokens) {
  ScriptedBackend small({.n_context = 128});
  const std::vector<Request> requests = {
      testing::request(std::string(120, 'y'), {testing::choice("long one", {"a", "b"})}),
      testing::request("fine", {testing::choice("q", {"a", "b"})})};
  const Plan planned = plan(small, options, profile, cache, requests);
  ASSERT_FALSE(planned.requests[0]);
  EXPECT_EQ(planned.requests[0].error().code, ErrorCode::kTooLong);
  EXPECT_NE(planned.requests[0].error().message.find("128"), std::string::npos);
  EXPECT_NE(planned.requests[0].error().message.find("long one"), std::string::npos);
  EXPECT_TRUE(planned.requests[1]);
}

TEST_F(PlanTest, ARequestThatCannotBePlannedLeavesNothingInTheTree) {
  ScriptedBackend small({.n_context = 128});
  const std::vector<Request> bad = {testing::request(
      "fine",
      {testing::choice("q", {"a", "b"}), testing::choice("w", {std::string(120, 'o').c_str()})})};
  const Plan planned = plan(small, options, profile, cache, bad);
  EXPECT_TRUE(planned.tree.nodes.empty());
  EXPECT_TRUE(planned.tree.ids.empty());
  EXPECT_EQ(planned.baseline_tokens, 0U);
}

TEST_F(PlanTest, ARequestAboveTheTokenBudgetIsRefused) {
  options.max_request_tokens = 50;
  const Plan planned = plan_of({testing::request("s", {testing::choice("q", {"a", "b"})})});
  ASSERT_FALSE(planned.requests[0]);
  EXPECT_EQ(planned.requests[0].error().code, ErrorCode::kTooLong);
}

// The default budget was multiplied by this factor when plain questions came, so that none of the
// requests that it had held is refused for a question mark.
TEST_F(PlanTest, AStateThatAsksCostsAtMostThreeTimesAsMuch) {
  const auto cost = [&](const std::string& state) {
    Request request = testing::request(state, {});
    for (int i = 0; i < 8; ++i) {
      request.questions.push_back(testing::choice("q", {"a", "b"}));
      request.questions.back().instructions = "Which of these is number " + std::to_string(i) + "?";
    }
    return plan_of({request}).tree.tokens.size();
  };
  const std::string state = "Where has the parcel gone";
  EXPECT_GT(cost(state + "?"), cost(state + "."));
  EXPECT_LE(cost(state + "?"), 3 * cost(state + "."));
}

TEST_F(PlanTest, InputAndBaselineTokensAreTheTokensOfTheTree) {
  const Plan planned = plan_of({testing::request(
      "some text", {testing::choice("a", {"x", "xy", "z"}), testing::noul("b", "True?")})});
  EXPECT_EQ(planned.requests[0]->input_tokens + planned.baseline_tokens,
            planned.tree.tokens.size());
}

TEST_F(PlanTest, LongTextsAreScaledByTheRootOfTheirTokens) {
  const Plan planned = plan_of({testing::request("s", {testing::choice("q", {"abc", "d"})})});
  const Weighing& weighing = planned.requests[0]->questions[0].weighings.front();
  EXPECT_DOUBLE_EQ(weighing.candidates[0].scale, 0.5);  // " abc" is four tokens here
  EXPECT_EQ(weighing.candidates[0].spellings[0].size(), 4U);
}

TEST_F(PlanTest, ADescriptionAndItsNameAreWeighedApart) {
  Question question = testing::choice("q", {"a", "b"});
  question.options[0].description = "the first letter";
  const Plan planned = plan_of({testing::request("s", {question})});
  EXPECT_EQ(planned.requests[0]->questions[0].weighings.size(), 2U);
  EXPECT_EQ(planned.requests[0]->questions[0].baseline.weighings.size(), 6U);
}

TEST_F(PlanTest, IndependentScoringAsksOfEachLevelAlone) {
  options.score_method = ScoreMethod::kIndependent;
  options.readout = Readout::kLabel;
  const Plan planned =
      plan_of({testing::request("s", {testing::score("q", {"low", "mid", "high"})})});
  const Reading& question = planned.requests[0]->questions[0];
  EXPECT_EQ(planned.tree.reads.size(), 3U);
  EXPECT_EQ(question.weighings[0].candidates.size(), 3U);
  EXPECT_EQ(question.contrast[0].candidates.size(), 3U);
}

}  // namespace
}  // namespace logit::pipeline
