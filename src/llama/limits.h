// How large one engine call may be. A context reserves memory for it, a memory plan counts that.
#pragma once

#include <algorithm>
#include <cstddef>

namespace logit {

// The engine is given no more: it ends the process when a call exceeds its batch.
inline constexpr std::size_t kMaxRows = 512;

// Of a model with recurrent layers: sequence ids, each with a state of tens of megabytes.
inline constexpr std::size_t kMaxStates = 8;

// Memory beyond the longest path: the branches of one subtree behind it.
inline constexpr std::size_t kSpareCells = 2 * kMaxRows;

// A context starts with this many cells and grows; llama.cpp rounds up to the step.
inline constexpr std::size_t kFirstCells = 1024;
inline constexpr std::size_t kCellStep = 256;

// Rows of logits that one call may have, about 64 MiB of them.
inline std::size_t outputs_per_call(std::size_t n_vocab) {
  constexpr std::size_t kOutputBytes = std::size_t{64} << 20;
  return std::clamp<std::size_t>(kOutputBytes / (sizeof(float) * std::max<std::size_t>(n_vocab, 1)),
                                 32, kMaxRows);
}

}  // namespace logit
