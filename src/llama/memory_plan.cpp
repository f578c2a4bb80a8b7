// Predicts the memory that a model takes.
//
// Entry: plan_memory(). Tests: tests/llama/memory_plan_test.cpp.
#include "llama/memory_plan.h"

#include <algorithm>

#include "llama/engine_log.h"
#include "llama/limits.h"
#include "llama/machine.h"

namespace logit {
namespace {

// Measured: the program, its libraries and the heap of a first request; an entry of a vocabulary
// and one of its merges, with their look-up tables (SmolLM2, Qwen 2.5 and Gemma 3).
constexpr std::uint64_t kProgramBytes = std::uint64_t{18} << 20;
constexpr std::uint64_t kBytesPerToken = 120;
constexpr std::uint64_t kBytesPerMerge = 210;

// What the widest moment of a call keeps, in floats a row: the three parts of a feed-forward
// network, and the residual stream with what is added to it.
std::uint64_t layer_floats(const ModelHeader& header) {
  return 3 * header.n_wide + 6 * header.n_embed;
}

}  // namespace

MemoryPlan plan_for(const ModelHeader& header, std::size_t n_context) {
  MemoryPlan plan;
  plan.n_context = n_context;
  plan.program = kProgramBytes + kBytesPerToken * header.n_vocab + kBytesPerMerge * header.n_merges;
  plan.weights = header.weight_bytes;
  const std::size_t n_longest = std::max(kFirstCells, n_context + kSpareCells);
  const std::uint64_t n_cells = (n_longest + kCellStep - 1) / kCellStep * kCellStep;
  plan.context = n_cells * header.bytes_per_cell;
  if (header.n_state_layers > 0) plan.context += kMaxStates * header.bytes_per_state;

  const std::uint64_t logits = outputs_per_call(header.n_vocab) * header.n_vocab * sizeof(float);
  constexpr std::uint64_t kMaskBytes = 2;
  const std::uint64_t mask = header.bytes_per_cell > 0 ? n_cells * kMaxRows * kMaskBytes : 0;
  const std::uint64_t layer = kMaxRows * layer_floats(header) * sizeof(float) + mask;
  plan.compute = std::max(logits, layer) + logits;  // the engine's, and the copy that is read
  return plan;
}

Result<MemoryPlan> plan_memory(const std::string& path, std::size_t n_context) {
  if (Result<Done> ok = check_processor(); !ok) return std::move(ok).error();
  start_engine();
  const Result<ModelHeader> header = read_model_header(path);
  if (!header) return header.error();
  return plan_for(*header, n_context);
}

}  // namespace logit
