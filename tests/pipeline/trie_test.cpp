#include "pipeline/trie.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace logit::pipeline {
namespace {

struct Built {
  TokenTree tree;
  std::vector<std::vector<std::uint32_t>> outputs;
};

Built build(const std::vector<Tokens>& sequences) {
  Built built;
  const Tokens root = {100};
  const Tokens stem = {101, 102};
  const std::uint32_t parent =
      built.tree.add_node(built.tree.add_node(TokenTree::kNoParent, root), stem);
  built.outputs = add_trie(built.tree, parent, sequences);
  return built;
}

// Tokens from the root to the token after which output `i` is read, and the id that it reads.
std::pair<Tokens, Token> place_of(const TokenTree& tree, std::uint32_t output) {
  for (const TokenTree::Read& read : tree.reads) {
    if (output < read.first_id || output >= read.first_id + read.n_ids) continue;
    Tokens path(tree.tokens_of(read.node).begin(),
                tree.tokens_of(read.node).begin() + read.offset + 1);
    for (std::uint32_t n = tree.nodes[read.node].parent; n != TokenTree::kNoParent;
         n = tree.nodes[n].parent) {
      const auto tokens = tree.tokens_of(n);
      path.insert(path.begin(), tokens.begin(), tokens.end());
    }
    return {path, tree.ids[output]};
  }
  return {};
}

void expect_reads_every_token(const std::vector<Tokens>& sequences, const Built& built) {
  EXPECT_EQ(tree_fault(built.tree, 1000), "");
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    ASSERT_EQ(built.outputs[i].size(), sequences[i].size());
    Tokens path = {100, 101, 102};
    for (std::size_t t = 0; t < sequences[i].size(); ++t) {
      const auto [read_path, id] = place_of(built.tree, built.outputs[i][t]);
      EXPECT_EQ(read_path, path);
      EXPECT_EQ(id, sequences[i][t]);
      path.push_back(sequences[i][t]);
    }
  }
}

TEST(Trie, SingleTokenOptionsCostNoNode) {
  const Built built = build({{1}, {2}, {3}});
  EXPECT_EQ(built.tree.nodes.size(), 2U);
  EXPECT_EQ(built.tree.reads.size(), 1U);
}

TEST(Trie, SharedBeginningsAreEvaluatedOnce) {
  const std::vector<Tokens> sequences = {{1, 2, 3, 4}, {1, 2, 3, 5}, {1, 2}};
  const Built built = build(sequences);
  expect_reads_every_token(sequences, built);
  EXPECT_EQ(built.tree.tokens.size(), 3U + 3U);  // 1, 2 and 3 below the stem; 4 and 5 are only read
}

TEST(Trie, TheLastTokenOfASequenceIsNeverEvaluated) {
  const Built built = build({{1, 2, 3}});
  EXPECT_EQ(built.tree.tokens.size(), 3U + 2U);
}

TEST(Trie, ASequenceThatBeginsAnotherIsReadToo) {
  const std::vector<Tokens> sequences = {{7}, {7, 8}, {7, 8, 9}};
  expect_reads_every_token(sequences, build(sequences));
}

TEST(Trie, EqualSequencesShareTheirReads) {
  const Built built = build({{4, 5}, {4, 5}});
  EXPECT_EQ(built.outputs[0], built.outputs[1]);
}

TEST(Trie, TheOrderOfSequencesDoesNotChangeTheTree) {
  std::vector<Tokens> sequences = {{1, 2}, {3}, {1, 4, 5}, {2, 2, 2}};
  const Built one = build(sequences);
  std::reverse(sequences.begin(), sequences.end());
  const Built other = build(sequences);
  EXPECT_EQ(one.tree.tokens, other.tree.tokens);
  EXPECT_EQ(one.tree.ids, other.tree.ids);
  EXPECT_EQ(one.outputs[0], other.outputs[3]);
}

TEST(Trie, RandomSetsAreReadWhole) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Tokens> sequences(1 + random() % 40);
    for (Tokens& sequence : sequences) {
      sequence.resize(1 + random() % 6);
      for (Token& token : sequence) token = static_cast<Token>(random() % 3);
    }
    const Built built = build(sequences);
    expect_reads_every_token(sequences, built);
  }
}

}  // namespace
}  // namespace logit::pipeline
