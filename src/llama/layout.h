// Layout: the calls that evaluate a TokenTree, decided before the first of them runs.
//
// Where a token lies in the engine's memory changes the last bits of what is read after it, so
// every token has a canonical place (docs/design.md, "canonical layout"):
//  - a root alone at cells 0..P-1, cut into calls at positions that depend on P only;
//  - one child subtree of the root at a time right behind it, removed before the next one;
//  - within a subtree, children in the order of their tokens, not in the caller's order.
// So the place of a token depends on its root and on its root's child above it, only.
//
// Memories of two kinds are laid out (MemoryKind). Attention keeps a cell a token, and any tail of
// a sequence can be taken away again: the leaves of a subtree are ids on shared rows. Recurrent
// layers keep one state a sequence that only goes forward: the trunk of a subtree is a copy of the
// root, its leaves are copies of the trunk, a few at a time, and sequences are dropped whole.
//
// Plain arithmetic: builds and is tested without llama.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logit/token_tree.h"

namespace logit {

// What the engine's memory can give up.
enum class MemoryKind : unsigned char {
  kCells,   // the tail of any sequence
  kStates,  // whole sequences only
};

struct LayoutLimits {
  std::size_t n_rows = 512;     // of one call
  std::size_t n_outputs = 512;  // rows of one call that are read
  std::size_t n_leaves = 254;   // of one call
  MemoryKind memory = MemoryKind::kCells;

  // Sequence ids. Cells: 0 the root, 1..n_leaves the leaves, then one for fillers. States: 0 the
  // root, 1 the trunk, then the leaves; a filler takes the id behind the lone row's.
  std::size_t n_ids() const { return n_leaves + 2; }
};

struct IdRange {
  std::uint16_t first = 1;
  std::uint16_t last = 0;  // below `first`: none

  bool empty() const { return last < first; }
  auto operator<=>(const IdRange&) const = default;
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
  // A lone row needs a second one, on a spare sequence, that nobody reads: flash attention splits
  // the keys of a lone row among the threads, so its bits would depend on their number.
  std::uint16_t filler_id = 0;  // 0: no filler

  // MemoryKind::kCells
  std::uint32_t n_ids = 0;        // ids 1..n_ids must be attached to the root
  std::uint32_t keep = kKeepAll;  // cells to keep after the call; the ones behind are removed

  // MemoryKind::kStates
  std::uint16_t copy_of = 0;  // before the call, `copies` become copies of this sequence
  IdRange copies;
  IdRange dropped;  // after the call
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
