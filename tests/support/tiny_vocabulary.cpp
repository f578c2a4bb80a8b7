// Writes a tiny vocabulary. Entry: write_tiny_vocabulary(). Tests: tests/llama/chat_frame_test.cpp.
#include "support/tiny_vocabulary.h"

#include <gguf.h>
#include <llama.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "llama/handles.h"

namespace logit::testing {
namespace {

struct Pieces {
  std::vector<std::string> texts;
  std::vector<std::int32_t> types;
  std::vector<float> scores;
  std::vector<std::string> merges;  // of byte pairs

  void add(std::string text, llama_token_type type) {
    // A merge that comes earlier wins.
    scores.push_back(type == LLAMA_TOKEN_TYPE_NORMAL ? -static_cast<float>(texts.size()) : 0);
    texts.push_back(std::move(text));
    types.push_back(type);
  }

  std::uint32_t find(const std::string& text) const {
    return static_cast<std::uint32_t>(std::ranges::find(texts, text) - texts.begin());
  }
};

std::string utf8(unsigned code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0U | (code >> 6U)), static_cast<char>(0x80U | (code & 0x3FU))};
}

// GPT-2 spells bytes by themselves where they are printable, the others from U+0100 on.
void add_byte_pairs(Pieces& pieces) {
  unsigned next = 256;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool printable =
        (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    pieces.add(utf8(printable ? byte : next++), LLAMA_TOKEN_TYPE_NORMAL);
  }
}

void add_sentence_pieces(Pieces& pieces) {
  pieces.add("<unk>", LLAMA_TOKEN_TYPE_UNKNOWN);
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "<0x%02X>", byte);
    pieces.add(text.data(), LLAMA_TOKEN_TYPE_BYTE);
  }
  const std::string space = "\xE2\x96\x81";
  pieces.add(space, LLAMA_TOKEN_TYPE_NORMAL);
  for (char c = '!'; c <= '~'; ++c) pieces.add({c}, LLAMA_TOKEN_TYPE_NORMAL);
  // "<s" and ">" merge into what is the beginning of text.
  for (const char* text : {"<s", "</", "</s", "Te", "xt", "Text"}) {
    pieces.add(text, LLAMA_TOKEN_TYPE_NORMAL);
  }
  pieces.add(space + "Text", LLAMA_TOKEN_TYPE_NORMAL);
  pieces.add(space + "(", LLAMA_TOKEN_TYPE_NORMAL);
  pieces.add(space + "A", LLAMA_TOKEN_TYPE_NORMAL);
}

void add_labels(Pieces& pieces) {
  for (char a = 'A'; a <= 'Z'; ++a) {
    for (char b = 'A'; b <= 'Z'; ++b) {
      pieces.add({a, b}, LLAMA_TOKEN_TYPE_NORMAL);
      pieces.merges.push_back({a, ' ', b});
    }
  }
}

Pieces make_pieces(const TinyVocabulary& vocabulary) {
  Pieces pieces;
  if (vocabulary.kind == TokenizerKind::kBytePairs) {
    add_byte_pairs(pieces);
  } else {
    add_sentence_pieces(pieces);
  }
  add_labels(pieces);
  for (const char* text : {"<s>", "</s>"}) pieces.add(text, LLAMA_TOKEN_TYPE_CONTROL);
  for (const std::string& text : vocabulary.control) pieces.add(text, LLAMA_TOKEN_TYPE_CONTROL);
  for (const std::string& text : vocabulary.user_defined) {
    pieces.add(text, LLAMA_TOKEN_TYPE_USER_DEFINED);
  }
  return pieces;
}

void set_texts(gguf_context* file, const char* key, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  gguf_set_arr_str(file, key, pointers.data(), pointers.size());
}

// What llama.cpp asks of any file of this architecture.
void set_shape(gguf_context* file) {
  gguf_set_val_str(file, "general.architecture", "llama");
  gguf_set_val_u32(file, "llama.context_length", 4096);
  gguf_set_val_u32(file, "llama.embedding_length", 64);
  gguf_set_val_u32(file, "llama.feed_forward_length", 64);
  gguf_set_val_u32(file, "llama.block_count", 1);
  gguf_set_val_u32(file, "llama.attention.head_count", 1);
  gguf_set_val_f32(file, "llama.attention.layer_norm_rms_epsilon", 1e-5F);
}

}  // namespace

Result<Done> write_tiny_vocabulary(const std::string& path, const TinyVocabulary& vocabulary) {
  const GgufHandle file(gguf_init_empty());
  const Pieces pieces = make_pieces(vocabulary);
  const bool byte_pairs = vocabulary.kind == TokenizerKind::kBytePairs;
  set_shape(file.get());
  gguf_set_val_str(file.get(), "tokenizer.ggml.model", byte_pairs ? "gpt2" : "llama");
  gguf_set_val_str(file.get(), "tokenizer.ggml.pre", byte_pairs ? "gpt-2" : "default");
  set_texts(file.get(), "tokenizer.ggml.tokens", pieces.texts);
  if (byte_pairs) set_texts(file.get(), "tokenizer.ggml.merges", pieces.merges);
  gguf_set_arr_data(file.get(), "tokenizer.ggml.scores", GGUF_TYPE_FLOAT32, pieces.scores.data(),
                    pieces.scores.size());
  gguf_set_arr_data(file.get(), "tokenizer.ggml.token_type", GGUF_TYPE_INT32, pieces.types.data(),
                    pieces.types.size());
  gguf_set_val_u32(file.get(), "tokenizer.ggml.bos_token_id", pieces.find(vocabulary.bos));
  gguf_set_val_u32(file.get(), "tokenizer.ggml.eos_token_id", pieces.find("</s>"));
  gguf_set_val_bool(file.get(), "tokenizer.ggml.add_bos_token", vocabulary.add_bos == AddBos::kYes);
  gguf_set_val_bool(file.get(), "tokenizer.ggml.add_space_prefix",
                    vocabulary.space_prefix == SpacePrefix::kAdded);
  if (!vocabulary.chat_template.empty()) {
    gguf_set_val_str(file.get(), "tokenizer.chat_template", vocabulary.chat_template.c_str());
  }
  if (!gguf_write_to_file(file.get(), path.c_str(), /*only_meta=*/true)) {
    return Error{ErrorCode::kFile, "cannot write the tiny vocabulary", path};
  }
  return Done{};
}

}  // namespace logit::testing
