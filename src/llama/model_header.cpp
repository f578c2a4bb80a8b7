// Reads what a GGUF file says of its model.
//
// Entry: read_model_header(). Tests: tests/llama/memory_plan_test.cpp.
#include "llama/model_header.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>

#include "llama/engine_log.h"
#include "llama/handles.h"
#include "llama/model_file.h"

namespace logit {
namespace {

struct GgmlDeleter {
  void operator()(ggml_context* context) const { ggml_free(context); }
};
using TensorList = std::unique_ptr<ggml_context, GgmlDeleter>;

struct File {
  GgufHandle keys;
  TensorList tensors;  // shapes and types, no data
};

File open_file(const std::string& path) {
  ggml_context* tensors = nullptr;
  File file{GgufHandle(gguf_init_from_file(path.c_str(), {true, &tensors})), nullptr};
  file.tensors.reset(tensors);
  return file;
}

std::int64_t find(const gguf_context& file, const char* key, gguf_type type) {
  const std::int64_t id = gguf_find_key(&file, key);
  return id >= 0 && gguf_get_kv_type(&file, id) == type ? id : -1;
}

std::size_t length_of(const gguf_context& file, const char* list) {
  const std::int64_t id = find(file, list, GGUF_TYPE_ARRAY);
  return id < 0 ? 0 : gguf_get_arr_n(&file, id);
}

// Metadata under the architecture's name.
class Keys {
 public:
  Keys(const gguf_context& file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {}

  bool has(const char* key) const { return find(key) >= 0; }

  // The largest of a list; 0 when there is none.
  std::size_t count(const char* key) const {
    const std::int64_t id = find(key);
    if (id < 0) return 0;
    const gguf_type type = gguf_get_kv_type(&file_, id);
    if (type == GGUF_TYPE_ARRAY) return largest(id);
    if (type != GGUF_TYPE_UINT32 && type != GGUF_TYPE_INT32) return 0;
    return *static_cast<const std::uint32_t*>(gguf_get_val_data(&file_, id));
  }

 private:
  std::int64_t find(const char* key) const {
    return gguf_find_key(&file_, (prefix_ + "." + key).c_str());
  }

  std::size_t largest(std::int64_t id) const {
    const gguf_type type = gguf_get_arr_type(&file_, id);
    if (type != GGUF_TYPE_UINT32 && type != GGUF_TYPE_INT32) return 0;
    const auto* values = static_cast<const std::uint32_t*>(gguf_get_arr_data(&file_, id));
    const std::size_t n = gguf_get_arr_n(&file_, id);
    return n == 0 ? 0 : *std::max_element(values, values + n);
  }

  const gguf_context& file_;
  std::string prefix_;
};

// "blk.7.attn_k.weight": the layer 7 and its part "attn_k.weight". False for other tensors.
bool split_name(std::string_view name, std::size_t& layer, std::string_view& part) {
  if (!name.starts_with("blk.")) return false;
  name.remove_prefix(4);
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), layer);
  if (fault != std::errc() || end == name.data() + name.size() || *end != '.') return false;
  part = name.substr(static_cast<std::size_t>(end - name.data()) + 1);
  return true;
}

// What the tensors of all parts add up to.
struct Tally {
  std::uint64_t n_bytes = 0;
  std::set<std::size_t> state_layers;
  std::set<std::size_t> fused_layers;  // queries, keys and values in one matrix
  std::uint64_t n_keys_and_values = 0;
  std::size_t n_wide = 0;
  std::size_t n_wide_expert = 0;
};

bool is_state(std::string_view part) {
  return part.starts_with("ssm_") || part.starts_with("shortconv.") || part.starts_with("time_mix");
}

void add_layer_tensor(Tally& tally, const ggml_tensor& tensor, std::size_t layer,
                      std::string_view part) {
  const auto n_out = static_cast<std::size_t>(tensor.ne[1]);
  if (is_state(part)) tally.state_layers.insert(layer);
  if (part == "attn_k.weight" || part == "attn_v.weight") tally.n_keys_and_values += n_out;
  if (part == "attn_qkv.weight") tally.fused_layers.insert(layer);
  if (part == "ffn_up.weight" || part == "ffn_gate.weight") {
    tally.n_wide = std::max(tally.n_wide, n_out);
  }
  if (part == "ffn_up_exps.weight") tally.n_wide_expert = std::max(tally.n_wide_expert, n_out);
}

void add_tensors(Tally& tally, ggml_context* tensors) {
  for (ggml_tensor* tensor = ggml_get_first_tensor(tensors); tensor != nullptr;
       tensor = ggml_get_next_tensor(tensors, tensor)) {
    tally.n_bytes += ggml_nbytes(tensor);
    std::size_t layer = 0;
    std::string_view part;
    if (split_name(ggml_get_name(tensor), layer, part)) {
      add_layer_tensor(tally, *tensor, layer, part);
    }
  }
}

// Values of one recurrent layer's state, as llama.cpp 0.5.0 counts them (llama-hparams.cpp): what
// its convolution remembers, and what it carries on.
std::size_t state_values(const Keys& keys, std::size_t n_embed) {
  if (const std::size_t n_head = keys.count("wkv.head_size"); n_head > 0) {
    return n_embed * (n_head + std::max<std::size_t>(keys.count("token_shift_count"), 2));
  }
  if (const std::size_t n = keys.count("shortconv.l_cache"); n > 0) return n_embed * (n - 1);
  const std::size_t n_conv = std::max<std::size_t>(keys.count("ssm.conv_kernel"), 1) - 1;
  const std::size_t n_inner = keys.count("ssm.inner_size");
  const std::size_t n_state = keys.count("ssm.state_size");
  return n_conv * (n_inner + 2 * keys.count("ssm.group_count") * n_state) + n_state * n_inner;
}

std::size_t fused_keys_and_values(const Keys& keys, std::size_t n_embed) {
  const std::size_t n_heads = std::max<std::size_t>(keys.count("attention.head_count"), 1);
  const std::size_t n_kv =
      keys.has("attention.head_count_kv") ? keys.count("attention.head_count_kv") : n_heads;
  const auto or_usual = [&](std::size_t n) { return n != 0 ? n : n_embed / n_heads; };
  return n_kv * (or_usual(keys.count("attention.key_length")) +
                 or_usual(keys.count("attention.value_length")));
}

void describe(ModelHeader& header, const Keys& keys, const Tally& tally) {
  header.weight_bytes = tally.n_bytes;
  header.n_context = keys.count("context_length");
  header.n_embed = keys.count("embedding_length");
  header.n_layers = keys.count("block_count");
  header.n_experts = keys.count("expert_count");
  header.n_experts_used = keys.count("expert_used_count");
  header.n_window = keys.count("attention.sliding_window");
  header.has_sections = keys.has("rope.dimension_sections");
  header.n_state_layers = tally.state_layers.size();
  header.n_wide = std::max(tally.n_wide, tally.n_wide_expert * header.n_experts_used);
  std::uint64_t n_values = tally.n_keys_and_values;
  for (const std::size_t layer : tally.fused_layers) {
    if (!tally.state_layers.contains(layer)) {
      n_values += fused_keys_and_values(keys, header.n_embed);
    }
  }
  constexpr std::size_t kHalf = 2;  // bytes of F16
  header.bytes_per_cell = n_values * kHalf;
  header.bytes_per_state =
      header.n_state_layers * state_values(keys, header.n_embed) * sizeof(float);
}

}  // namespace

Result<ModelHeader> read_model_header(const std::string& path) {
  const EngineComplaints complaints;
  ModelHeader header;
  Result<std::vector<std::string>> parts = check_model_file(path);
  if (!parts) return std::move(parts).error();
  header.parts = *std::move(parts);
  Tally tally;
  for (const std::string& part : header.parts) {
    const File file = open_file(part);
    if (file.keys == nullptr) return load_error(part, "is damaged or cut off");
    add_tensors(tally, file.tensors.get());
    std::error_code fault;
    header.file_bytes += std::filesystem::file_size(part, fault);
  }
  const File first = open_file(path);
  if (first.keys == nullptr) return load_error(path, "is damaged or cut off");
  // The engine ends the process when a value is asked for as what it is not.
  if (const std::int64_t id = find(*first.keys, "general.architecture", GGUF_TYPE_STRING);
      id >= 0) {
    header.architecture = gguf_get_val_str(first.keys.get(), id);
  }
  header.n_vocab = length_of(*first.keys, "tokenizer.ggml.tokens");
  header.n_merges = length_of(*first.keys, "tokenizer.ggml.merges");
  describe(header, Keys(*first.keys, header.architecture), tally);
  return header;
}

std::string kind_of(const ModelHeader& header) {
  std::string kind = "dense";
  if (header.n_state_layers > 0) kind = header.bytes_per_cell > 0 ? "hybrid" : "recurrent";
  const auto add = [&kind](const std::string& trait) {
    if (kind == "dense") {
      kind = trait;
    } else {
      kind += ", " + trait;
    }
  };
  if (header.n_experts > 0) {
    add("mixture of " + std::to_string(header.n_experts) + " experts (" +
        std::to_string(header.n_experts_used) + " used)");
  }
  if (header.n_window > 0) add("sliding window of " + std::to_string(header.n_window) + " tokens");
  if (header.has_sections) add("M-RoPE");
  return kind;
}

}  // namespace logit
