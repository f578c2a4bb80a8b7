// The architectures of tiny models: their metadata and their tensors, as llama.cpp wants them.
#pragma once

#include <ggml.h>
#include <gguf.h>

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>

#include "support/tiny_model.h"

namespace logit::testing {

// Adds random tensors to a file. Matrices amplify a little, so that attention is far from uniform.
class TinyWeights {
 public:
  TinyWeights(ggml_context* context, gguf_context* file, const TinyModel& model)
      : context_(context), file_(file), gain_(model.gain), random_(model.seed) {}

  // [n_in, n_out], or one such matrix for each expert.
  void matrix(const std::string& name, std::int64_t n_in, std::int64_t n_out,
              std::int64_t n_experts = 1);
  void norm(const std::string& name, std::int64_t n);  // around 1
  void tensor(const std::string& name, std::initializer_list<std::int64_t> shape, float mean,
              float scale);

 private:
  ggml_context* context_;
  gguf_context* file_;
  float gain_;
  std::mt19937_64 random_;
};

void set_tiny_shape(gguf_context* file, const TinyModel& model);
void add_tiny_weights(TinyWeights& weights, const TinyModel& model, std::int64_t n_vocab);

}  // namespace logit::testing
