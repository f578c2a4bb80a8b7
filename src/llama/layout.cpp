// Decides the engine calls that evaluate a TokenTree.
//
// Entry: lay_out(). Tests: tests/llama/layout_test.cpp.
#include "llama/layout.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "llama/layout_planner.h"

namespace logit {
namespace {

std::uint32_t index32(std::size_t n) { return static_cast<std::uint32_t>(n); }

}  // namespace

LayoutPlanner::LayoutPlanner(const TokenTree& tree, const LayoutLimits& limits)
    : tree_(tree), limits_(limits) {
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

Layout LayoutPlanner::plan() {
  for (Index i = 0; i < tree_.nodes.size(); ++i) {
    if (tree_.nodes[i].parent == TokenTree::kNoParent) plan_root(i);
  }
  return std::move(layout_);
}

void LayoutPlanner::sort_reads() {
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

void LayoutPlanner::link_children() {
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

void LayoutPlanner::sort_children(Index node) {
  const auto first = children_.begin() + first_child_[node];
  const auto last = children_.begin() + first_child_[node + 1];
  std::stable_sort(first, last, [this](Index a, Index b) {
    return std::ranges::lexicographical_compare(tree_.tokens_of(a), tree_.tokens_of(b));
  });
}

// Reads of one node at one offset share a row of output.
LayoutPlanner::Index LayoutPlanner::count_outputs(Index node) const {
  Index n = 0;
  for (Index r = first_read_[node]; r < first_read_[node + 1]; ++r) {
    if (r == first_read_[node] || offset_of(r) != offset_of(r - 1)) ++n;
  }
  return n;
}

void LayoutPlanner::plan_root(Index root) {
  LayoutJob job;
  job.root = root;
  job.first_call = index32(layout_.calls.size());
  job.root_is_read = outputs_[root] > 0;
  cells_ = 0;
  cut_root(root);
  job.n_root_calls = index32(layout_.calls.size()) - job.first_call;
  for (const Index child : children(root)) {
    limits_.memory == MemoryKind::kCells ? plan_cells(child) : plan_states(child);
  }
  job.n_calls = index32(layout_.calls.size()) - job.first_call;
  layout_.jobs.push_back(job);
}

// Appends the node's rows. Its reads are made once, however often its rows are evaluated.
void LayoutPlanner::add_rows(Index node, std::uint16_t first_id, std::uint16_t last_id) {
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
LayoutPlanner::Index LayoutPlanner::chunk_length(Index n_left) const {
  const Index n = std::min(n_left, index32(limits_.n_rows));
  return n_left - n == 1 && n > 2 ? n - 1 : n;
}

void LayoutPlanner::cut_root(Index root) {
  add_rows(root, 0, 0);
  const std::size_t before = layout_.rows.size() - tree_.nodes[root].n_tokens;
  const std::vector<LayoutRow> rows(layout_.rows.begin() + static_cast<std::ptrdiff_t>(before),
                                    layout_.rows.end());
  layout_.rows.resize(before);
  for (std::size_t at = 0; at < rows.size();) {
    const Index length = chunk_length(index32(rows.size() - at));
    call_root_chunk(rows, at, length);
    at += length;
  }
}

// The cuts of a root must not depend on its reads. A chunk with more of them than one call may
// have is evaluated again for the rest.
void LayoutPlanner::call_root_chunk(std::span<const LayoutRow> root, std::size_t at,
                                    std::size_t length) {
  const std::span<const LayoutRow> chunk = root.subspan(at, length);
  const std::size_t n_reads = static_cast<std::size_t>(
      std::ranges::count_if(chunk, [](const LayoutRow& row) { return row.n_reads > 0; }));
  std::size_t n_done = 0;
  do {
    if (n_done > 0) call_again(root, at);
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

// Back to where the root ended at `end`: a state only goes forward, so it starts anew.
void LayoutPlanner::call_again(std::span<const LayoutRow> root, std::size_t end) {
  if (limits_.memory == MemoryKind::kCells) {
    remove_behind(index32(end));
    return;
  }
  drop(0, {0, 0});
  for (std::size_t at = 0; at < end;) {
    const Index length = chunk_length(index32(root.size() - at));
    const Index first = index32(layout_.rows.size());
    for (LayoutRow row : root.subspan(at, length)) {
      row.n_reads = 0;
      layout_.rows.push_back(row);
    }
    add_call(first, length);
    at += length;
  }
}

// The trunk of a subtree ends where its leaves part.
LayoutPlanner::Index LayoutPlanner::branching_of(Index top) const {
  while (children(top).size() == 1) top = children(top).front();
  return top;
}

std::vector<LayoutPlanner::Index> LayoutPlanner::depth_first(Index top) {
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

std::pair<std::size_t, std::size_t> LayoutPlanner::cost(std::span<const Index> nodes) const {
  std::size_t rows = 0;
  std::size_t outputs = 0;
  for (const Index node : nodes) {
    rows += tree_.nodes[node].n_tokens;
    outputs += outputs_[node];
  }
  return {rows, outputs};
}

// Calls for the rows from `first` on. Only rows of one path ever need more than one.
void LayoutPlanner::cut_path(Index first) {
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

LayoutPlanner::Index LayoutPlanner::rows_within_outputs(Index first, Index length) const {
  std::size_t n_outputs = 0;
  for (Index i = 0; i < length; ++i) {
    if (layout_.rows[first + i].n_reads > 0) ++n_outputs;
    if (n_outputs > limits_.n_outputs) return i;
  }
  return length;
}

void LayoutPlanner::add_call(Index first_row, Index n_rows) {
  LayoutCall call;
  call.first_row = first_row;
  call.n_rows = n_rows;
  std::uint16_t last_id = 0;
  for (Index i = first_row; i < first_row + n_rows; ++i) {
    if (layout_.rows[i].n_reads > 0) ++call.n_outputs;
    last_id = std::max(last_id, layout_.rows[i].last_id);
  }
  const bool has_cells = limits_.memory == MemoryKind::kCells;
  if (has_cells) call.n_ids = last_id;
  // The engine takes ids in a row only, when each has a state.
  if (n_rows == 1) {
    call.filler_id = static_cast<std::uint16_t>(has_cells ? limits_.n_leaves + 1 : last_id + 1U);
  }
  layout_.calls.push_back(call);
  cells_ += n_rows;
  layout_.n_cells = std::max(layout_.n_cells, cells_ + (n_rows == 1 ? 1 : 0));
}

Layout lay_out(const TokenTree& tree, const LayoutLimits& limits) {
  assert(limits.n_rows >= 2 && limits.n_outputs >= 2 && limits.n_leaves >= 2);
  return LayoutPlanner(tree, limits).plan();
}

}  // namespace logit
