// Session: one llama.cpp context, the root that lies in it, and the states of other roots.
//
// Not thread-safe. Every call leaves the context either with a known root and nothing behind it,
// or empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "llama/handles.h"
#include "llama/layout.h"
#include "llama/prefix_cache.h"
#include "logit/backend.h"
#include "logit/result.h"
#include "logit/token_tree.h"

namespace logit {

struct SessionOptions {
  std::size_t n_context = 0;  // tokens of the longest path
  std::size_t n_threads = 1;
  std::size_t cache_bytes = 0;
};

class Session {
 public:
  // `model` must outlive the session. Errors: kModelLoad when there is no memory for a context.
  static Result<std::unique_ptr<Session>> open(llama_model& model, const SessionOptions& options);

  // As Backend::evaluate().
  Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                 std::stop_token stop);

  MemoryKind memory() const { return limits_.memory; }

  // For tests and benchmarks.
  std::size_t n_cells() const { return n_cells_; }
  const PrefixCache& cache() const { return cache_; }

 private:
  // What lies in the context: seq 0 has these tokens, ids 1..n_attached share them.
  struct Resident {
    Tokens root;
    std::uint32_t n_attached = 0;
  };
  struct Run;  // of one tree

  Session(llama_model& model, const SessionOptions& options);

  // context.cpp: the context, its size and what is in it.
  Result<Done> resize(std::size_t n_cells);
  void clear();
  void save_resident();
  bool restore(const Tokens& root);
  void attach(std::uint32_t n_ids);
  void copy(const LayoutCall& call);
  Result<Done> take_away(const LayoutCall& call);
  Result<Done> warm_up();

  // evaluate.cpp
  Result<Done> run_job(Run& run, const LayoutJob& job);
  Result<Done> run_call(Run& run, const LayoutCall& call);
  Result<Done> decode(Run& run, const LayoutCall& call);
  Result<Done> read_outputs(Run& run, const LayoutCall& call);

  llama_model& model_;
  const SessionOptions options_;
  const std::size_t n_vocab_;
  const LayoutLimits limits_;
  ContextHandle context_;
  std::size_t n_cells_ = 0;
  std::optional<Resident> resident_;
  PrefixCache cache_;
};

}  // namespace logit
