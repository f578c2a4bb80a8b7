// TokenTree: everything one evaluation asks of a model, as flat arrays.
//
// A node holds tokens that follow its parent's; a read asks, after one token of a node, for the
// log-probability of some token ids. Roots usually are what questions share (a state, or a
// question under which several states stand), the nodes below are questions and option texts.
//
//   nodes     tokens              reads
//   root      Text : the bill     -
//   `- child  Answer :            after token 1: [bill tech] -> out[0], out[1]
//      `- leaf bill               after token 0: [ing]       -> out[2]
//
// Nodes, tokens, reads and ids are four vectors; a node is a range of tokens, a read a range of
// ids, and output i of an evaluation is the log-probability of ids[i].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logit {

using Token = std::int32_t;
using Tokens = std::vector<Token>;

struct TokenTree {
  static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

  struct Node {
    std::uint32_t parent = kNoParent;  // smaller than the node's own index
    std::uint32_t first_token = 0;
    std::uint32_t n_tokens = 0;  // at least 1
  };
  struct Read {
    std::uint32_t node = 0;
    std::uint32_t offset = 0;  // index of the token, within its node, after which to read
    std::uint32_t first_id = 0;
    std::uint32_t n_ids = 0;
  };

  std::vector<Node> nodes;  // parents before children
  Tokens tokens;
  std::vector<Read> reads;
  Tokens ids;

  // Both return the index of what was added. REQUIRES: tokens not empty, parent exists.
  std::uint32_t add_node(std::uint32_t parent, std::span<const Token> node_tokens);
  // The first of the ids' output indices. REQUIRES: the node exists, offset < its n_tokens.
  std::uint32_t add_read(std::uint32_t node, std::uint32_t offset, std::span<const Token> read_ids);

  std::span<const Token> tokens_of(std::uint32_t node) const;
  std::size_t n_outputs() const { return ids.size(); }
  // Tokens from the root's first to the node's last.
  std::size_t path_length(std::uint32_t node) const;
};

// An empty string when the tree keeps the rules above, otherwise the first rule it breaks.
std::string tree_fault(const TokenTree& tree, std::size_t n_vocab);

// An ASCII drawing, one node a line, for tests and diagnostics. `piece` may be null: ids are
// drawn as numbers then.
std::string draw(const TokenTree& tree, std::string (*piece)(Token, const void*) = nullptr,
                 const void* context = nullptr);

}  // namespace logit
