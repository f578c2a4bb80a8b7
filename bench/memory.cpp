// Measures the memory that a model takes at its peak, against what plan_memory() predicts: one row
// of a table for each context, each in a process of its own.
//
//   memory MODEL CONTEXT [SAVED_MIB]
//
// Fills the context with one long prefix and many branches; with SAVED_MIB, up to that many MiB of
// prefixes are saved beside it, and as many are made as it takes to fill them.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "logit/llama_backend.h"

namespace {

using namespace logit;

std::uint64_t peak_bytes() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t kib = 0;
    if (words >> key >> kib && key == "VmHWM:") return kib * 1024;
  }
  return 0;
}

// A prefix that leaves room for a question and its answers, and `n_leaves` answers.
TokenTree tree_of(std::size_t n_context, std::size_t n_leaves, Token first) {
  constexpr std::size_t kQuestion = 40;
  constexpr std::size_t kAnswer = 3;
  TokenTree tree;
  Tokens prefix(n_context - kQuestion - kAnswer);
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    prefix[i] = 300 + first + static_cast<Token>(7 * i % 200);
  }
  const std::uint32_t root = tree.add_node(TokenTree::kNoParent, prefix);
  const std::uint32_t question = tree.add_node(root, Tokens(kQuestion, 400));
  for (std::size_t i = 0; i < n_leaves; ++i) {
    const Tokens answer(kAnswer, 300 + static_cast<Token>(i));
    const std::uint32_t leaf = tree.add_node(question, answer);
    for (std::uint32_t at = 0; at < kAnswer; ++at) tree.add_read(leaf, at, Tokens{400});
  }
  return tree;
}

int measure(const LlamaOptions& options) {
  const Result<MemoryPlan> plan = plan_memory(options.path, options.n_context);
  const auto backend = open_llama_backend(options);
  if (!plan || !backend) {
    std::cerr << (plan ? backend.error().message : plan.error().message) << "\n";
    return 1;
  }
  std::uint64_t n_saved = 0;
  Token first = 0;
  do {
    const TokenTree tree = tree_of(options.n_context, first == 0 ? 250 : 3, first);
    std::vector<double> out(tree.n_outputs());
    const auto stats = (*backend)->evaluate(tree, out, {});
    if (!stats) {
      std::cerr << stats.error().message << "\n";
      return 1;
    }
    n_saved += plan->context;
    ++first;
  } while (n_saved < options.cache_bytes + plan->context && options.cache_bytes > 0);
  const std::uint64_t predicted = total_of(*plan) + options.cache_bytes;
  const double share = static_cast<double>(peak_bytes()) / static_cast<double>(predicted);
  std::cout << "| " << (*backend)->info().id << " | " << options.n_context << " | "
            << (options.cache_bytes >> 20U) << " | " << (predicted >> 20U) << " | "
            << (peak_bytes() >> 20U) << " | " << static_cast<int>(100 * share + 0.5) << " % |\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "memory MODEL CONTEXT [SAVED_MIB]\n";
    return 2;
  }
  LlamaOptions options;
  options.path = argv[1];
  options.n_context = std::strtoul(argv[2], nullptr, 10);
  options.n_threads = 1;
  options.cache_bytes = argc > 3 ? std::strtoul(argv[3], nullptr, 10) << 20U : 0;
  return measure(options);
}
