// Writes what llama.cpp wants of each architecture. Entries: set_tiny_shape(), add_tiny_weights().
// Tests: tests/llama/contract_models.cpp.
#include "support/tiny_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace logit::testing {
namespace {

constexpr std::int64_t kEmbed = 256;  // K-quants work on rows of 256
constexpr std::int64_t kFeedForward = 512;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kHeadsKv = 2;
constexpr std::int64_t kHead = kEmbed / kHeads;
constexpr std::int64_t kKv = kHead * kHeadsKv;
constexpr std::int64_t kExperts = 4;
constexpr std::int64_t kWindow = 32;
constexpr std::int64_t kConv = 4;  // of recurrent layers
// Mamba
constexpr std::int64_t kInner = 2 * kEmbed;
constexpr std::int64_t kState = 16;
constexpr std::int64_t kStep = 32;
// Gated delta net
constexpr std::int64_t kDeltaHead = 32;
constexpr std::int64_t kDeltaKeys = 2;
constexpr std::int64_t kDeltaValues = 4;

const char* name_of(TinyShape shape) {
  constexpr std::array<const char*, 9> kNames = {"llama", "qwen3", "gemma3", "qwen3moe", "qwen2vl",
                                                 "mamba", "lfm2",  "qwen35", "dream"};
  return kNames.at(static_cast<std::size_t>(shape));
}

bool is_recurrent(const TinyModel& model, std::uint32_t layer) {
  if (model.shape == TinyShape::kMamba) return true;
  const bool is_hybrid = model.shape == TinyShape::kLfm2 || model.shape == TinyShape::kQwen35;
  return is_hybrid && layer % 2 == 0;
}

// Metadata under the architecture's name.
class Keys {
 public:
  Keys(gguf_context* file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {}

  void count(const char* key, std::int64_t value) {
    gguf_set_val_u32(file_, full(key).c_str(), static_cast<std::uint32_t>(value));
  }
  void number(const char* key, float value) { gguf_set_val_f32(file_, full(key).c_str(), value); }
  void flag(const char* key, bool value) { gguf_set_val_bool(file_, full(key).c_str(), value); }
  void counts(const char* key, const std::vector<std::int32_t>& values) {
    gguf_set_arr_data(file_, full(key).c_str(), GGUF_TYPE_INT32, values.data(), values.size());
  }

 private:
  std::string full(const char* key) const { return prefix_ + "." + key; }

  gguf_context* file_;
  std::string prefix_;
};

void set_sections(Keys& keys) { keys.counts("rope.dimension_sections", {8, 12, 12, 0}); }

void set_delta_net(Keys& keys) {
  keys.count("ssm.conv_kernel", kConv);
  keys.count("ssm.inner_size", kDeltaHead * kDeltaValues);
  keys.count("ssm.state_size", kDeltaHead);
  keys.count("ssm.time_step_rank", kDeltaValues);
  keys.count("ssm.group_count", kDeltaKeys);
  keys.count("full_attention_interval", 2);
  set_sections(keys);
}

void set_mamba(Keys& keys) {
  keys.count("ssm.conv_kernel", kConv);
  keys.count("ssm.inner_size", kInner);
  keys.count("ssm.state_size", kState);
  keys.count("ssm.time_step_rank", kStep);
}

void set_short_convolutions(Keys& keys, const TinyModel& model) {
  std::vector<std::int32_t> heads;
  for (std::uint32_t layer = 0; layer < model.n_layers; ++layer) {
    heads.push_back(is_recurrent(model, layer) ? 0 : static_cast<std::int32_t>(kHeadsKv));
  }
  keys.counts("attention.head_count_kv", heads);
  keys.count("shortconv.l_cache", kConv);
}

void set_attention(Keys& keys) {
  keys.count("attention.head_count", kHeads);
  keys.count("attention.head_count_kv", kHeadsKv);
  keys.count("attention.key_length", kHead);
  keys.count("attention.value_length", kHead);
  keys.count("rope.dimension_count", kHead);
  keys.count("feed_forward_length", kFeedForward);
}

void set_experts(Keys& keys) {
  keys.count("expert_count", kExperts);
  keys.count("expert_used_count", 2);
  keys.count("expert_feed_forward_length", kFeedForward / 2);
}

void add_attention(TinyWeights& weights, const std::string& block, TinyShape shape) {
  const bool has_gate = shape == TinyShape::kQwen35;
  weights.matrix(block + "attn_q.weight", kEmbed, has_gate ? 2 * kEmbed : kEmbed);
  weights.matrix(block + "attn_k.weight", kEmbed, kKv);
  weights.matrix(block + "attn_v.weight", kEmbed, kKv);
  weights.matrix(block + "attn_output.weight", kEmbed, kEmbed);
  const bool has_norms =
      shape != TinyShape::kLlama && shape != TinyShape::kQwen2Vl && shape != TinyShape::kDream;
  if (!has_norms) return;
  weights.norm(block + "attn_q_norm.weight", kHead);
  weights.norm(block + "attn_k_norm.weight", kHead);
}

void add_mamba(TinyWeights& weights, const std::string& block) {
  weights.matrix(block + "ssm_in.weight", kEmbed, 2 * kInner);
  weights.tensor(block + "ssm_conv1d.weight", {kConv, kInner}, 0, 0.5F);
  weights.tensor(block + "ssm_conv1d.bias", {kInner}, 0, 0.1F);
  weights.matrix(block + "ssm_x.weight", kInner, kStep + 2 * kState);
  weights.matrix(block + "ssm_dt.weight", kStep, kInner);
  weights.tensor(block + "ssm_dt.bias", {kInner}, -2, 0.5F);
  weights.tensor(block + "ssm_a", {kState, kInner}, -1, 0.3F);  // a decay
  weights.norm(block + "ssm_d", kInner);
  weights.matrix(block + "ssm_out.weight", kInner, kEmbed);
}

void add_short_convolution(TinyWeights& weights, const std::string& block) {
  weights.tensor(block + "shortconv.conv.weight", {kConv, kEmbed}, 0, 0.5F);
  weights.matrix(block + "shortconv.in_proj.weight", kEmbed, 3 * kEmbed);
  weights.matrix(block + "shortconv.out_proj.weight", kEmbed, kEmbed);
}

void add_delta_net(TinyWeights& weights, const std::string& block) {
  constexpr std::int64_t kValues = kDeltaHead * kDeltaValues;
  constexpr std::int64_t kAll = 2 * kDeltaHead * kDeltaKeys + kValues;
  weights.matrix(block + "attn_qkv.weight", kEmbed, kAll);
  weights.matrix(block + "attn_gate.weight", kEmbed, kValues);
  weights.tensor(block + "ssm_conv1d.weight", {kConv, kAll}, 0, 0.5F);
  weights.tensor(block + "ssm_dt.bias", {kDeltaValues}, 0, 0.5F);
  weights.tensor(block + "ssm_a", {kDeltaValues}, -0.5F, 0.1F);  // a decay
  weights.matrix(block + "ssm_beta.weight", kEmbed, kDeltaValues);
  weights.matrix(block + "ssm_alpha.weight", kEmbed, kDeltaValues);
  weights.norm(block + "ssm_norm.weight", kDeltaHead);
  weights.matrix(block + "ssm_out.weight", kValues, kEmbed);
}

void add_mixer(TinyWeights& weights, const std::string& block, TinyShape shape, bool recurrent) {
  if (!recurrent) return add_attention(weights, block, shape);
  if (shape == TinyShape::kMamba) return add_mamba(weights, block);
  if (shape == TinyShape::kLfm2) return add_short_convolution(weights, block);
  add_delta_net(weights, block);
}

void add_feed_forward(TinyWeights& weights, const std::string& block, TinyShape shape) {
  if (shape == TinyShape::kQwen3Moe) {
    weights.matrix(block + "ffn_gate_inp.weight", kEmbed, kExperts);
    weights.matrix(block + "ffn_gate_exps.weight", kEmbed, kFeedForward / 2, kExperts);
    weights.matrix(block + "ffn_up_exps.weight", kEmbed, kFeedForward / 2, kExperts);
    weights.matrix(block + "ffn_down_exps.weight", kFeedForward / 2, kEmbed, kExperts);
    return;
  }
  weights.matrix(block + "ffn_gate.weight", kEmbed, kFeedForward);
  weights.matrix(block + "ffn_up.weight", kEmbed, kFeedForward);
  weights.matrix(block + "ffn_down.weight", kFeedForward, kEmbed);
}

void add_layer(TinyWeights& weights, const std::string& block, TinyShape shape, bool recurrent) {
  weights.norm(block + "attn_norm.weight", kEmbed);
  add_mixer(weights, block, shape, recurrent);
  if (shape == TinyShape::kMamba) return;
  const bool is_gemma = shape == TinyShape::kGemma3;
  if (is_gemma || shape == TinyShape::kQwen35) {
    weights.norm(block + "post_attention_norm.weight", kEmbed);
  }
  if (shape != TinyShape::kQwen35) weights.norm(block + "ffn_norm.weight", kEmbed);
  add_feed_forward(weights, block, shape);
  if (is_gemma) weights.norm(block + "post_ffw_norm.weight", kEmbed);
}

}  // namespace

void TinyWeights::matrix(const std::string& name, std::int64_t n_in, std::int64_t n_out,
                         std::int64_t n_experts) {
  const float scale = gain_ / std::sqrt(static_cast<float>(n_in));
  if (n_experts == 1) return tensor(name, {n_in, n_out}, 0, scale);
  tensor(name, {n_in, n_out, n_experts}, 0, scale);
}

void TinyWeights::norm(const std::string& name, std::int64_t n) { tensor(name, {n}, 1, 0.1F); }

void TinyWeights::tensor(const std::string& name, std::initializer_list<std::int64_t> shape,
                         float mean, float scale) {
  ggml_tensor* tensor = ggml_new_tensor(context_, GGML_TYPE_F32, static_cast<int>(shape.size()),
                                        std::vector<std::int64_t>(shape).data());
  ggml_set_name(tensor, name.c_str());
  auto* data = static_cast<float*>(tensor->data);
  // Not std::normal_distribution: its numbers differ between standard libraries.
  for (std::int64_t i = 0; i < ggml_nelements(tensor); ++i) {
    const auto u = static_cast<float>(static_cast<double>(random_() >> 11U) * 0x1p-53);
    data[i] = mean + scale * 1.7320508F * (2 * u - 1);
  }
  gguf_add_tensor(file_, tensor);
}

void set_tiny_shape(gguf_context* file, const TinyModel& model) {
  const char* name = name_of(model.shape);
  gguf_set_val_str(file, "general.architecture", name);
  gguf_set_val_str(file, "general.name", "tiny");
  Keys keys(file, name);
  keys.count("context_length", model.n_context);
  keys.count("embedding_length", kEmbed);
  keys.count("block_count", model.n_layers);
  keys.number("attention.layer_norm_rms_epsilon", 1e-5F);
  if (model.shape == TinyShape::kMamba) return set_mamba(keys);
  set_attention(keys);
  if (!model.is_causal) keys.flag("attention.causal", false);
  if (model.shape == TinyShape::kGemma3) {
    keys.count("attention.sliding_window", kWindow);
    keys.count("attention.sliding_window_pattern", 2);
  }
  if (model.shape == TinyShape::kQwen3Moe) set_experts(keys);
  if (model.shape == TinyShape::kQwen2Vl) set_sections(keys);
  if (model.shape == TinyShape::kLfm2) set_short_convolutions(keys, model);
  if (model.shape == TinyShape::kQwen35) set_delta_net(keys);
}

void add_tiny_weights(TinyWeights& weights, const TinyModel& model, std::int64_t n_vocab) {
  weights.matrix("token_embd.weight", kEmbed, n_vocab);
  weights.norm(model.shape == TinyShape::kLfm2 ? "token_embd_norm.weight" : "output_norm.weight",
               kEmbed);
  weights.matrix("output.weight", kEmbed, n_vocab);
  for (std::uint32_t layer = 0; layer < model.n_layers; ++layer) {
    add_layer(weights, "blk." + std::to_string(layer) + ".", model.shape,
              is_recurrent(model, layer));
  }
}

}  // namespace logit::testing
