// Text to tokens, with no way for text to become template markup.
//
// Entry: encode_text(), encode_markup(). Tests: tests/llama/vocabulary_test.cpp,
// injection_test.cpp.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>

#include "llama/vocabulary.h"

namespace logit {
namespace {

enum class Markup : unsigned char { kPlainText, kParse };

Error encode_error(std::string message) { return Error{ErrorCode::kModelRun, std::move(message)}; }

Error cannot_spell() {
  return encode_error("the model's vocabulary cannot spell a part of the text");
}

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

Result<Tokens> tokenize_guarded(const Vocabulary& vocabulary, std::string_view text,
                                Markup markup) {
  if (!vocabulary.space_guard) return tokenize(vocabulary, text, markup);
  const Tokens& guard = vocabulary.space_guard->tokens;
  std::string guarded = vocabulary.space_guard->text;
  guarded += text;
  Result<Tokens> tokens = tokenize(vocabulary, guarded, markup);
  if (!tokens) return tokens;
  if (tokens->size() < guard.size() || !std::equal(guard.begin(), guard.end(), tokens->begin())) {
    return encode_error("the model's tokenizer joins text with what stands before it");
  }
  return Tokens(tokens->begin() + static_cast<std::ptrdiff_t>(guard.size()), tokens->end());
}

// Where a part must be cut so that its structural tokens do not come out: behind the first
// character of each. Empty when there are none.
Result<std::vector<std::size_t>> cuts_of(const Vocabulary& vocabulary, const Tokens& tokens,
                                         std::string_view text) {
  std::vector<std::size_t> cuts;
  std::size_t at = 0;
  for (const Token token : tokens) {
    if (!vocabulary.structural[static_cast<std::size_t>(token)]) continue;
    const std::string piece = piece_of(vocabulary, token);
    const std::size_t found = text.find(piece, at);
    if (piece.empty() || first_character(piece) == piece.size() || found == text.npos) {
      return cannot_spell();
    }
    at = found + first_character(piece);
    cuts.push_back(at);
  }
  return cuts;
}

// Each round of cuts makes shorter parts, so this ends. No recursion: a text can hold thousands of
// different markers.
Result<Done> append_part(const Vocabulary& vocabulary, std::string_view text, Tokens& all) {
  std::vector<std::string_view> pending{text};  // the next one is the last
  while (!pending.empty()) {
    const std::string_view part = pending.back();
    pending.pop_back();
    const Result<Tokens> tokens = tokenize_guarded(vocabulary, part, Markup::kPlainText);
    if (!tokens) return tokens.error();
    const Result<std::vector<std::size_t>> cuts = cuts_of(vocabulary, *tokens, part);
    if (!cuts) return cuts.error();
    if (cuts->empty()) {
      if (!spells(vocabulary, *tokens, part)) return cannot_spell();
      all.insert(all.end(), tokens->begin(), tokens->end());
      continue;
    }
    std::size_t end = part.size();
    for (auto cut = cuts->rbegin(); cut != cuts->rend(); end = *cut++) {
      pending.push_back(part.substr(*cut, end - *cut));
    }
    pending.push_back(part.substr(0, end));
  }
  return Done{};
}

bool has(const Vocabulary& vocabulary, Token token, unsigned attributes) {
  return (static_cast<unsigned>(llama_vocab_get_attr(vocabulary.handle, token)) & attributes) != 0;
}

constexpr unsigned kSpecial =
    LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN | LLAMA_TOKEN_ATTR_USER_DEFINED;

std::string_view trimmed_left(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\v\f");
  return first == text.npos ? std::string_view() : text.substr(first);
}

std::string_view trimmed_right(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n\v\f");
  return last == text.npos ? std::string_view() : text.substr(0, last + 1);
}

// Markup of a vocabulary that puts spaces behind special tokens: only those tokens are taken from
// the tokenizer, and what stands between them is tokenised by itself.
Result<Tokens> encode_between(const Vocabulary& vocabulary, const Tokens& rough,
                              std::string_view markup) {
  Tokens all;
  const auto append_text = [&](std::string_view text) {
    if (!all.empty() && has(vocabulary, all.back(), LLAMA_TOKEN_ATTR_RSTRIP)) {
      text = trimmed_left(text);
    }
    return append_part(vocabulary, text, all);
  };
  for (const Token token : rough) {
    if (!has(vocabulary, token, kSpecial)) continue;
    const std::string piece = piece_of(vocabulary, token);
    const std::size_t found = markup.find(piece);
    if (piece.empty() || found == markup.npos) return cannot_spell();
    std::string_view before = markup.substr(0, found);
    if (has(vocabulary, token, LLAMA_TOKEN_ATTR_LSTRIP)) before = trimmed_right(before);
    if (Result<Done> ok = append_text(before); !ok) return std::move(ok).error();
    all.push_back(token);
    markup.remove_prefix(found + piece.size());
  }
  if (Result<Done> ok = append_text(markup); !ok) return std::move(ok).error();
  return all;
}

}  // namespace

Result<Tokens> encode_text(const Vocabulary& vocabulary, std::string_view text) {
  Tokens all;
  for (const TextPart& part : cut_text(vocabulary, text)) {
    if (part.token) {
      all.push_back(*part.token);
    } else if (Result<Done> ok = append_part(vocabulary, part.text, all); !ok) {
      return std::move(ok).error();
    }
  }
  return all;
}

Result<Tokens> encode_markup(const Vocabulary& vocabulary, std::string_view markup) {
  Result<Tokens> rough = tokenize_guarded(vocabulary, markup, Markup::kParse);
  if (!rough || !vocabulary.space_guard) return rough;
  return encode_between(vocabulary, *rough, markup);
}

}  // namespace logit
