// Lays out the subtrees of a root in a memory of states.
//
// Entry: LayoutPlanner::plan_states(). Tests: tests/llama/layout_test.cpp.
#include <algorithm>

#include "llama/layout_planner.h"

namespace logit {
namespace {

constexpr std::uint16_t kRootId = 0;
constexpr std::uint16_t kTrunkId = 1;
constexpr std::uint16_t kFirstLeafId = 2;

std::uint32_t index32(std::size_t n) { return static_cast<std::uint32_t>(n); }

}  // namespace

// One sequence a path, whatever paths share below the trunk: a state that stood for several leaves
// would have to be copied in the middle of a call.
void LayoutPlanner::plan_states(Index top) {
  const Index base = starts_[top];
  const std::vector<Index> order = depth_first(top);
  const Index branching = branching_of(top);
  const std::size_t n_trunk =
      static_cast<std::size_t>(std::ranges::find(order, branching) - order.begin()) + 1;
  const Index first = index32(layout_.rows.size());
  const std::size_t first_call = layout_.calls.size();
  for (const Index node : std::span(order).first(n_trunk)) add_rows(node, kTrunkId, kTrunkId);
  cut_path(first);
  layout_.calls[first_call].copy_of = kRootId;
  layout_.calls[first_call].copies = {kTrunkId, kTrunkId};

  const std::vector<Path> paths = paths_of(std::span(order).subspan(n_trunk), branching);
  IdRange dropped{kTrunkId, kTrunkId};
  for (std::size_t at = 0; at < paths.size();) {
    const std::size_t n = wave_size(std::span(paths).subspan(at));
    add_copies(std::span(paths).subspan(at, n));
    at += n;
    dropped.last = layout_.calls.back().dropped.last;
  }
  drop(base, dropped);
}

// The shortest first: the sequences of one call advance together.
std::vector<LayoutPlanner::Path> LayoutPlanner::paths_of(std::span<const Index> below,
                                                         Index branching) const {
  std::vector<Path> paths;
  for (const Index leaf : below) {
    if (!is_leaf(leaf)) continue;
    Path path;
    for (Index node = leaf; node != branching; node = tree_.nodes[node].parent) {
      path.nodes.push_back(node);
    }
    std::ranges::reverse(path.nodes);
    path.n_rows = cost(path.nodes).first;
    paths.push_back(std::move(path));
  }
  std::ranges::stable_sort(paths, {}, &Path::n_rows);
  return paths;
}

// How many of the next paths, all of one length, go into one call. At least one, which is cut when
// it is too long by itself.
std::size_t LayoutPlanner::wave_size(std::span<const Path> paths) const {
  std::size_t n = 0;
  std::size_t n_outputs = 0;
  while (n < paths.size() && n < limits_.n_leaves && paths[n].n_rows == paths[0].n_rows) {
    n_outputs += cost(paths[n].nodes).second;
    const bool fits = (n + 1) * paths[0].n_rows <= limits_.n_rows && n_outputs <= limits_.n_outputs;
    if (n > 0 && !fits) break;
    ++n;
  }
  return n;
}

void LayoutPlanner::add_copies(std::span<const Path> paths) {
  const std::size_t first_call = layout_.calls.size();
  const std::size_t cells = cells_;
  const Index first = index32(layout_.rows.size());
  std::uint16_t id = kFirstLeafId;
  for (const Path& path : paths) {
    for (const Index node : path.nodes) add_rows(node, id, id);
    ++id;
  }
  cut_path(first);
  const IdRange ids{kFirstLeafId, static_cast<std::uint16_t>(id - 1)};
  layout_.calls[first_call].copy_of = kTrunkId;
  layout_.calls[first_call].copies = ids;
  drop(index32(cells), ids);
}

void LayoutPlanner::drop(Index cells, IdRange ids) {
  layout_.calls.back().dropped = ids;
  cells_ = cells;
}

}  // namespace logit
