// Builds, checks and draws a TokenTree.
//
// Entry: add_node(), add_read(). Tests: tests/llama/token_tree_test.cpp.
#include "logit/token_tree.h"

#include <cassert>

namespace logit {
namespace {

std::uint32_t index32(std::size_t n) { return static_cast<std::uint32_t>(n); }

bool in_vocabulary(std::span<const Token> tokens, std::size_t n_vocab) {
  for (const Token token : tokens) {
    if (token < 0 || static_cast<std::size_t>(token) >= n_vocab) return false;
  }
  return true;
}

std::string node_fault(const TokenTree& tree, std::size_t index) {
  const TokenTree::Node& node = tree.nodes[index];
  const std::string name = "node " + std::to_string(index);
  if (node.parent != TokenTree::kNoParent && node.parent >= index) {
    return name + " does not come after its parent";
  }
  if (node.n_tokens == 0) return name + " has no tokens";
  if (std::size_t{node.first_token} + node.n_tokens > tree.tokens.size()) {
    return name + " reaches past the tokens";
  }
  return {};
}

// `n_seen` ids belong to the reads before this one.
std::string read_fault(const TokenTree& tree, std::size_t index, std::size_t n_seen) {
  const TokenTree::Read& read = tree.reads[index];
  const std::string name = "read " + std::to_string(index);
  if (read.node >= tree.nodes.size()) return name + " names no node";
  if (read.offset >= tree.nodes[read.node].n_tokens) return name + " lies outside its node";
  if (read.n_ids == 0) return name + " asks for nothing";
  if (read.first_id != n_seen) return name + " does not follow the ids of the read before it";
  if (n_seen + read.n_ids > tree.ids.size()) return name + " reaches past the ids";
  return {};
}

std::string tokens_text(std::span<const Token> tokens, std::string (*piece)(Token, const void*),
                        const void* context) {
  std::string text;
  for (const Token token : tokens) {
    text += ' ';
    text += piece != nullptr ? piece(token, context) : std::to_string(token);
  }
  return text;
}

}  // namespace

std::uint32_t TokenTree::add_node(std::uint32_t parent, std::span<const Token> node_tokens) {
  assert(!node_tokens.empty());
  assert(parent == kNoParent || parent < nodes.size());
  nodes.push_back({parent, index32(tokens.size()), index32(node_tokens.size())});
  tokens.insert(tokens.end(), node_tokens.begin(), node_tokens.end());
  return index32(nodes.size() - 1);
}

std::uint32_t TokenTree::add_read(std::uint32_t node, std::uint32_t offset,
                                  std::span<const Token> read_ids) {
  assert(node < nodes.size() && offset < nodes[node].n_tokens);
  const std::uint32_t first = index32(ids.size());
  reads.push_back({node, offset, first, index32(read_ids.size())});
  ids.insert(ids.end(), read_ids.begin(), read_ids.end());
  return first;
}

std::span<const Token> TokenTree::tokens_of(std::uint32_t node) const {
  return std::span(tokens).subspan(nodes[node].first_token, nodes[node].n_tokens);
}

std::size_t TokenTree::path_length(std::uint32_t node) const {
  std::size_t length = 0;
  for (; node != kNoParent; node = nodes[node].parent) length += nodes[node].n_tokens;
  return length;
}

std::string tree_fault(const TokenTree& tree, std::size_t n_vocab) {
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (std::string fault = node_fault(tree, i); !fault.empty()) return fault;
  }
  std::size_t n_seen = 0;
  for (std::size_t i = 0; i < tree.reads.size(); ++i) {
    if (std::string fault = read_fault(tree, i, n_seen); !fault.empty()) return fault;
    n_seen += tree.reads[i].n_ids;
  }
  if (n_seen != tree.ids.size()) return "some ids belong to no read";
  if (!in_vocabulary(tree.tokens, n_vocab)) return "a token is outside the vocabulary";
  if (!in_vocabulary(tree.ids, n_vocab)) return "an id to read is outside the vocabulary";
  return {};
}

std::string draw(const TokenTree& tree, std::string (*piece)(Token, const void*),
                 const void* context) {
  std::string drawing;
  std::vector<std::size_t> depth(tree.nodes.size(), 0);
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const std::uint32_t parent = tree.nodes[i].parent;
    if (parent != TokenTree::kNoParent) depth[i] = depth[parent] + 1;
    drawing += std::string(2 * depth[i], ' ') + "#" + std::to_string(i);
    if (parent != TokenTree::kNoParent) drawing += "<" + std::to_string(parent);
    drawing += tokens_text(tree.tokens_of(i), piece, context);
    for (const TokenTree::Read& read : tree.reads) {
      if (read.node != i) continue;
      const std::span ids = std::span(tree.ids).subspan(read.first_id, read.n_ids);
      drawing += " | " + std::to_string(read.offset) + ":" + tokens_text(ids, piece, context);
      drawing += " -> " + std::to_string(read.first_id);
    }
    drawing += '\n';
  }
  return drawing;
}

}  // namespace logit
