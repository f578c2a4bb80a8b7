// Writes one tiny random model of each architecture to a folder, for scripts/architecture-table.
#include <array>
#include <iostream>
#include <string>

#include "support/tiny_model.h"

int main(int argc, char** argv) {
  using logit::testing::TinyShape;
  if (argc != 2) {
    std::cerr << "write_tiny_models FOLDER\n";
    return 2;
  }
  constexpr std::array<const char*, 8> kNames = {"llama",   "qwen3", "gemma3", "qwen3moe",
                                                 "qwen2vl", "mamba", "lfm2",   "qwen35"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    logit::testing::TinyModel model;
    model.shape = static_cast<TinyShape>(i);
    const std::string path = std::string(argv[1]) + "/tiny-" + kNames.at(i) + ".gguf";
    const auto written = logit::testing::write_tiny_model_as(path, "f16", model);
    if (!written) {
      std::cerr << written.error().message << "\n";
      return 1;
    }
  }
  return 0;
}
