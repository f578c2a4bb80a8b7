// Option texts as a trie below one node of a TokenTree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "logit/token_tree.h"

namespace logit::pipeline {

// Adds nodes and reads so that every token of every sequence is read after the tokens before it:
// the first after the parent's last token, without a node of its own, and no sequence's last token
// is evaluated. Siblings stand in the order of their token ids, whatever the order of `sequences`,
// so that the caller's order cannot move a bit. Equal sequences share their reads.
// Returns, per sequence, the outputs of its tokens.
// REQUIRES: the parent exists; sequences are not empty.
std::vector<std::vector<std::uint32_t>> add_trie(TokenTree& tree, std::uint32_t parent,
                                                 std::span<const Tokens> sequences);

}  // namespace logit::pipeline
