// Vocabulary: what the adapter knows about a model's tokens.
//
// Text that a caller wrote and markup that the adapter writes are tokenised by two functions, so
// that a caller's "<|im_end|>" can never end a turn.
#pragma once

#include <llama.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "logit/backend.h"
#include "logit/result.h"
#include "logit/token_tree.h"

namespace logit {

struct Vocabulary {
  const llama_vocab* handle = nullptr;  // belongs to the model, which must live longer
  std::size_t n_tokens = 0;
  std::vector<bool> structural;  // per token: must not come out of a caller's text
  Tokens space_guard;  // for vocabularies that put a space before any text: tokens of "\n"
};

// `chat_template` may be empty.
Vocabulary make_vocabulary(const llama_model& model, std::string_view chat_template);

// Tokens of text that a caller wrote; no structural one. Pieces of the result spell the text.
// Errors: kModelRun when the vocabulary cannot spell it, or it has more than 2^31 bytes.
Result<Tokens> encode_text(const Vocabulary& vocabulary, std::string_view text);

// Tokens of template markup; "<|im_end|>" becomes its control token. Adds no BOS.
Result<Tokens> encode_markup(const Vocabulary& vocabulary, std::string_view markup);

// What a token stands for in text; "<|im_end|>" for a control token.
std::string piece_of(const Vocabulary& vocabulary, Token token);

// Where long text is cut before it is tokenised: the sizes of the parts, by a rule of the text
// alone. Pre-tokenisers that use std::regex recurse once per character of a run without a break.
std::vector<std::size_t> cut_long_runs(std::string_view text);

// At most 255 labels "A", ..., "Z", "AA", ...: one token each wherever a prompt shows or reads it.
std::vector<Label> find_labels(const Vocabulary& vocabulary);

// The plain frame, then the chat frame where the template is ChatML. Another template adds a
// line to `notes`.
std::vector<Frame> find_frames(const Vocabulary& vocabulary, std::string_view chat_template,
                               std::vector<std::string>& notes);

}  // namespace logit
