// Writes a tiny random model. Entry: write_tiny_model(). Tests: tests/llama/load_test.cpp.
#include "support/tiny_model.h"

#include <ggml.h>
#include <gguf.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "llama/handles.h"
#include "logit/llama_backend.h"

namespace logit::testing {
namespace {

constexpr std::int64_t kEmbed = 256;  // K-quants work on rows of 256
constexpr std::int64_t kFeedForward = 512;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kHeadsKv = 2;

struct GgmlDeleter {
  void operator()(ggml_context* context) const { ggml_free(context); }
};
using GgmlHandle = std::unique_ptr<ggml_context, GgmlDeleter>;

std::string utf8(unsigned code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0U | (code >> 6U)), static_cast<char>(0x80U | (code & 0x3FU))};
}

// GPT-2's spelling of the 256 bytes: printable ones as themselves, the others from U+0100 on.
std::vector<std::string> byte_pieces() {
  std::vector<std::string> pieces;
  unsigned next = 256;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool printable =
        (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    pieces.push_back(utf8(printable ? byte : next++));
  }
  return pieces;
}

struct Words {
  std::vector<std::string> pieces;
  std::vector<std::int32_t> types;
  std::vector<std::string> merges;

  void add(std::string piece, llama_token_type type) {
    pieces.push_back(std::move(piece));
    types.push_back(type);
  }
};

Words make_words() {
  Words words;
  for (std::string& piece : byte_pieces()) words.add(std::move(piece), LLAMA_TOKEN_TYPE_NORMAL);
  for (char a = 'A'; a <= 'Z'; ++a) {
    for (char b = 'A'; b <= 'Z'; ++b) {
      words.add({a, b}, LLAMA_TOKEN_TYPE_NORMAL);
      words.merges.push_back({a, ' ', b});
    }
  }
  words.add("<|endoftext|>", LLAMA_TOKEN_TYPE_CONTROL);
  words.add("<|im_start|>", LLAMA_TOKEN_TYPE_CONTROL);
  words.add("<|im_end|>", LLAMA_TOKEN_TYPE_CONTROL);
  words.add("<think>", LLAMA_TOKEN_TYPE_USER_DEFINED);
  return words;
}

void set_texts(gguf_context* file, const char* key, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  gguf_set_arr_str(file, key, pointers.data(), pointers.size());
}

void set_vocabulary(gguf_context* file, const Words& words) {
  gguf_set_val_str(file, "tokenizer.ggml.model", "gpt2");
  gguf_set_val_str(file, "tokenizer.ggml.pre", "gpt-2");
  set_texts(file, "tokenizer.ggml.tokens", words.pieces);
  set_texts(file, "tokenizer.ggml.merges", words.merges);
  gguf_set_arr_data(file, "tokenizer.ggml.token_type", GGUF_TYPE_INT32, words.types.data(),
                    words.types.size());
  const auto n = static_cast<std::uint32_t>(words.pieces.size());
  gguf_set_val_u32(file, "tokenizer.ggml.bos_token_id", n - 4);
  gguf_set_val_u32(file, "tokenizer.ggml.eos_token_id", n - 2);
  gguf_set_val_bool(file, "tokenizer.ggml.add_bos_token", false);
  gguf_set_val_str(file, "tokenizer.chat_template",
                   "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
                   "{% endfor %}<|im_start|>assistant\n");
}

void set_shape(gguf_context* file, const TinyModel& model) {
  gguf_set_val_str(file, "general.architecture", "llama");
  gguf_set_val_str(file, "general.name", "tiny");
  gguf_set_val_u32(file, "llama.context_length", model.n_context);
  gguf_set_val_u32(file, "llama.embedding_length", kEmbed);
  gguf_set_val_u32(file, "llama.feed_forward_length", kFeedForward);
  gguf_set_val_u32(file, "llama.block_count", model.n_layers);
  gguf_set_val_u32(file, "llama.attention.head_count", kHeads);
  gguf_set_val_u32(file, "llama.attention.head_count_kv", kHeadsKv);
  gguf_set_val_u32(file, "llama.rope.dimension_count", kEmbed / kHeads);
  gguf_set_val_f32(file, "llama.attention.layer_norm_rms_epsilon", 1e-5F);
}

// Adds random tensors to a file. Matrices amplify a little, so that attention is far from uniform.
class Weights {
 public:
  Weights(ggml_context* context, gguf_context* file, const TinyModel& model)
      : context_(context), file_(file), gain_(model.gain), random_(model.seed) {}

  void matrix(const std::string& name, std::int64_t n_in, std::int64_t n_out) {
    const float scale = gain_ / std::sqrt(static_cast<float>(n_in));
    fill(name, ggml_new_tensor_2d(context_, GGML_TYPE_F32, n_in, n_out), 0, scale);
  }
  void norm(const std::string& name) {
    fill(name, ggml_new_tensor_1d(context_, GGML_TYPE_F32, kEmbed), 1, 0.1F);
  }

 private:
  void fill(const std::string& name, ggml_tensor* tensor, float mean, float scale) {
    ggml_set_name(tensor, name.c_str());
    auto* data = static_cast<float*>(tensor->data);
    // Not std::normal_distribution: its numbers differ between standard libraries.
    for (std::int64_t i = 0; i < ggml_nelements(tensor); ++i) {
      const auto u = static_cast<float>(static_cast<double>(random_() >> 11U) * 0x1p-53);
      data[i] = mean + scale * 1.7320508F * (2 * u - 1);
    }
    gguf_add_tensor(file_, tensor);
  }

  ggml_context* context_;
  gguf_context* file_;
  float gain_;
  std::mt19937_64 random_;
};

void add_weights(Weights& weights, std::uint32_t n_layers, std::int64_t n_vocab) {
  weights.matrix("token_embd.weight", kEmbed, n_vocab);
  weights.norm("output_norm.weight");
  weights.matrix("output.weight", kEmbed, n_vocab);
  constexpr std::int64_t kKv = kEmbed / kHeads * kHeadsKv;
  for (std::uint32_t layer = 0; layer < n_layers; ++layer) {
    const std::string block = "blk." + std::to_string(layer) + ".";
    weights.norm(block + "attn_norm.weight");
    weights.matrix(block + "attn_q.weight", kEmbed, kEmbed);
    weights.matrix(block + "attn_k.weight", kEmbed, kKv);
    weights.matrix(block + "attn_v.weight", kEmbed, kKv);
    weights.matrix(block + "attn_output.weight", kEmbed, kEmbed);
    weights.norm(block + "ffn_norm.weight");
    weights.matrix(block + "ffn_gate.weight", kEmbed, kFeedForward);
    weights.matrix(block + "ffn_up.weight", kEmbed, kFeedForward);
    weights.matrix(block + "ffn_down.weight", kFeedForward, kEmbed);
  }
}

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("logit-tests-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
    text_ = path_.string();
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& text() const { return text_; }

 private:
  std::filesystem::path path_;
  std::string text_;
};

}  // namespace

Result<Done> write_tiny_model(const std::string& path, const TinyModel& model) {
  const GgmlHandle context(ggml_init({std::size_t{64} << 20, nullptr, false}));
  const GgufHandle file(gguf_init_empty());
  const Words words = make_words();
  set_shape(file.get(), model);
  set_vocabulary(file.get(), words);
  Weights weights(context.get(), file.get(), model);
  add_weights(weights, model.n_layers, static_cast<std::int64_t>(words.pieces.size()));
  if (!gguf_write_to_file(file.get(), path.c_str(), /*only_meta=*/false)) {
    return Error{ErrorCode::kFile, "cannot write the tiny model", path};
  }
  return Done{};
}

Result<Done> write_tiny_model_as(const std::string& path, const std::string& type,
                                 const TinyModel& model) {
  const std::string wide = path + ".f32";
  if (Result<Done> written = write_tiny_model(wide, model); !written) return written;
  Result<Done> converted = convert_model(wide, path, type, 1);
  std::filesystem::remove(wide);
  return converted;
}

const std::string& scratch_folder() {
  static const Folder folder;
  return folder.text();
}

}  // namespace logit::testing
