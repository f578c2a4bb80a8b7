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

BackendCase tiny(const std::string& name, const std::string& type, double leaf_noise) {
  return {name,
          [type](std::size_t n_threads) -> Result<std::unique_ptr<Backend>> {
            const std::string path = scratch_folder() + "/contract-" + type + ".gguf";
            if (!std::filesystem::exists(path)) {
              if (Result<Done> made = write_tiny_model_as(path, type); !made) return made.error();
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
INSTANTIATE_TEST_SUITE_P(Embedded, BackendContract, ::testing::Values(embedded_default()),
                         case_name);

}  // namespace
}  // namespace logit::testing
