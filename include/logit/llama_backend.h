// A Backend on llama.cpp: any GGUF model that continues text, on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "logit/backend.h"
#include "logit/result.h"

namespace logit {

struct LlamaOptions {
  std::string path{};         // of the GGUF file, or of its first part
  std::string id{};           // what replies call the model; empty: its file name without .gguf
  std::size_t n_context = 0;  // tokens; 0: min(8192, what the model was trained on)
  std::size_t n_threads = 0;  // 0: usable_cores()
  std::size_t cache_bytes = std::size_t{256} << 20;  // of saved prefixes, outside the context
};

// min(affinity, floor of the cgroup's CPU quota, physical cores), at least 1.
std::size_t usable_cores();

// Bytes of memory that a process with one model takes at most, saved prefixes
// (LlamaOptions::cache_bytes) apart. Measured against in docs/models.md.
struct MemoryPlan {
  std::size_t n_context = 0;
  std::uint64_t program = 0;  // and the vocabulary
  std::uint64_t weights = 0;
  std::uint64_t context = 0;  // keys and values, recurrent states
  std::uint64_t compute = 0;  // and the logits of one call
};
inline std::uint64_t total_of(const MemoryPlan& plan) {
  return plan.program + plan.weights + plan.context + plan.compute;
}

// Reads the file's header only. Errors: kModelLoad, as open_llama_backend() for a file that is
// none.
Result<MemoryPlan> plan_memory(const std::string& path, std::size_t n_context);

// Bytes that this process may still take: what the system has to give, within the memory limits of
// its control groups.
std::uint64_t available_memory();

// Loads, checks and warms the model up. Errors: kModelLoad with the reason and the path (missing,
// empty, a folder, not a GGUF, a later part of several, no text decoder, more than the memory that
// is available, ...), kConfig for options out of range, kMissingDependency when llama.cpp was
// compiled for another processor.
Result<std::unique_ptr<Backend>> open_llama_backend(const LlamaOptions& options);

// Writes the model at `in` with other weights to `out`, through a temporary file beside it.
// `type`: "f16", "q8_0", "q4_0", "q4_1", "q4_k_m", "q5_k_m", "q6_k". Errors: kConfig for a type
// that is not in this list, kModelLoad for `in`, kFile for `out`, which is left as it was.
Result<Done> convert_model(const std::string& in, const std::string& out, const std::string& type,
                           std::size_t n_threads);

}  // namespace logit
