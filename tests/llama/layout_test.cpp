// Facts about the layout of an evaluation, checked on a simulated memory.
#include "llama/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace logit {
namespace {

using Memory = std::map<std::uint16_t, Tokens>;  // what each sequence id sees

Tokens path_of(const TokenTree& tree, const TokenTree::Read& read) {
  Tokens path;
  for (std::uint32_t node = read.node; node != TokenTree::kNoParent;
       node = tree.nodes[node].parent) {
    std::span<const Token> tokens = tree.tokens_of(node);
    if (node == read.node) tokens = tokens.first(read.offset + 1);
    path.insert(path.begin(), tokens.begin(), tokens.end());
  }
  return path;
}

// Plays a layout on a memory of sequences and checks every promise on the way.
class Player {
 public:
  Player(const TokenTree& tree, const LayoutLimits& limits)
      : tree_(tree), limits_(limits), layout_(lay_out(tree, limits)), n_read_(tree.reads.size()) {}

  void play() {
    for (const LayoutJob& job : layout_.jobs) {
      memory_.clear();
      cells_ = 0;
      const std::span calls = std::span(layout_.calls).subspan(job.first_call, job.n_calls);
      for (const LayoutCall& call : calls.first(job.n_root_calls)) play_call(call);
      const std::span<const Token> root = tree_.tokens_of(job.root);
      EXPECT_TRUE(std::ranges::equal(memory_[0], root));
      if (has_cells()) {
        for (std::uint16_t id = 1; id <= limits_.n_leaves; ++id) memory_[id] = memory_[0];
      }
      for (const LayoutCall& call : calls.subspan(job.n_root_calls)) play_call(call);
      EXPECT_EQ(cells_, root.size());
      EXPECT_TRUE(std::ranges::equal(memory_[0], root));
      if (!has_cells()) {
        EXPECT_EQ(memory_.size(), 1U) << draw(tree_);
      }
    }
    for (const int n : n_read_) EXPECT_EQ(n, 1) << draw(tree_);
    EXPECT_LE(most_cells_, layout_.n_cells);
  }

 private:
  bool has_cells() const { return limits_.memory == MemoryKind::kCells; }

  void play_call(const LayoutCall& call) {
    const auto rows = std::span(layout_.rows).subspan(call.first_row, call.n_rows);
    EXPECT_LE(rows.size(), limits_.n_rows);
    EXPECT_EQ(call.filler_id != 0, rows.size() == 1);
    EXPECT_LT(call.filler_id, limits_.n_ids());
    EXPECT_TRUE(call.filler_id == 0 || has_cells() || !memory_.contains(call.filler_id));
    for (std::uint16_t id = call.copies.first; id <= call.copies.last; ++id) {
      EXPECT_FALSE(memory_.contains(id));
      memory_[id] = memory_[call.copy_of];
    }
    std::uint32_t n_outputs = 0;
    std::map<std::uint16_t, int> n_rows;
    for (const LayoutRow& row : rows) {
      play_row(row);
      n_outputs += row.n_reads > 0 ? 1U : 0U;
      EXPECT_LT(row.last_id, limits_.n_ids());
      ++n_rows[row.first_id];
      EXPECT_TRUE(has_cells() || row.first_id == row.last_id);
    }
    if (!has_cells()) {
      for (const auto& [id, n] : n_rows) EXPECT_EQ(n, n_rows.begin()->second);
    }
    EXPECT_EQ(call.n_outputs, n_outputs);
    EXPECT_LE(n_outputs, limits_.n_outputs);
    EXPECT_LE(call.n_ids, limits_.n_leaves);
    cells_ += rows.size();
    most_cells_ = std::max(most_cells_, cells_ + (call.filler_id != 0 ? 1 : 0));
    take_away(call);
  }

  void take_away(const LayoutCall& call) {
    for (std::uint16_t id = call.dropped.first; id <= call.dropped.last; ++id) {
      EXPECT_TRUE(memory_.contains(id));
      memory_.erase(id);
    }
    if (!has_cells()) {
      EXPECT_EQ(call.keep, LayoutCall::kKeepAll);
      cells_ = cells_of_states();
    } else if (call.keep != LayoutCall::kKeepAll) {
      cells_ = call.keep;
      for (auto& [id, tokens] : memory_) {
        if (tokens.size() > call.keep) tokens.resize(call.keep);
      }
    }
  }

  // The root's cells are shared by the trunk's sequence, and the trunk's by the leaves'.
  std::size_t cells_of_states() const {
    std::size_t shared = 0;
    std::size_t n = 0;
    for (const auto& [id, tokens] : memory_) {
      n += tokens.size() - shared;
      if (id < 2) shared = tokens.size();
    }
    return n;
  }

  void play_row(const LayoutRow& row) {
    for (std::uint16_t id = row.first_id; id <= row.last_id; ++id) {
      EXPECT_EQ(memory_[id].size(), row.position);
      memory_[id].push_back(row.token);
    }
    for (std::uint32_t r = row.first_read; r < row.first_read + row.n_reads; ++r) {
      const std::uint32_t read = layout_.reads[r];
      ++n_read_[read];
      EXPECT_EQ(memory_[row.first_id], path_of(tree_, tree_.reads[read]));
    }
  }

  const TokenTree& tree_;
  const LayoutLimits limits_;
  const Layout layout_;
  std::vector<int> n_read_;
  Memory memory_;
  std::size_t cells_ = 0;
  std::size_t most_cells_ = 0;
};

Tokens run(std::size_t n, Token first = 0) {
  Tokens tokens(n);
  for (std::size_t i = 0; i < n; ++i) tokens[i] = first + static_cast<Token>(i % 7);
  return tokens;
}

std::uint32_t last_of(const TokenTree& tree, std::uint32_t node) {
  return tree.nodes[node].n_tokens - 1;
}

std::uint32_t pick(std::mt19937& random, std::uint32_t n) {
  return static_cast<std::uint32_t>(random() % n);
}

TokenTree random_tree(std::mt19937& random, std::size_t n_nodes, std::uint32_t longest) {
  TokenTree tree;
  for (std::uint32_t i = 0; i < n_nodes; ++i) {
    const std::uint32_t above = pick(random, i + 1);
    const std::uint32_t parent = above == i || pick(random, 16) == 0 ? TokenTree::kNoParent : above;
    const std::uint32_t node =
        tree.add_node(parent, run(1 + pick(random, longest), static_cast<Token>(pick(random, 50))));
    for (std::uint32_t n = pick(random, 4); n > 0; --n) {
      tree.add_read(node, pick(random, tree.nodes[node].n_tokens), Tokens{1, 2});
    }
  }
  return tree;
}

// What the engine sees of the subtrees: everything but the indices of calls and reads.
struct Seen {
  Token token;
  std::uint32_t position;
  std::uint16_t first_id;
  std::uint16_t last_id;
  bool is_output;
  bool ends_call;
  auto operator<=>(const Seen&) const = default;
};

std::vector<Seen> seen_below_root(const TokenTree& tree, const LayoutLimits& limits) {
  const Layout layout = lay_out(tree, limits);
  std::vector<Seen> seen;
  const LayoutJob& job = layout.jobs.front();
  for (std::uint32_t c = job.first_call + job.n_root_calls; c < job.first_call + job.n_calls; ++c) {
    const LayoutCall& call = layout.calls[c];
    for (std::uint32_t i = 0; i < call.n_rows; ++i) {
      const LayoutRow& row = layout.rows[call.first_row + i];
      seen.push_back({row.token, row.position, row.first_id, row.last_id, row.n_reads > 0,
                      i + 1 == call.n_rows});
    }
  }
  return seen;
}

TEST(Layout, RandomTreesKeepEveryPromise) {
  std::mt19937 random(7);
  constexpr MemoryKind kStates = MemoryKind::kStates;
  const LayoutLimits limits[] = {{512, 512, 254},     {16, 8, 4},         {5, 2, 2},
                                 {2, 2, 2},           {64, 3, 30},        {512, 512, 6, kStates},
                                 {16, 8, 2, kStates}, {5, 2, 3, kStates}, {2, 2, 2, kStates},
                                 {64, 3, 30, kStates}};
  for (int i = 0; i < 300; ++i) {
    const TokenTree tree = random_tree(random, 1 + pick(random, 60), 1 + pick(random, 20));
    for (const LayoutLimits& limit : limits) Player(tree, limit).play();
    if (HasFailure()) return;
  }
}

TEST(Layout, ASmallSubtreeIsOneCall) {
  TokenTree tree;
  const auto root = tree.add_node(TokenTree::kNoParent, run(40));
  const auto question = tree.add_node(root, run(20));
  for (int i = 0; i < 200; ++i) tree.add_read(tree.add_node(question, Tokens{i}), 0, Tokens{1});
  const Layout layout = lay_out(tree, {});
  ASSERT_EQ(layout.calls.size(), 2U);
  EXPECT_EQ(layout.calls[1].n_rows, 220U);
  EXPECT_EQ(layout.calls[1].n_ids, 200U);
  EXPECT_EQ(layout.calls[1].keep, 40U);
  EXPECT_EQ(layout.n_cells, 260U);
}

TEST(Layout, ManyLeavesGoInWavesBehindTheirTrunk) {
  TokenTree tree;
  const auto root = tree.add_node(TokenTree::kNoParent, run(40));
  const auto question = tree.add_node(root, run(20));
  for (int i = 0; i < 255; ++i) tree.add_read(tree.add_node(question, Tokens{i}), 0, Tokens{1});
  const Layout layout = lay_out(tree, {});
  ASSERT_EQ(layout.calls.size(), 4U);
  EXPECT_EQ(layout.calls[1].n_rows, 20U);  // the trunk, kept
  EXPECT_EQ(layout.calls[1].keep, LayoutCall::kKeepAll);
  EXPECT_EQ(layout.calls[2].n_rows, 254U);
  EXPECT_EQ(layout.calls[2].keep, 60U);
  EXPECT_NE(layout.calls[3].filler_id, 0U);
  EXPECT_EQ(layout.calls[3].keep, 40U);
}

TEST(Layout, ALongRootNeverLeavesALoneRow) {
  for (const std::size_t n : {1U, 511U, 512U, 513U, 514U, 1024U, 1025U, 1537U}) {
    TokenTree tree;
    const auto root = tree.add_node(TokenTree::kNoParent, run(n));
    tree.add_read(root, last_of(tree, root), Tokens{1});
    const Layout layout = lay_out(tree, {});
    for (const LayoutCall& call : layout.calls) {
      EXPECT_TRUE(call.n_rows > 1 || n == 1);
    }
    EXPECT_EQ(layout.calls.size(), (n + 511) / 512);
    Player(tree, {}).play();
  }
}

TEST(Layout, TheCutsOfARootDoNotDependOnItsReads) {
  TokenTree tree;
  const auto root = tree.add_node(TokenTree::kNoParent, run(700));
  const std::size_t n_plain = lay_out(tree, {512, 100, 254}).calls.size();
  for (std::uint32_t i = 0; i < 250; ++i) tree.add_read(root, i, Tokens{1});
  const Layout layout = lay_out(tree, {512, 100, 254});
  EXPECT_EQ(n_plain, 2U);
  ASSERT_EQ(layout.calls.size(), 4U);  // the first chunk three times
  EXPECT_EQ(layout.calls[0].n_rows, 512U);
  EXPECT_EQ(layout.calls[0].keep, 0U);
  EXPECT_EQ(layout.calls[2].n_rows, 512U);
  EXPECT_EQ(layout.calls[3].n_rows, 188U);
  Player(tree, {512, 100, 254}).play();
}

TEST(Layout, ALongReadPathIsCutWhereOutputsRunOut) {
  TokenTree tree;
  const auto root = tree.add_node(TokenTree::kNoParent, run(10));
  const auto state = tree.add_node(root, run(300));
  for (std::uint32_t i = 0; i < 300; ++i) tree.add_read(state, i, Tokens{1});
  const Layout layout = lay_out(tree, {512, 110, 108});
  ASSERT_EQ(layout.calls.size(), 4U);
  EXPECT_EQ(layout.calls[1].n_rows, 110U);
  EXPECT_EQ(layout.calls[3].n_rows, 80U);
}

TEST(Layout, ASharedInnerNodeIsReadOnce) {
  TokenTree tree;
  const auto root = tree.add_node(TokenTree::kNoParent, run(4));
  const auto question = tree.add_node(root, run(4));
  const auto inner = tree.add_node(question, run(6));
  tree.add_read(inner, 5, Tokens{1});
  tree.add_node(question, run(3, 30));
  for (int i = 0; i < 6; ++i) tree.add_node(inner, run(4, i * 10));
  Player(tree, {12, 4, 4}).play();
}

TEST(Layout, ASubtreeIsLaidOutAsIfItWereAlone) {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const LayoutLimits limits{24, 6, 5, i < 50 ? MemoryKind::kCells : MemoryKind::kStates};
    TokenTree alone;
    alone.add_node(TokenTree::kNoParent, run(9));
    TokenTree among = alone;
    among.add_read(among.add_node(0, run(5, 3)), 2, Tokens{1});
    const std::uint32_t shift = 1;
    for (std::uint32_t n = 1; n < 20; ++n) {
      const Tokens tokens = run(1 + pick(random, 6), static_cast<Token>(pick(random, 90)));
      const std::uint32_t parent = n == 1 ? 0 : 1 + pick(random, n - 1);
      alone.add_node(parent, tokens);
      among.add_node(parent == 0 ? 0 : parent + shift, tokens);
      alone.add_read(n, 0, Tokens{1});
      among.add_read(n + shift, 0, Tokens{1});
    }
    const std::vector<Seen> own = seen_below_root(alone, limits);
    const std::vector<Seen> all = seen_below_root(among, limits);
    EXPECT_NE(std::ranges::search(all, own).begin(), all.end());
  }
}

TEST(Layout, TheOrderOfSiblingsMovesNoCell) {
  std::vector<Tokens> leaves;
  for (Token i = 0; i < 30; ++i)
    leaves.push_back(run(1 + static_cast<std::size_t>(i) % 5, 100 - 3 * i));
  const auto build = [&leaves] {
    TokenTree tree;
    const auto question = tree.add_node(tree.add_node(TokenTree::kNoParent, run(9)), run(4));
    for (const Tokens& leaf : leaves) tree.add_read(tree.add_node(question, leaf), 0, Tokens{1});
    return tree;
  };
  for (const LayoutLimits& limits :
       {LayoutLimits{}, LayoutLimits{16, 8, 6}, LayoutLimits{512, 512, 6, MemoryKind::kStates}}) {
    const std::vector<Seen> forwards = seen_below_root(build(), limits);
    std::ranges::reverse(leaves);
    EXPECT_EQ(forwards, seen_below_root(build(), limits));
  }
}

// Case C71: a recurrent state cannot be rewound, so no call may want to.
TEST(Layout, StatesAreCopiedAndDroppedWhole) {
  TokenTree tree;
  const auto root = tree.add_node(TokenTree::kNoParent, run(40));
  const auto question = tree.add_node(root, run(20));
  for (int i = 0; i < 8; ++i) {
    tree.add_read(tree.add_node(question, run(i < 7 ? 2 : 1, i)), 0, Tokens{1});
  }
  const Layout layout = lay_out(tree, {512, 512, 6, MemoryKind::kStates});
  ASSERT_EQ(layout.calls.size(), 5U);
  EXPECT_EQ(layout.calls[1].copies, (IdRange{1, 1}));  // the trunk
  EXPECT_TRUE(layout.calls[1].dropped.empty());
  EXPECT_EQ(layout.calls[2].n_rows, 1U);  // the short leaf, beside a filler
  EXPECT_EQ(layout.calls[2].filler_id, 3U);
  EXPECT_EQ(layout.calls[3].n_rows, 12U);  // six of the long ones
  EXPECT_EQ(layout.calls[3].copy_of, 1U);
  EXPECT_EQ(layout.calls[3].copies, (IdRange{2, 7}));
  EXPECT_EQ(layout.calls[3].dropped, (IdRange{2, 7}));
  EXPECT_EQ(layout.calls[4].dropped, (IdRange{1, 2}));
  EXPECT_EQ(layout.n_cells, 72U);
}

TEST(Layout, ARootOfStatesIsEvaluatedAnewForMoreReads) {
  TokenTree tree;
  const auto root = tree.add_node(TokenTree::kNoParent, run(700));
  for (std::uint32_t i = 600; i < 700; ++i) tree.add_read(root, i, Tokens{1});
  const LayoutLimits limits{512, 64, 6, MemoryKind::kStates};
  const Layout layout = lay_out(tree, limits);
  ASSERT_EQ(layout.calls.size(), 4U);
  EXPECT_EQ(layout.calls[1].dropped, (IdRange{0, 0}));
  EXPECT_EQ(layout.calls[2].n_rows, layout.calls[0].n_rows);
  EXPECT_EQ(layout.calls[3].n_rows, layout.calls[1].n_rows);
  Player(tree, limits).play();
}

TEST(Layout, RootsAreJobsOfTheirOwn) {
  TokenTree tree;
  for (int i = 0; i < 3; ++i) {
    const auto root = tree.add_node(TokenTree::kNoParent, run(5, i));
    if (i == 1) tree.add_read(root, 4, Tokens{1});
    if (i == 2) tree.add_read(tree.add_node(root, run(2)), 1, Tokens{1});
  }
  const Layout layout = lay_out(tree, {});
  ASSERT_EQ(layout.jobs.size(), 3U);
  EXPECT_FALSE(layout.jobs[0].root_is_read);
  EXPECT_TRUE(layout.jobs[1].root_is_read);
  EXPECT_EQ(layout.jobs[2].n_calls, 2U);
  Player(tree, {}).play();
}

}  // namespace
}  // namespace logit
