// The contract tests on models: tiny random ones of each kind of weights, and the default.
#include <cstdlib>
#include <filesystem>

#include "logit/llama_backend.h"
#include "support/contract.h"
#include "support/default_model.h"
#include "support/tiny_model.h"

namespace logit::testing {
namespace {

Result<std::unique_ptr<Backend>> open(const std::string& path, std::size_t n_threads) {
  LlamaOptions options;
  options.path = path;
  options.n_threads = n_threads;
  return open_llama_backend(options);
}

BackendCase tiny(const std::string& name, const std::string& type, double leaf_noise,
                 TinyShape shape = TinyShape::kLlama) {
  return {name,
          [name, type, shape](std::size_t n_threads) -> Result<std::unique_ptr<Backend>> {
            const std::string path = scratch_folder() + "/contract-" + name + ".gguf";
            if (!std::filesystem::exists(path)) {
              TinyModel model;
              model.shape = shape;
              if (Result<Done> made = write_tiny_model_as(path, type, model); !made) {
                return made.error();
              }
            }
            return open(path, n_threads);
          },
          leaf_noise};
}

BackendCase embedded_default() {
  return {"Default",
          [](std::size_t n_threads) -> Result<std::unique_ptr<Backend>> {
            const std::string path = default_model_path();
            if (!std::filesystem::exists(path)) {
              return Error{ErrorCode::kFile, "no model at " + path + " (run scripts/setup)", path};
            }
            return open(path, n_threads);
          },
          0.05};
}

INSTANTIATE_TEST_SUITE_P(Tiny, BackendContract,
                         ::testing::Values(tiny("F16", "f16", 0.02), tiny("Q8", "q8_0", 0.5),
                                           tiny("Q41", "q4_1", 0.5), tiny("Q4K", "q4_k_m", 0.5)),
                         case_name);
// Case C71: models that cannot drop a part of a sequence keep every contract, too.
INSTANTIATE_TEST_SUITE_P(Shapes, BackendContract,
                         ::testing::Values(tiny("Qwen3", "f16", 0.02, TinyShape::kQwen3),
                                           tiny("Window", "f16", 0.02, TinyShape::kGemma3),
                                           tiny("Experts", "f16", 0.02, TinyShape::kQwen3Moe),
                                           tiny("ExpertsQ4K", "q4_k_m", 0.5, TinyShape::kQwen3Moe),
                                           tiny("MRope", "f16", 0.02, TinyShape::kQwen2Vl),
                                           tiny("Recurrent", "f16", 0.02, TinyShape::kMamba),
                                           tiny("RecurrentQ8", "q8_0", 0.5, TinyShape::kMamba),
                                           tiny("Hybrid", "f16", 0.02, TinyShape::kLfm2),
                                           tiny("HybridQ4K", "q4_k_m", 0.5, TinyShape::kLfm2),
                                           tiny("DeltaNet", "f16", 0.02, TinyShape::kQwen35),
                                           tiny("DeltaNetQ8", "q8_0", 0.5, TinyShape::kQwen35)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Embedded, BackendContract, ::testing::Values(embedded_default()),
                         case_name);

}  // namespace
}  // namespace logit::testing
