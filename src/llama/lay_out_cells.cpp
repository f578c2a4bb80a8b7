// Lays out the subtrees of a root in a memory of cells.
//
// Entry: LayoutPlanner::plan_cells(). Tests: tests/llama/layout_test.cpp.
#include <algorithm>

#include "llama/layout_planner.h"

namespace logit {
namespace {

std::uint32_t index32(std::size_t n) { return static_cast<std::uint32_t>(n); }

}  // namespace

void LayoutPlanner::plan_cells(Index top) {
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

// One call, or for a single long path several: the nodes' rows, the ids of `leaves` on them.
void LayoutPlanner::add_wave(std::span<const Index> nodes, LeafRange leaves) {
  const Index first = index32(layout_.rows.size());
  for (const Index node : nodes) {
    const Index from = std::max(leaves_[node].first, leaves.first) - leaves.first + 1;
    const Index to = std::min(leaves_[node].last, leaves.last) - leaves.first + 1;
    add_rows(node, static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to));
  }
  cut_path(first);
}

void LayoutPlanner::plan_waves(Index top, std::span<const Index> order) {
  const Index branching = branching_of(top);
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
std::vector<LayoutPlanner::Wave> LayoutPlanner::cut_waves(std::span<const Index> below,
                                                          Index branching) {
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
std::vector<LayoutPlanner::Index> LayoutPlanner::missing_path(Index leaf, Index branching) const {
  std::vector<Index> path;
  for (Index node = leaf; node != branching && wave_of_[node] != wave_number_;
       node = tree_.nodes[node].parent) {
    path.push_back(node);
  }
  std::ranges::reverse(path);
  return path;
}

void LayoutPlanner::remove_behind(Index cells) {
  layout_.calls.back().keep = cells;
  cells_ = cells;
}

}  // namespace logit
