// Writes a tiny random model. Entry: write_tiny_model(). Tests: tests/llama/load_test.cpp.
#include "support/tiny_model.h"

#include <ggml.h>
#include <gguf.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "llama/handles.h"
#include "logit/llama_backend.h"
#include "support/tiny_shapes.h"

namespace logit::testing {
namespace {

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
  set_tiny_shape(file.get(), model);
  set_vocabulary(file.get(), words);
  TinyWeights weights(context.get(), file.get(), model);
  add_tiny_weights(weights, model, static_cast<std::int64_t>(words.pieces.size()));
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
