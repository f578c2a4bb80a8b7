// Adds prompts to a TokenTree. Tested by tests/pipeline/plan_test.cpp.
#include "pipeline/forest.h"

#include <algorithm>

#include "pipeline/trie.h"

namespace logit::pipeline {

Forest::Mark Forest::mark() const {
  return {tree_.nodes.size(), tree_.tokens.size(), tree_.reads.size(), tree_.ids.size()};
}

void Forest::rewind(const Mark& mark) {
  tree_.nodes.resize(mark.nodes);
  tree_.tokens.resize(mark.tokens);
  tree_.reads.resize(mark.reads);
  tree_.ids.resize(mark.ids);
  std::erase_if(roots_, [&](const auto& root) { return root.second >= mark.nodes; });
}

void Forest::count(std::size_t n_tokens, Purpose purpose, Cost& cost) {
  (purpose == Purpose::kInput ? cost.input_tokens : cost.baseline_tokens) += n_tokens;
}

std::vector<Tokens> Forest::counted_roots(const Cost& cost) const {
  std::vector<Tokens> roots;
  for (const std::uint32_t root : cost.roots) {
    const auto first = tree_.tokens.begin() + tree_.nodes[root].first_token;
    roots.emplace_back(first, first + tree_.nodes[root].n_tokens);
  }
  return roots;
}

std::uint32_t Forest::add_prompt(const Tokens& root, const Tokens& stem, Purpose purpose,
                                 Cost& cost) {
  auto found = roots_.find(root);
  if (found == roots_.end()) {
    found = roots_.emplace(root, tree_.add_node(TokenTree::kNoParent, root)).first;
  }
  const std::uint32_t node = found->second;
  if (std::find(cost.roots.begin(), cost.roots.end(), node) == cost.roots.end()) {
    cost.roots.push_back(node);
    const bool is_known = std::find(cost.known.begin(), cost.known.end(), root) != cost.known.end();
    if (!is_known) count(root.size(), purpose, cost);
  }
  count(stem.size(), purpose, cost);
  return tree_.add_node(node, stem);
}

std::vector<std::uint32_t> Forest::add_read(std::uint32_t node, std::span<const Token> ids) {
  std::uint32_t output = tree_.add_read(node, tree_.nodes[node].n_tokens - 1, ids);
  std::vector<std::uint32_t> outputs(ids.size());
  for (std::uint32_t& one : outputs) one = output++;
  return outputs;
}

std::vector<std::uint32_t> Forest::add_token_reads(std::uint32_t node, std::span<const Token> ids) {
  std::vector<std::uint32_t> outputs;
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    outputs.push_back(tree_.add_read(node, i, ids.subspan(i, 1)));
  }
  return outputs;
}

Forest::Answers Forest::add_answers(std::uint32_t stem, std::span<const Tokens> sequences,
                                    Purpose purpose, Cost& cost) {
  const std::size_t first_token = tree_.tokens.size();
  Answers answers{add_trie(tree_, stem, sequences), 0};
  count(tree_.tokens.size() - first_token, purpose, cost);
  const std::size_t stem_length = tree_.path_length(stem);
  for (const Tokens& sequence : sequences) {
    answers.longest = std::max(answers.longest, stem_length + sequence.size() - 1);
  }
  return answers;
}

}  // namespace logit::pipeline
