// A TokenTree under construction: shared roots, counted tokens, and a way back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "logit/token_tree.h"

namespace logit::pipeline {

// What one request adds to a tree.
struct Cost {
  std::size_t input_tokens = 0;      // of its own prompts, a shared root once
  std::size_t baseline_tokens = 0;   // of the states of baselines
  std::vector<std::uint32_t> roots;  // of this tree, already counted
  std::vector<Tokens> known;         // roots that an earlier tree of the request counted

  std::size_t total() const { return input_tokens + baseline_tokens; }
};

enum class Purpose : std::uint8_t { kInput, kBaseline };

class Forest {
 public:
  // A size to return to.
  struct Mark {
    std::size_t nodes, tokens, reads, ids;
  };

  const TokenTree& tree() const { return tree_; }
  // The tokens of the roots that the cost has counted.
  std::vector<Tokens> counted_roots(const Cost& cost) const;
  TokenTree take() { return std::move(tree_); }
  Mark mark() const;
  // Removes everything added since.
  void rewind(const Mark& mark);

  // A root with these tokens, the one the tree has or a new one, and a new node `stem` below it.
  // Returns the stem. REQUIRES: both are not empty.
  std::uint32_t add_prompt(const Tokens& root, const Tokens& stem, Purpose purpose, Cost& cost);

  // The outputs of one read after the last token of `node`.
  std::vector<std::uint32_t> add_read(std::uint32_t node, std::span<const Token> ids);

  // Reads the i-th of `ids` after the i-th token of `node`. REQUIRES: as many ids as tokens.
  std::vector<std::uint32_t> add_token_reads(std::uint32_t node, std::span<const Token> ids);

  // As add_trie; counts the new nodes. `longest` is the most tokens of a path to one of them.
  struct Answers {
    std::vector<std::vector<std::uint32_t>> outputs;
    std::size_t longest = 0;
  };
  Answers add_answers(std::uint32_t stem, std::span<const Tokens> sequences, Purpose purpose,
                      Cost& cost);

 private:
  static void count(std::size_t n_tokens, Purpose purpose, Cost& cost);

  TokenTree tree_;
  std::map<Tokens, std::uint32_t> roots_;
};

}  // namespace logit::pipeline
