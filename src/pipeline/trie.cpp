// Builds the trie of trie.h. Entry: add_trie. Tested by tests/pipeline/trie_test.cpp.
#include "pipeline/trie.h"

#include <algorithm>
#include <numeric>

namespace logit::pipeline {
namespace {

using Members = std::vector<std::size_t>;  // indices of sequences, sorted by their tokens

class TrieBuilder {
 public:
  TrieBuilder(TokenTree& tree, std::span<const Tokens> sequences)
      : tree_(tree), sequences_(sequences), outputs_(sequences.size()) {}

  std::vector<std::vector<std::uint32_t>> build(std::uint32_t parent) {
    Members all(sequences_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::sort(all.begin(), all.end(),
              [&](std::size_t a, std::size_t b) { return sequences_[a] < sequences_[b]; });
    grow(parent, tree_.nodes[parent].n_tokens - 1, all, 0);
    return std::move(outputs_);
  }

 private:
  // Reads token `depth` of all members after (node, offset) and grows a child for each that goes
  // on.
  void grow(std::uint32_t node, std::uint32_t offset, const Members& members, std::size_t depth) {
    const std::vector<Members> groups = group(members, depth);
    read(node, offset, groups, depth);
    for (const Members& same : groups) grow_child(node, same, depth);
  }

  void grow_child(std::uint32_t parent, Members members, std::size_t depth) {
    Tokens run = {sequences_[members.front()][depth]};
    members = longer_than(members, depth + 1);
    if (members.empty()) return;
    // A run without branches is one node; its inner reads are added once the node exists.
    std::vector<Members> inner;
    std::size_t next = depth + 1;
    while (group(members, next).size() == 1) {
      Members beyond = longer_than(members, next + 1);
      if (beyond.empty()) break;
      run.push_back(sequences_[members.front()][next]);
      inner.push_back(std::move(members));
      members = std::move(beyond);
      ++next;
    }
    const std::uint32_t node = tree_.add_node(parent, run);
    for (std::size_t i = 0; i < inner.size(); ++i) {
      read(node, static_cast<std::uint32_t>(i), {inner[i]}, depth + 1 + i);
    }
    grow(node, static_cast<std::uint32_t>(run.size() - 1), members, next);
  }

  void read(std::uint32_t node, std::uint32_t offset, const std::vector<Members>& groups,
            std::size_t depth) {
    Tokens ids;
    for (const Members& same : groups) ids.push_back(sequences_[same.front()][depth]);
    const std::uint32_t first = tree_.add_read(node, offset, ids);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t member : groups[g]) {
        outputs_[member].push_back(first + static_cast<std::uint32_t>(g));
      }
    }
  }

  std::vector<Members> group(const Members& members, std::size_t depth) const {
    std::vector<Members> groups;
    for (std::size_t member : members) {
      const Token token = sequences_[member][depth];
      if (groups.empty() || sequences_[groups.back().front()][depth] != token)
        groups.emplace_back();
      groups.back().push_back(member);
    }
    return groups;
  }

  Members longer_than(const Members& members, std::size_t length) const {
    Members kept;
    std::copy_if(members.begin(), members.end(), std::back_inserter(kept),
                 [&](std::size_t member) { return sequences_[member].size() > length; });
    return kept;
  }

  TokenTree& tree_;
  std::span<const Tokens> sequences_;
  std::vector<std::vector<std::uint32_t>> outputs_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> add_trie(TokenTree& tree, std::uint32_t parent,
                                                 std::span<const Tokens> sequences) {
  return TrieBuilder(tree, sequences).build(parent);
}

}  // namespace logit::pipeline
