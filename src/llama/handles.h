// Owners of llama.cpp's C objects.
#pragma once

#include <gguf.h>
#include <llama.h>

#include <memory>

namespace logit {

struct LlamaModelDeleter {
  void operator()(llama_model* model) const { llama_model_free(model); }
};
struct LlamaContextDeleter {
  void operator()(llama_context* context) const { llama_free(context); }
};
struct GgufDeleter {
  void operator()(gguf_context* file) const { gguf_free(file); }
};

using ModelHandle = std::unique_ptr<llama_model, LlamaModelDeleter>;
using ContextHandle = std::unique_ptr<llama_context, LlamaContextDeleter>;
using GgufHandle = std::unique_ptr<gguf_context, GgufDeleter>;

}  // namespace logit
