// Facts about TokenTree: building, rules, drawing.
#include "logit/token_tree.h"

#include <gtest/gtest.h>

namespace logit {
namespace {

TokenTree sample() {
  TokenTree tree;
  const std::uint32_t root = tree.add_node(TokenTree::kNoParent, Tokens{1, 2, 3});
  const std::uint32_t child = tree.add_node(root, Tokens{4, 5});
  const std::uint32_t leaf = tree.add_node(child, Tokens{6});
  tree.add_read(child, 1, Tokens{6, 7});
  tree.add_read(leaf, 0, Tokens{8});
  return tree;
}

TEST(TokenTree, AddReadReturnsTheFirstOutput) {
  TokenTree tree = sample();
  EXPECT_EQ(tree.n_outputs(), 3U);
  EXPECT_EQ(tree.add_read(2, 0, Tokens{1, 2}), 3U);
  EXPECT_EQ(tree.n_outputs(), 5U);
}

TEST(TokenTree, PathLengthCountsFromTheRoot) {
  const TokenTree tree = sample();
  EXPECT_EQ(tree.path_length(0), 3U);
  EXPECT_EQ(tree.path_length(2), 6U);
}

TEST(TokenTree, AnEmptyTreeKeepsTheRules) { EXPECT_EQ(tree_fault(TokenTree{}, 1), ""); }

struct BrokenTree {
  const char* fault;
  void (*change)(TokenTree&);
};

TEST(TokenTree, EveryBrokenRuleIsNamed) {
  ASSERT_EQ(tree_fault(sample(), 9), "");
  const BrokenTree cases[] = {
      {"node 1 does not come after its parent", [](TokenTree& t) { t.nodes[1].parent = 1; }},
      {"node 2 has no tokens", [](TokenTree& t) { t.nodes[2].n_tokens = 0; }},
      {"node 2 reaches past the tokens", [](TokenTree& t) { t.nodes[2].n_tokens = 2; }},
      {"read 0 names no node", [](TokenTree& t) { t.reads[0].node = 3; }},
      {"read 1 lies outside its node", [](TokenTree& t) { t.reads[1].offset = 1; }},
      {"read 0 asks for nothing", [](TokenTree& t) { t.reads[0].n_ids = 0; }},
      {"read 1 does not follow the ids of the read before it",
       [](TokenTree& t) { t.reads[1].first_id = 1; }},
      {"read 1 reaches past the ids", [](TokenTree& t) { t.reads[1].n_ids = 2; }},
      {"some ids belong to no read", [](TokenTree& t) { t.ids.push_back(1); }},
      {"a token is outside the vocabulary", [](TokenTree& t) { t.tokens[0] = 9; }},
      {"a token is outside the vocabulary", [](TokenTree& t) { t.tokens[0] = -1; }},
      {"an id to read is outside the vocabulary", [](TokenTree& t) { t.ids[0] = 9; }},
  };
  for (const BrokenTree& c : cases) {
    TokenTree tree = sample();
    c.change(tree);
    EXPECT_EQ(tree_fault(tree, 9), c.fault);
  }
}

TEST(TokenTree, DrawingShowsEveryNodeAndRead) {
  EXPECT_EQ(draw(sample()),
            "#0 1 2 3\n"
            "  #1<0 4 5 | 1: 6 7 -> 0\n"
            "    #2<1 6 | 0: 8 -> 2\n");
}

TEST(TokenTree, DrawingSpellsTokensWhenItCan) {
  const std::string prefix = "t";
  const auto piece = [](Token token, const void* context) {
    return *static_cast<const std::string*>(context) + std::to_string(token);
  };
  EXPECT_TRUE(draw(sample(), piece, &prefix).starts_with("#0 t1 t2 t3\n"));
}

}  // namespace
}  // namespace logit
