// Vocabulary: what the adapter knows about a model's tokens.
//
// Text that a caller wrote and markup that the adapter writes are tokenised by two functions, so
// that a caller's "<|im_end|>" can never end a turn.
#pragma once

#include <llama.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llama/user_tokens.h"
#include "logit/backend.h"
#include "logit/result.h"
#include "logit/token_tree.h"

namespace logit {

// Some vocabularies (SentencePiece, mostly) put a space before any text and behind any special
// token. Behind this text they do not, and its own tokens are known, so they can be dropped again.
struct SpaceGuard {
  std::string text;
  Tokens tokens;
};

struct Vocabulary {
  const llama_vocab* handle = nullptr;  // belongs to the model, which must live longer
  std::size_t n_tokens = 0;
  std::vector<bool> structural;  // per token: must not come out of a caller's text
  UserTokens user_tokens;
  std::optional<SpaceGuard> space_guard;
  bool blocks_are_spaces = false;  // "\u2581" and a space are the same to it, as in SentencePiece
};

// `chat_template` may be empty.
Vocabulary make_vocabulary(const llama_model& model, std::string_view chat_template);

// Tokens of text that a caller wrote; no structural one. Pieces of the result spell the text, byte
// for byte, but that U+2581 counts as a space where blocks_are_spaces.
// Errors: kModelRun when the vocabulary cannot spell it, or it has more than 2^31 bytes.
Result<Tokens> encode_text(const Vocabulary& vocabulary, std::string_view text);

// Tokens of template markup; "<|im_end|>" becomes its control token. Adds no BOS. White space that
// a special token swallows by its attributes (Phi-3) is gone.
Result<Tokens> encode_markup(const Vocabulary& vocabulary, std::string_view markup);

// What a token stands for in text; "<|im_end|>" for a control token.
std::string piece_of(const Vocabulary& vocabulary, Token token);

// Whether the pieces of the tokens are the text, as encode_text() promises.
bool spells(const Vocabulary& vocabulary, const Tokens& tokens, std::string_view text);

// The token that text begins with in this model, if any. A file that names ordinary text for it is
// noted and not believed.
std::optional<Token> beginning_of_text(const Vocabulary& vocabulary,
                                       std::vector<std::string>& notes);

// Where long text is cut before it is tokenised: the sizes of the parts, by a rule of the text
// alone. Pre-tokenisers that use std::regex recurse once per character of a run without a break.
std::vector<std::size_t> cut_long_runs(std::string_view text);

// A part of a text: to be tokenised by itself, or a token already.
struct TextPart {
  std::string_view text;
  std::optional<Token> token;
};

// cut_long_runs(), and cuts inside every user-defined token that is structural: the halves spell
// the same text and are no marker.
std::vector<TextPart> cut_text(const Vocabulary& vocabulary, std::string_view text);

// Bytes of the first character; all of a text that is not UTF-8 up to the next character.
std::size_t first_character(std::string_view text);

// At most 255 labels "A", ..., "Z", "AA", ...: one token each wherever a prompt shows or reads it.
std::vector<Label> find_labels(const Vocabulary& vocabulary);

// The plain frame, then the chat frame of the model's own template. A template without one, and
// what a person should know about it, add lines to `notes`.
std::vector<Frame> find_frames(const Vocabulary& vocabulary, std::string_view chat_template,
                               std::vector<std::string>& notes);

}  // namespace logit
