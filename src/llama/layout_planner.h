// Planner: the state of lay_out() while it walks over a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "llama/layout.h"

namespace logit {

class LayoutPlanner {
 public:
  LayoutPlanner(const TokenTree& tree, const LayoutLimits& limits);

  Layout plan();

 private:
  using Index = std::uint32_t;

  struct LeafRange {
    Index first = 0;  // leaves below a node, numbered depth first within the subtree
    Index last = 0;
  };
  struct Wave {
    std::vector<Index> nodes;
    LeafRange leaves;
  };
  struct Path {  // from below the trunk to a leaf, for MemoryKind::kStates
    std::vector<Index> nodes;
    std::size_t n_rows = 0;
  };

  // layout.cpp: the tree, roots, calls.
  Index end_of(Index node) const { return starts_[node] + tree_.nodes[node].n_tokens; }
  std::span<const Index> children(Index node) const {
    return std::span(children_).subspan(first_child_[node],
                                        first_child_[node + 1] - first_child_[node]);
  }
  bool is_leaf(Index node) const { return children(node).empty(); }
  Index offset_of(Index sorted_read) const {
    return tree_.reads[layout_.reads[sorted_read]].offset;
  }
  void sort_reads();
  void link_children();
  void sort_children(Index node);
  Index count_outputs(Index node) const;
  void plan_root(Index root);
  void add_rows(Index node, std::uint16_t first_id, std::uint16_t last_id);
  Index chunk_length(Index n_left) const;
  void cut_root(Index root);
  void call_root_chunk(std::span<const LayoutRow> root, std::size_t at, std::size_t length);
  void call_again(std::span<const LayoutRow> root, std::size_t end);
  std::vector<Index> depth_first(Index top);
  Index branching_of(Index top) const;
  std::pair<std::size_t, std::size_t> cost(std::span<const Index> nodes) const;
  void cut_path(Index first);
  Index rows_within_outputs(Index first, Index length) const;
  void add_call(Index first_row, Index n_rows);

  // lay_out_cells.cpp
  void plan_cells(Index top);
  void add_wave(std::span<const Index> nodes, LeafRange leaves);
  void plan_waves(Index top, std::span<const Index> order);
  std::vector<Wave> cut_waves(std::span<const Index> below, Index branching);
  std::vector<Index> missing_path(Index leaf, Index branching) const;
  void remove_behind(Index cells);

  // lay_out_states.cpp
  void plan_states(Index top);
  std::vector<Path> paths_of(std::span<const Index> below, Index branching) const;
  std::size_t wave_size(std::span<const Path> paths) const;
  void add_copies(std::span<const Path> paths);
  void drop(Index cells, IdRange ids);

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

}  // namespace logit
