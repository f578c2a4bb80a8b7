// Layout: the calls that evaluate a TokenTree, decided before the first of them runs.
//
// Where a token lies in the engine's memory changes the last bits of what is read after it, so
// every token has a canonical place (docs/design.md, "canonical layout"):
//  - a root alone at cells 0..P-1, cut into calls at positions that depend on P only;
//  - one child subtree of the root at a time right behind it, removed before the next one;
//  - within a subtree, children in the order of their tokens, not in the caller's order.
// So the place of a token depends on its root and on its root's child above it, only.
//
// Plain arithmetic: builds and is tested without llama.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logit/token_tree.h"

namespace logit {

struct LayoutLimits {
  std::size_t n_rows = 512;     // of one call
  std::size_t n_outputs = 512;  // rows of one call that are read
  std::size_t n_leaves = 254;   // of one call: sequence ids 1..n_leaves; 0 is the root's
};

struct LayoutRow {
  Token token = 0;
  std::uint32_t position = 0;
  std::uint16_t first_id = 0;  // the sequence ids of all leaves below: first_id..last_id
  std::uint16_t last_id = 0;
  std::uint32_t first_read = 0;  // in Layout::reads
  std::uint32_t n_reads = 0;     // 0: not an output of the call
};

struct LayoutCall {
  static constexpr std::uint32_t kKeepAll = 0xFFFFFFFF;

  std::uint32_t first_row = 0;
  std::uint32_t n_rows = 0;  // without the filler
  std::uint32_t n_outputs = 0;
  std::uint32_t n_ids = 0;        // ids 1..n_ids must be attached to the root
  std::uint32_t keep = kKeepAll;  // cells to keep after the call; the ones behind are removed
  // A lone row needs a second one, on a spare sequence, that nobody reads: flash attention splits
  // the keys of a lone row among the threads, so its bits would depend on their number.
  bool filler = false;
};

// One root and everything below it.
struct LayoutJob {
  std::uint32_t root = 0;  // its node
  std::uint32_t first_call = 0;
  std::uint32_t n_root_calls = 0;  // the first of n_calls; not needed when the root is in memory
  std::uint32_t n_calls = 0;
  bool root_is_read = false;
};

struct Layout {
  std::vector<LayoutRow> rows;
  std::vector<LayoutCall> calls;
  std::vector<LayoutJob> jobs;
  std::vector<std::uint32_t> reads;  // indices of TokenTree::reads, grouped by row
  std::size_t n_cells = 0;           // memory that the largest job needs
};

// REQUIRES: tree_fault(tree, ...) is empty, every limit is at least 2.
Layout lay_out(const TokenTree& tree, const LayoutLimits& limits);

}  // namespace logit
