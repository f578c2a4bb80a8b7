// ModelHeader: what a GGUF file says of its model before any weight is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "logit/result.h"

namespace logit {

struct ModelHeader {
  std::string architecture;
  std::vector<std::string> parts;  // the files, in order; mostly one
  std::uint64_t file_bytes = 0;
  std::uint64_t weight_bytes = 0;
  std::size_t n_context = 0;  // that the model was trained on
  std::size_t n_vocab = 0;
  std::size_t n_merges = 0;  // of a byte-pair vocabulary
  std::size_t n_embed = 0;
  std::size_t n_wide = 0;  // values a token has inside the widest feed-forward network
  std::size_t n_layers = 0;
  std::size_t n_experts = 0;
  std::size_t n_experts_used = 0;
  std::size_t n_window = 0;           // tokens that some layers see; 0: every layer sees all
  std::size_t n_state_layers = 0;     // recurrent ones
  bool has_sections = false;          // M-RoPE: several positions a token
  std::uint64_t bytes_per_cell = 0;   // keys and values of one token, F16
  std::uint64_t bytes_per_state = 0;  // recurrent state of one sequence, F32
};

// Reads the headers of all parts; `path` is the first one. Errors: kModelLoad, as
// check_model_file(), which is called first.
Result<ModelHeader> read_model_header(const std::string& path);

// "dense", "hybrid, M-RoPE", "mixture of 8 experts (2 used)", ...
std::string kind_of(const ModelHeader& header);

}  // namespace logit
