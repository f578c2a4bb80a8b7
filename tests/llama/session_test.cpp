// Facts about a Session: its context grows and is cleared without a trace in the numbers.
#include "llama/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "llama/engine_log.h"
#include "support/tiny_model.h"

namespace logit {
namespace {

class SessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    start_engine();
    const std::string path = testing::scratch_folder() + "/session.gguf";
    if (!std::filesystem::exists(path)) {
      ASSERT_TRUE(testing::write_tiny_model_as(path, "q8_0", {.n_layers = 4}));
    }
    model_.reset(llama_model_load_from_file(path.c_str(), llama_model_default_params()));
    ASSERT_NE(model_, nullptr);
  }

  std::unique_ptr<Session> open(std::size_t cache_bytes = std::size_t{1} << 20) const {
    return *Session::open(*model_, {4096, 1, cache_bytes});
  }

  ModelHandle model_;
};

Tokens run(std::size_t n, Token first) {
  Tokens tokens(n);
  for (std::size_t i = 0; i < n; ++i) tokens[i] = 32 + (first + static_cast<Token>(7 * i)) % 90;
  return tokens;
}

// A root, and below it as many leaves of three tokens.
TokenTree tree_of(std::size_t n_root, std::size_t n_leaves, Token first = 0) {
  TokenTree tree;
  const std::uint32_t root = tree.add_node(TokenTree::kNoParent, run(n_root, first));
  const std::uint32_t question = tree.add_node(root, run(9, first + 5));
  for (std::size_t i = 0; i < n_leaves; ++i) {
    Tokens leaf = run(3, static_cast<Token>(i));
    leaf.front() = static_cast<Token>(256 + i);
    tree.add_read(tree.add_node(question, leaf), 2, Tokens{40, 41});
  }
  return tree;
}

std::vector<double> numbers(Session& session, const TokenTree& tree) {
  std::vector<double> out(tree.n_outputs());
  const Result<EvaluateStats> stats = session.evaluate(tree, out, {});
  EXPECT_TRUE(stats) << (stats ? "" : stats.error().message);
  return out;
}

TEST_F(SessionTest, TheSizeOfTheContextChangesNoBits) {
  const auto session = open();
  const TokenTree small = tree_of(70, 20);
  const std::size_t n_before = session->n_cells();
  const std::vector<double> before = numbers(*session, small);
  numbers(*session, tree_of(3000, 200, 3));
  EXPECT_GT(session->n_cells(), n_before);
  EXPECT_EQ(before, numbers(*session, small));
}

TEST_F(SessionTest, ARootInPlaceIsNotEvaluatedAgain) {
  const auto session = open();
  const TokenTree tree = tree_of(70, 20);
  std::vector<double> out(tree.n_outputs());
  const Result<EvaluateStats> first = session->evaluate(tree, out, {});
  EXPECT_EQ(first->evaluated_tokens, tree.tokens.size());
  EXPECT_EQ(first->passes, 2U);
  const Result<EvaluateStats> second = session->evaluate(tree, out, {});
  EXPECT_EQ(second->evaluated_tokens, tree.tokens.size() - 70);
  EXPECT_EQ(second->reused_tokens, 70U);
  EXPECT_EQ(second->passes, 1U);
}

TEST_F(SessionTest, ARootComesBackFromItsSavedState) {
  const auto session = open();
  std::vector<double> out(40);
  const std::vector<double> first = numbers(*session, tree_of(70, 20));
  numbers(*session, tree_of(50, 20, 9));
  EXPECT_EQ(session->cache().n_states(), 1U);
  const Result<EvaluateStats> again = session->evaluate(tree_of(70, 20), out, {});
  EXPECT_EQ(again->reused_tokens, 70U);
  EXPECT_EQ(first, out);
}

TEST_F(SessionTest, WithoutACacheARootIsEvaluatedAgain) {
  const auto session = open(0);
  std::vector<double> out(40);
  const std::vector<double> first = numbers(*session, tree_of(70, 20));
  numbers(*session, tree_of(50, 20, 9));
  const Result<EvaluateStats> again = session->evaluate(tree_of(70, 20), out, {});
  EXPECT_EQ(again->reused_tokens, 0U);
  EXPECT_EQ(first, out);
}

TEST_F(SessionTest, AStopEndsTheCallThatIsRunning) {
  const auto session = open();
  const TokenTree small = tree_of(70, 20);
  const std::vector<double> before = numbers(*session, small);
  const TokenTree large = tree_of(4000, 200, 3);
  std::vector<double> out(large.n_outputs());
  std::stop_source stop;
  std::thread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop.request_stop();
  });
  const Result<EvaluateStats> stats = session->evaluate(large, out, stop.get_token());
  stopper.join();
  ASSERT_FALSE(stats) << "the large tree was done in 30 ms";
  EXPECT_EQ(stats.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(before, numbers(*session, small));
  EXPECT_EQ(numbers(*session, large), numbers(*open(), large));
}

TEST_F(SessionTest, TheWholeVocabularySumsToOne) {
  const auto session = open();
  TokenTree tree;
  Tokens ids(static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model_.get()))));
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<Token>(i);
  const std::uint32_t root = tree.add_node(TokenTree::kNoParent, run(30, 0));
  tree.add_read(root, 29, ids);
  tree.add_read(tree.add_node(root, run(1, 5)), 0, ids);  // a call of one row, with its filler
  const std::vector<double> out = numbers(*session, tree);
  for (const auto part : {std::span(out).first(ids.size()), std::span(out).last(ids.size())}) {
    double sum = 0;
    for (const double x : part) sum += std::exp(x);
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

class SessionOfShape : public ::testing::TestWithParam<testing::TinyShape> {
 protected:
  void SetUp() override {
    start_engine();
    const std::string path = testing::scratch_folder() + "/session-of-shape.gguf";
    ASSERT_TRUE(testing::write_tiny_model(path, {.n_layers = 4, .shape = GetParam()}));
    model_.reset(llama_model_load_from_file(path.c_str(), llama_model_default_params()));
    ASSERT_NE(model_, nullptr);
  }

  std::unique_ptr<Session> open() const {
    return *Session::open(*model_, {4096, 1, std::size_t{8} << 20});
  }

  ModelHandle model_;
};

TEST_P(SessionOfShape, ARootIsTheSameColdInPlaceRestoredAndInALargerContext) {
  const auto session = open();
  const TokenTree small = tree_of(70, 20);
  const std::vector<double> cold = numbers(*session, small);
  EXPECT_EQ(cold, numbers(*session, small));
  numbers(*session, tree_of(50, 20, 9));
  EXPECT_EQ(cold, numbers(*session, small));
  const TokenTree large = tree_of(3000, 40, 3);
  const std::vector<double> other = numbers(*session, large);
  EXPECT_EQ(cold, numbers(*session, small));
  EXPECT_EQ(other, numbers(*session, large));
  EXPECT_EQ(cold, numbers(*open(), small));
}

// Cells that a window has left are not in a saved state: such roots are evaluated again.
TEST_P(SessionOfShape, OnlyAStateThatIsWholeIsSaved) {
  const auto session = open();
  numbers(*session, tree_of(30, 3));
  numbers(*session, tree_of(70, 3, 9));
  EXPECT_EQ(session->cache().n_states(), 1U);
  numbers(*session, tree_of(20, 3, 4));
  const bool has_window = GetParam() == testing::TinyShape::kGemma3;
  EXPECT_EQ(session->cache().n_states(), has_window ? 1U : 2U);
}

TEST_P(SessionOfShape, AStopLeavesNoTrace) {  // case C76
  const auto session = open();
  const TokenTree small = tree_of(70, 20);
  const std::vector<double> before = numbers(*session, small);
  const TokenTree large = tree_of(4000, 40, 3);
  std::vector<double> out(large.n_outputs());
  std::stop_source stop;
  std::thread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop.request_stop();
  });
  const Result<EvaluateStats> stats = session->evaluate(large, out, stop.get_token());
  stopper.join();
  ASSERT_FALSE(stats) << "the large tree was done in 30 ms";
  EXPECT_EQ(before, numbers(*session, small));
}

INSTANTIATE_TEST_SUITE_P(Shapes, SessionOfShape,
                         ::testing::Values(testing::TinyShape::kGemma3, testing::TinyShape::kMamba,
                                           testing::TinyShape::kLfm2, testing::TinyShape::kQwen35));

TEST_F(SessionTest, WeightsThatAreNotFiniteAreAnErrorNotANumber) {  // case C61
  const std::string path = testing::scratch_folder() + "/nan.gguf";
  ASSERT_TRUE(testing::write_tiny_model(path, {.gain = std::numeric_limits<float>::infinity()}));
  const ModelHandle model(llama_model_load_from_file(path.c_str(), llama_model_default_params()));
  ASSERT_NE(model, nullptr);
  const auto session = *Session::open(*model, {512, 1, 0});
  const TokenTree tree = tree_of(8, 2);
  std::vector<double> out(tree.n_outputs());
  const Result<EvaluateStats> stats = session->evaluate(tree, out, {});
  ASSERT_FALSE(stats);
  EXPECT_EQ(stats.error().code, ErrorCode::kModelRun);
}

}  // namespace
}  // namespace logit
