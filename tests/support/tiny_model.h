// Models with seeded random weights, written as GGUF files: a few megabytes, no download.
//
// Its vocabulary is byte-level BPE with the labels "AA".."ZZ" as tokens, ChatML markup, and one
// user-defined token "<think>" that llama.cpp matches in any text.
#pragma once

#include <cstdint>
#include <string>

#include "logit/result.h"

namespace logit::testing {

enum class TinyShape : unsigned char {
  kLlama,     // dense
  kQwen3,     // dense, heads that are normalised
  kGemma3,    // every other layer sees a window of 32 tokens
  kQwen3Moe,  // two of four experts
  kQwen2Vl,   // M-RoPE: four positions a token
  kMamba,     // recurrent
  kLfm2,      // hybrid: short convolutions and attention
  kQwen35,    // hybrid: gated delta nets and attention, M-RoPE
  kDream,     // diffusion: has no next token
};

struct TinyModel {
  std::uint64_t seed = 1;
  std::uint32_t n_layers = 2;
  std::uint32_t n_context = 4096;
  float gain = 2;  // of a matrix; infinity gives numbers that are not finite
  TinyShape shape = TinyShape::kLlama;
  bool is_causal = true;  // or else an encoder
};

// Writes F32 weights to `path`.
Result<Done> write_tiny_model(const std::string& path, const TinyModel& model = {});

// As write_tiny_model(), then convert_model() to `type` ("f16", "q8_0", "q4_1", "q4_k_m").
Result<Done> write_tiny_model_as(const std::string& path, const std::string& type,
                                 const TinyModel& model = {});

// A folder for the files of one test program, removed when the program ends.
const std::string& scratch_folder();

}  // namespace logit::testing
