// Learns what a model's tokens are: which must not come out of text, and how spaces are written.
//
// Entry: make_vocabulary(). Tests: tests/llama/vocabulary_test.cpp.
#include "llama/vocabulary.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>

namespace logit {
namespace {

constexpr std::string_view kBlock = "\xE2\x96\x81";  // U+2581

unsigned attributes_of(const Vocabulary& vocabulary, Token token) {
  return static_cast<unsigned>(llama_vocab_get_attr(vocabulary.handle, token));
}

bool is_in_brackets(std::string_view piece) {
  return piece.size() > 2 && ((piece.front() == '<' && piece.back() == '>') ||
                              (piece.front() == '[' && piece.back() == ']'));
}

// Tokens that a GGUF calls user-defined are matched in any text. Runs of white space and single
// characters are wanted as such; what looks like markup ("<think>", "[INST]"), is part of the
// template or swallows the spaces around it is not.
bool looks_structural(std::string_view piece, std::string_view chat_template, unsigned attributes) {
  if ((attributes & (LLAMA_TOKEN_ATTR_LSTRIP | LLAMA_TOKEN_ATTR_RSTRIP)) != 0) return true;
  if (piece.find_first_not_of(" \t\r\n") == piece.npos) return false;
  if (first_character(piece) == piece.size()) return false;
  return is_in_brackets(piece) || chat_template.find(piece) != chat_template.npos;
}

// A file may call its markers ordinary.
bool is_mislabelled_marker(std::string_view piece, std::string_view chat_template) {
  return piece.size() > 4 && piece.starts_with("<|") && piece.ends_with("|>") &&
         chat_template.find(piece) != chat_template.npos;
}

bool is_structural(const Vocabulary& vocabulary, Token token, std::string_view chat_template) {
  const unsigned attributes = attributes_of(vocabulary, token);
  if ((attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0) return true;
  if (llama_vocab_is_eog(vocabulary.handle, token)) return true;
  const std::string piece = piece_of(vocabulary, token);
  if ((attributes & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0) {
    return looks_structural(piece, chat_template, attributes);
  }
  return is_mislabelled_marker(piece, chat_template) ||
         (token == llama_vocab_bos(vocabulary.handle) && is_in_brackets(piece));
}

// Tokens of short plain text, straight from the tokenizer; empty where it fails.
Tokens raw_tokens(const Vocabulary& vocabulary, const std::string& text) {
  Tokens tokens(text.size() + 16);
  try {
    const std::int32_t n =
        llama_tokenize(vocabulary.handle, text.data(), static_cast<std::int32_t>(text.size()),
                       tokens.data(), static_cast<std::int32_t>(tokens.size()), false, false);
    tokens.resize(static_cast<std::size_t>(std::max(n, 0)));
  } catch (const std::exception&) {
    tokens.clear();
  }
  return tokens;
}

bool starts_with(const Tokens& tokens, const Tokens& head) {
  return tokens.size() >= head.size() && std::equal(head.begin(), head.end(), tokens.begin());
}

// U+0001 is in no word of any vocabulary seen, so nothing merges with it; a vocabulary that cannot
// write it may have a newline.
std::optional<SpaceGuard> find_space_guard(const Vocabulary& vocabulary) {
  const Tokens probe = raw_tokens(vocabulary, "x");
  if (probe.empty() || !piece_of(vocabulary, probe.front()).starts_with(' ')) return std::nullopt;
  for (const char* text : {"\x01", "\n"}) {
    SpaceGuard guard{text, raw_tokens(vocabulary, text)};
    const bool is_text = std::ranges::none_of(guard.tokens, [&](Token token) {
      return vocabulary.structural[static_cast<std::size_t>(token)];
    });
    if (is_text && !guard.tokens.empty() &&
        starts_with(raw_tokens(vocabulary, guard.text + "x"), guard.tokens)) {
      return guard;
    }
  }
  return std::nullopt;
}

void append_piece(const Vocabulary& vocabulary, Token token, std::string& text) {
  std::array<char, 64> buffer{};
  const std::int32_t n = llama_token_to_piece(vocabulary.handle, token, buffer.data(),
                                              static_cast<std::int32_t>(buffer.size()), 0,
                                              /*special=*/true);
  if (n >= 0) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
    return;
  }
  std::string piece(static_cast<std::size_t>(-n), '\0');
  llama_token_to_piece(vocabulary.handle, token, piece.data(), -n, 0, /*special=*/true);
  text += piece;
}

std::string with_spaces(std::string_view text) {
  std::string spaced;
  for (std::size_t at = 0; at < text.size();) {
    const bool block = text.substr(at, kBlock.size()) == kBlock;
    spaced += block ? ' ' : text[at];
    at += block ? kBlock.size() : 1;
  }
  return spaced;
}

}  // namespace

Vocabulary make_vocabulary(const llama_model& model, std::string_view chat_template) {
  Vocabulary vocabulary;
  vocabulary.handle = llama_model_get_vocab(&model);
  vocabulary.n_tokens = static_cast<std::size_t>(llama_vocab_n_tokens(vocabulary.handle));
  vocabulary.structural.resize(vocabulary.n_tokens);
  for (std::size_t i = 0; i < vocabulary.n_tokens; ++i) {
    const auto token = static_cast<Token>(i);
    vocabulary.structural[i] = is_structural(vocabulary, token, chat_template);
    if ((attributes_of(vocabulary, token) & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0) {
      vocabulary.user_tokens.add(llama_vocab_get_text(vocabulary.handle, token), token);
    }
  }
  const Tokens space = raw_tokens(vocabulary, "a b");
  vocabulary.blocks_are_spaces =
      !space.empty() && space == raw_tokens(vocabulary, "a" + std::string(kBlock) + "b");
  vocabulary.space_guard = find_space_guard(vocabulary);
  return vocabulary;
}

std::string piece_of(const Vocabulary& vocabulary, Token token) {
  std::string piece;
  append_piece(vocabulary, token, piece);
  return piece;
}

bool spells(const Vocabulary& vocabulary, const Tokens& tokens, std::string_view text) {
  std::string spelled;
  spelled.reserve(text.size());
  for (const Token token : tokens) append_piece(vocabulary, token, spelled);
  if (spelled == text) return true;
  return vocabulary.blocks_are_spaces && with_spaces(spelled) == with_spaces(text);
}

std::optional<Token> beginning_of_text(const Vocabulary& vocabulary,
                                       std::vector<std::string>& notes) {
  const Token bos = llama_vocab_bos(vocabulary.handle);
  if (bos == LLAMA_TOKEN_NULL) return std::nullopt;
  if (vocabulary.structural[static_cast<std::size_t>(bos)]) return bos;
  if (llama_vocab_get_add_bos(vocabulary.handle)) {
    notes.push_back("the file names ordinary text ('" + piece_of(vocabulary, bos) +
                    "') as beginning-of-text token: none is used");
  }
  return std::nullopt;
}

}  // namespace logit
