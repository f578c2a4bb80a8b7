// Text to tokens, with no way for text to become template markup.
//
// Entry: encode_text(). Tests: tests/llama/vocabulary_test.cpp.
#include "llama/vocabulary.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>

namespace logit {
namespace {

// Characters of one kind in a row. Pre-tokenisers that llama.cpp runs on std::regex (DeepSeek,
// Falcon, GPT-NeoX and others) recurse once for each: 25,000 end the process on a stack of 8 MiB,
// 770 on one of 256 KiB, and the smallest default of a platform's threads (musl) is 128 KiB.
constexpr std::size_t kMaxRun = 256;

enum class Markup : unsigned char { kPlainText, kParse };

Error encode_error(std::string message) { return Error{ErrorCode::kModelRun, std::move(message)}; }

Result<Tokens> tokenize(const Vocabulary& vocabulary, std::string_view text, Markup markup) {
  if (text.size() > std::size_t{std::numeric_limits<std::int32_t>::max()}) {
    return encode_error("the text has more than 2^31 bytes");
  }
  const bool parse_special = markup == Markup::kParse;
  const auto size = static_cast<std::int32_t>(text.size());
  Tokens tokens(text.size() / 2 + 16);
  try {
    // A negative result is the size that is needed.
    for (int attempt = 0; attempt < 2; ++attempt) {
      const std::int32_t n =
          llama_tokenize(vocabulary.handle, text.data(), size, tokens.data(),
                         static_cast<std::int32_t>(tokens.size()), false, parse_special);
      if (n >= 0) {
        tokens.resize(static_cast<std::size_t>(n));
        return tokens;
      }
      if (n == std::numeric_limits<std::int32_t>::min()) break;
      tokens.resize(static_cast<std::size_t>(-n));
    }
  } catch (const std::exception& e) {
    return encode_error(std::string("the model's tokenizer failed: ") + e.what());
  }
  return encode_error("the model's tokenizer gave no tokens");
}

// Some vocabularies put a space before any text. Behind a newline they do not, and the newline's
// own tokens are known, so they can be dropped again.
Result<Tokens> tokenize_part(const Vocabulary& vocabulary, std::string_view text) {
  if (vocabulary.space_guard.empty()) return tokenize(vocabulary, text, Markup::kPlainText);
  Result<Tokens> guarded = tokenize(vocabulary, "\n" + std::string(text), Markup::kPlainText);
  if (!guarded) return guarded;
  const Tokens& guard = vocabulary.space_guard;
  if (guarded->size() < guard.size() || !std::equal(guard.begin(), guard.end(), guarded->begin())) {
    return encode_error("the model's tokenizer joins text with the newline before it");
  }
  return Tokens(guarded->begin() + static_cast<std::ptrdiff_t>(guard.size()), guarded->end());
}

std::optional<Token> first_structural(const Vocabulary& vocabulary, const Tokens& tokens) {
  for (const Token token : tokens) {
    if (vocabulary.structural[static_cast<std::size_t>(token)]) return token;
  }
  return std::nullopt;
}

bool is_utf8_tail(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t first_character(std::string_view text) {
  std::size_t n = 1;
  while (n < text.size() && is_utf8_tail(text[n])) ++n;
  return n;
}

// Tokens of the text with every occurrence of `marker` cut behind its first character: the halves
// spell the same text and are no marker. Parts get shorter with each round, so this ends.
Result<Tokens> encode_around(const Vocabulary& vocabulary, std::string_view text,
                             std::string_view marker);

Result<Tokens> encode_part(const Vocabulary& vocabulary, std::string_view text) {
  Result<Tokens> tokens = tokenize_part(vocabulary, text);
  if (!tokens) return tokens;
  const std::optional<Token> found = first_structural(vocabulary, *tokens);
  if (!found) return tokens;
  const std::string marker = piece_of(vocabulary, *found);
  if (first_character(marker) >= marker.size() || text.find(marker) == text.npos) {
    return encode_error("the model's vocabulary cannot spell a part of the text");
  }
  return encode_around(vocabulary, text, marker);
}

Result<Tokens> encode_around(const Vocabulary& vocabulary, std::string_view text,
                             std::string_view marker) {
  Tokens all;
  while (!text.empty()) {
    const std::size_t found = text.find(marker);
    const std::size_t end = found == text.npos ? text.size() : found + first_character(marker);
    Result<Tokens> part = encode_part(vocabulary, text.substr(0, end));
    if (!part) return part;
    all.insert(all.end(), part->begin(), part->end());
    text.remove_prefix(end);
  }
  return all;
}

// Tokens that a GGUF calls user-defined are matched in any text. Runs of white space are wanted
// as such; what looks like markup ("<think>", "[INST]") or is part of the template is not.
bool looks_structural(std::string_view piece, std::string_view chat_template) {
  if (piece.find_first_not_of(" \t\r\n") == piece.npos) return false;
  if (chat_template.find(piece) != chat_template.npos) return true;
  return piece.size() > 2 && ((piece.front() == '<' && piece.back() == '>') ||
                              (piece.front() == '[' && piece.back() == ']'));
}

bool is_structural(const Vocabulary& vocabulary, Token token, std::string_view chat_template) {
  const auto attributes = static_cast<unsigned>(llama_vocab_get_attr(vocabulary.handle, token));
  if ((attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0) return true;
  if (llama_vocab_is_eog(vocabulary.handle, token)) return true;
  return (attributes & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0 &&
         looks_structural(piece_of(vocabulary, token), chat_template);
}

enum class Kind : unsigned char { kSpace, kDigit, kLetter, kSign };

// The kind of the character that starts at `at`, as pre-tokenisers tell them apart, roughly: what
// is not ASCII counts as letters, but for the signs of Chinese and Japanese.
Kind kind_of(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == ' ' || (c >= '\t' && c <= '\r')) return Kind::kSpace;
  if (c >= '0' && c <= '9') return Kind::kDigit;
  if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) return Kind::kLetter;
  const std::string_view head = text.substr(at, 2);
  const bool cjk_sign = head == "\xE3\x80" || head == "\xEF\xBC";
  return static_cast<unsigned char>(c) < 0x80 || cjk_sign ? Kind::kSign : Kind::kLetter;
}

}  // namespace

Vocabulary make_vocabulary(const llama_model& model, std::string_view chat_template) {
  Vocabulary vocabulary;
  vocabulary.handle = llama_model_get_vocab(&model);
  vocabulary.n_tokens = static_cast<std::size_t>(llama_vocab_n_tokens(vocabulary.handle));
  vocabulary.structural.resize(vocabulary.n_tokens);
  for (std::size_t i = 0; i < vocabulary.n_tokens; ++i) {
    vocabulary.structural[i] = is_structural(vocabulary, static_cast<Token>(i), chat_template);
  }
  const Result<Tokens> probe = tokenize(vocabulary, "x", Markup::kPlainText);
  if (probe && !probe->empty() && piece_of(vocabulary, probe->front()).starts_with(' ')) {
    Result<Tokens> newline = tokenize(vocabulary, "\n", Markup::kPlainText);
    if (newline) vocabulary.space_guard = *std::move(newline);
  }
  return vocabulary;
}

Result<Tokens> encode_text(const Vocabulary& vocabulary, std::string_view text) {
  Tokens all;
  for (const std::size_t size : cut_long_runs(text)) {
    Result<Tokens> part = encode_part(vocabulary, text.substr(0, size));
    if (!part) return part;
    all.insert(all.end(), part->begin(), part->end());
    text.remove_prefix(size);
  }
  return all;
}

Result<Tokens> encode_markup(const Vocabulary& vocabulary, std::string_view markup) {
  return tokenize(vocabulary, markup, Markup::kParse);
}

std::string piece_of(const Vocabulary& vocabulary, Token token) {
  std::string piece(16, '\0');
  for (int attempt = 0; attempt < 2; ++attempt) {
    const std::int32_t n =
        llama_token_to_piece(vocabulary.handle, token, piece.data(),
                             static_cast<std::int32_t>(piece.size()), 0, /*special=*/true);
    piece.resize(static_cast<std::size_t>(n < 0 ? -n : n));
    if (n >= 0) break;
  }
  return piece;
}

std::vector<std::size_t> cut_long_runs(std::string_view text) {
  std::vector<std::size_t> sizes;
  std::size_t start = 0;
  std::size_t run = 0;
  Kind kind = Kind::kSpace;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_utf8_tail(text[i])) continue;
    const Kind next = kind_of(text, i);
    run = next == kind ? run + 1 : 1;
    kind = next;
    if (run <= kMaxRun) continue;
    sizes.push_back(i - start);
    start = i;
    run = 1;
  }
  if (start < text.size()) sizes.push_back(text.size() - start);
  return sizes;
}

}  // namespace logit
