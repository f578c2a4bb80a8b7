// Decides the engine calls that evaluate a TokenTree.
//
// Entry: lay_out(). Tests: tests/llama/layout_test.cpp.
#include "llama/layout.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace logit {
namespace {

using Index = std::uint32_t;

Index index32(std::size_t n) { return static_cast<Index>(n); }

class Planner {
 public:
  Planner(const TokenTree& tree, const LayoutLimits& limits) : tree_(tree), limits_(limits) {
    sort_reads();
    link_children();
    starts_.resize(tree.nodes.size());
    outputs_.resize(tree.nodes.size());
    read_done_.resize(tree.nodes.size());
    wave_of_.resize(tree.nodes.size());
    leaves_.resize(tree.nodes.size());
    for (Index i = 0; i < tree.nodes.size(); ++i) {
      const Index parent = tree.nodes[i].parent;
      starts_[i] = parent == TokenTree::kNoParent ? 0 : end_of(parent);
      outputs_[i] = count_outputs(i);
    }
  }

  Layout plan() {
    for (Index i = 0; i < tree_.nodes.size(); ++i) {
      if (tree_.nodes[i].parent == TokenTree::kNoParent) plan_root(i);
    }
    return std::move(layout_);
  }

 private:
  struct LeafRange {
    Index first = 0;  // leaves below a node, numbered depth first within the subtree
    Index last = 0;
  };

  Index end_of(Index node) const { return starts_[node] + tree_.nodes[node].n_tokens; }

  std::span<const Index> children(Index node) const {
    return std::span(children_).subspan(first_child_[node],
                                        first_child_[node + 1] - first_child_[node]);
  }

  bool is_leaf(Index node) const { return children(node).empty(); }

  void sort_reads() {
    layout_.reads.resize(tree_.reads.size());
    std::iota(layout_.reads.begin(), layout_.reads.end(), 0);
    const auto place = [this](Index r) {
      return std::pair(tree_.reads[r].node, tree_.reads[r].offset);
    };
    std::stable_sort(layout_.reads.begin(), layout_.reads.end(),
                     [&](Index a, Index b) { return place(a) < place(b); });
    first_read_.assign(tree_.nodes.size() + 1, 0);
    for (const TokenTree::Read& read : tree_.reads) ++first_read_[read.node + 1];
    std::partial_sum(first_read_.begin(), first_read_.end(), first_read_.begin());
  }

  void link_children() {
    first_child_.assign(tree_.nodes.size() + 1, 0);
    for (const TokenTree::Node& node : tree_.nodes) {
      if (node.parent != TokenTree::kNoParent) ++first_child_[node.parent + 1];
    }
    std::partial_sum(first_child_.begin(), first_child_.end(), first_child_.begin());
    children_.resize(first_child_.back());
    std::vector<Index> next(first_child_.begin(), first_child_.end() - 1);
    for (Index i = 0; i < tree_.nodes.size(); ++i) {
      if (tree_.nodes[i].parent != TokenTree::kNoParent) {
        children_[next[tree_.nodes[i].parent]++] = i;
      }
    }
    for (Index i = 0; i < tree_.nodes.size(); ++i) sort_children(i);
  }

  void sort_children(Index node) {
    const auto first = children_.begin() + first_child_[node];
    const auto last = children_.begin() + first_child_[node + 1];
    std::stable_sort(first, last, [this](Index a, Index b) {
      return std::ranges::lexicographical_compare(tree_.tokens_of(a), tree_.tokens_of(b));
    });
  }

  // Reads of one node at one offset share a row of output.
  Index count_outputs(Index node) const {
    Index n = 0;
    for (Index r = first_read_[node]; r < first_read_[node + 1]; ++r) {
      if (r == first_read_[node] || offset_of(r) != offset_of(r - 1)) ++n;
    }
    return n;
  }

  Index offset_of(Index sorted_read) const {
    return tree_.reads[layout_.reads[sorted_read]].offset;
  }

  void plan_root(Index root) {
    LayoutJob job;
    job.root = root;
    job.first_call = index32(layout_.calls.size());
    job.root_is_read = outputs_[root] > 0;
    cells_ = 0;
    cut_root(root);
    job.n_root_calls = index32(layout_.calls.size()) - job.first_call;
    for (const Index child : children(root)) plan_subtree(child);
    job.n_calls = index32(layout_.calls.size()) - job.first_call;
    layout_.jobs.push_back(job);
  }

  // Appends the node's rows. Its reads are made once, however often its rows are evaluated.
  void add_rows(Index node, std::uint16_t first_id, std::uint16_t last_id) {
    const std::span<const Token> tokens = tree_.tokens_of(node);
    Index read = first_read_[node];
    const Index end = read_done_[node] ? read : first_read_[node + 1];
    for (Index offset = 0; offset < tokens.size(); ++offset) {
      LayoutRow row{tokens[offset], starts_[node] + offset, first_id, last_id, read, 0};
      for (; read < end && offset_of(read) == offset; ++read) ++row.n_reads;
      layout_.rows.push_back(row);
    }
    read_done_[node] = true;
  }

  // How many of the next rows go into one call. Never leaves a lone row for the next one.
  Index chunk_length(Index n_left) const {
    const Index n = std::min(n_left, index32(limits_.n_rows));
    return n_left - n == 1 && n > 2 ? n - 1 : n;
  }

  void cut_root(Index root) {
    add_rows(root, 0, 0);
    const std::size_t before = layout_.rows.size() - tree_.nodes[root].n_tokens;
    const std::vector<LayoutRow> rows(layout_.rows.begin() + static_cast<std::ptrdiff_t>(before),
                                      layout_.rows.end());
    layout_.rows.resize(before);
    for (std::size_t at = 0; at < rows.size();) {
      const Index length = chunk_length(index32(rows.size() - at));
      call_root_chunk(std::span(rows).subspan(at, length));
      at += length;
    }
  }

  // The cuts of a root must not depend on its reads. A chunk with more of them than one call may
  // have is evaluated again for the rest.
  void call_root_chunk(std::span<const LayoutRow> chunk) {
    const std::size_t n_reads = static_cast<std::size_t>(
        std::ranges::count_if(chunk, [](const LayoutRow& row) { return row.n_reads > 0; }));
    std::size_t n_done = 0;
    do {
      if (n_done > 0) remove_behind(chunk.front().position);
      const Index first = index32(layout_.rows.size());
      std::size_t n_seen = 0;
      for (LayoutRow row : chunk) {
        const std::size_t rank = n_seen;
        if (row.n_reads > 0) ++n_seen;
        if (rank < n_done || rank >= n_done + limits_.n_outputs) row.n_reads = 0;
        layout_.rows.push_back(row);
      }
      add_call(first, index32(chunk.size()));
      n_done += limits_.n_outputs;
    } while (n_done < n_reads);
  }

  void plan_subtree(Index top) {
    const Index base = starts_[top];
    const std::vector<Index> order = depth_first(top);
    std::size_t n_rows = 0;
    std::size_t n_outputs = 0;
    for (const Index node : order) {
      n_rows += tree_.nodes[node].n_tokens;
      n_outputs += outputs_[node];
    }
    if (n_rows <= limits_.n_rows && n_outputs <= limits_.n_outputs &&
        leaves_[top].last < limits_.n_leaves) {
      add_wave(order, leaves_[top]);
    } else {
      plan_waves(top, order);
    }
    remove_behind(base);
  }

  // Nodes in depth-first order; numbers the leaves below each.
  std::vector<Index> depth_first(Index top) {
    std::vector<Index> order;
    std::vector<Index> stack{top};
    while (!stack.empty()) {
      const Index node = stack.back();
      stack.pop_back();
      order.push_back(node);
      const std::span<const Index> below = children(node);
      stack.insert(stack.end(), below.rbegin(), below.rend());
    }
    Index n_leaves = 0;
    for (const Index node : order) {
      leaves_[node].first = n_leaves;
      if (is_leaf(node)) ++n_leaves;
    }
    // Children come after their parents, so backwards each knows its last child's last leaf.
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      leaves_[*node].last =
          is_leaf(*node) ? leaves_[*node].first : leaves_[children(*node).back()].last;
    }
    return order;
  }

  // One call, or for a single long path several: the nodes' rows, the ids of `leaves` on them.
  void add_wave(std::span<const Index> nodes, LeafRange leaves) {
    const Index first = index32(layout_.rows.size());
    for (const Index node : nodes) {
      const Index from = std::max(leaves_[node].first, leaves.first) - leaves.first + 1;
      const Index to = std::min(leaves_[node].last, leaves.last) - leaves.first + 1;
      add_rows(node, static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to));
    }
    cut_path(first);
  }

  struct Wave {
    std::vector<Index> nodes;
    LeafRange leaves;
  };

  void plan_waves(Index top, std::span<const Index> order) {
    Index branching = top;
    while (children(branching).size() == 1) branching = children(branching).front();
    const std::size_t n_trunk =
        static_cast<std::size_t>(std::ranges::find(order, branching) - order.begin()) + 1;
    const std::vector<Wave> waves = cut_waves(std::span(order).subspan(n_trunk), branching);
    Index widest = 1;
    for (const Wave& wave : waves) {
      widest = std::max(widest, wave.leaves.last - wave.leaves.first + 1);
    }
    const Index first = index32(layout_.rows.size());
    for (const Index node : order.first(n_trunk)) {
      add_rows(node, 1, static_cast<std::uint16_t>(widest));
    }
    cut_path(first);
    for (const Wave& wave : waves) {
      add_wave(wave.nodes, wave.leaves);
      remove_behind(end_of(branching));
    }
  }

  // Leaf after leaf into the open wave, as long as the wave stays within the limits.
  std::vector<Wave> cut_waves(std::span<const Index> below, Index branching) {
    std::vector<Wave> waves;
    std::size_t n_rows = 0;
    std::size_t n_outputs = 0;
    for (const Index leaf : below) {
      if (!is_leaf(leaf)) continue;
      std::vector<Index> path = missing_path(leaf, branching);
      const auto [rows, outputs] = cost(path);
      const bool fits = !waves.empty() && n_rows + rows <= limits_.n_rows &&
                        n_outputs + outputs <= limits_.n_outputs &&
                        leaves_[leaf].first - waves.back().leaves.first < limits_.n_leaves;
      if (!fits) {
        ++wave_number_;
        waves.push_back({{}, leaves_[leaf]});
        path = missing_path(leaf, branching);
        n_rows = n_outputs = 0;
      }
      const auto [more_rows, more_outputs] = cost(path);
      n_rows += more_rows;
      n_outputs += more_outputs;
      // Later waves pay for a shared node's rows again, not for its reads.
      for (const Index node : path) {
        wave_of_[node] = wave_number_;
        outputs_[node] = 0;
      }
      waves.back().leaves.last = leaves_[leaf].last;
      waves.back().nodes.insert(waves.back().nodes.end(), path.begin(), path.end());
    }
    return waves;
  }

  // The nodes between `branching` and the leaf that the open wave does not have, top first.
  std::vector<Index> missing_path(Index leaf, Index branching) const {
    std::vector<Index> path;
    for (Index node = leaf; node != branching && wave_of_[node] != wave_number_;
         node = tree_.nodes[node].parent) {
      path.push_back(node);
    }
    std::ranges::reverse(path);
    return path;
  }

  std::pair<std::size_t, std::size_t> cost(std::span<const Index> nodes) const {
    std::size_t rows = 0;
    std::size_t outputs = 0;
    for (const Index node : nodes) {
      rows += tree_.nodes[node].n_tokens;
      outputs += outputs_[node];
    }
    return {rows, outputs};
  }

  // Calls for the rows from `first` on. Only rows of one path ever need more than one.
  void cut_path(Index first) {
    const Index end = index32(layout_.rows.size());
    while (first < end) {
      Index length = chunk_length(end - first);
      if (const Index most = rows_within_outputs(first, length); most < length) {
        length = end - first - most == 1 && most > 2 ? most - 1 : most;
      }
      add_call(first, length);
      first += length;
    }
  }

  Index rows_within_outputs(Index first, Index length) const {
    std::size_t n_outputs = 0;
    for (Index i = 0; i < length; ++i) {
      if (layout_.rows[first + i].n_reads > 0) ++n_outputs;
      if (n_outputs > limits_.n_outputs) return i;
    }
    return length;
  }

  void add_call(Index first_row, Index n_rows) {
    LayoutCall call;
    call.first_row = first_row;
    call.n_rows = n_rows;
    call.filler = n_rows == 1;
    for (Index i = first_row; i < first_row + n_rows; ++i) {
      if (layout_.rows[i].n_reads > 0) ++call.n_outputs;
      call.n_ids = std::max<Index>(call.n_ids, layout_.rows[i].last_id);
    }
    layout_.calls.push_back(call);
    cells_ += n_rows;
    layout_.n_cells = std::max(layout_.n_cells, cells_ + (call.filler ? 1 : 0));
  }

  void remove_behind(Index cells) {
    layout_.calls.back().keep = cells;
    cells_ = cells;
  }

  const TokenTree& tree_;
  const LayoutLimits limits_;
  Layout layout_;
  std::vector<Index> first_read_;   // per node, into Layout::reads
  std::vector<Index> first_child_;  // per node, into children_
  std::vector<Index> children_;     // sorted by their tokens
  std::vector<Index> starts_;       // position of a node's first token
  std::vector<Index> outputs_;      // rows of a node that are still to be read
  std::vector<char> read_done_;
  std::vector<Index> wave_of_;  // the last wave that has the node
  std::vector<LeafRange> leaves_;
  Index wave_number_ = 0;
  std::size_t cells_ = 0;  // occupied at this point of the plan
};

}  // namespace

Layout lay_out(const TokenTree& tree, const LayoutLimits& limits) {
  assert(limits.n_rows >= 2 && limits.n_outputs >= 2 && limits.n_leaves >= 2);
  return Planner(tree, limits).plan();
}

}  // namespace logit
