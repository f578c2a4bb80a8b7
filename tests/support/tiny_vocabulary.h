// Vocabularies of a few hundred tokens, written as GGUF files without weights.
#pragma once

#include <string>
#include <vector>

#include "logit/result.h"

namespace logit::testing {

enum class TokenizerKind : unsigned char {
  kBytePairs,      // GPT-2: bytes, and the labels "AA".."ZZ"
  kSentencePiece,  // Llama 2: byte tokens, "<s>" that two ordinary pieces merge into, labels
};

enum class SpacePrefix : unsigned char { kNone, kAdded };
enum class AddBos : unsigned char { kNo, kYes };

struct TinyVocabulary {
  TokenizerKind kind = TokenizerKind::kBytePairs;
  SpacePrefix space_prefix = SpacePrefix::kNone;  // of SentencePiece
  AddBos add_bos = AddBos::kNo;
  std::string bos = "<s>";           // added as a control token, unless it is ordinary text
  std::vector<std::string> control;  // beside "<s>" and "</s>"
  std::vector<std::string> user_defined;
  std::string chat_template;  // empty: none
};

Result<Done> write_tiny_vocabulary(const std::string& path, const TinyVocabulary& vocabulary);

}  // namespace logit::testing
