// Checks of one vocabulary, used by tests and by the table of docs/models.md: no text becomes
// markup, text comes back as it was, hard text ends no process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llama/handles.h"
#include "llama/vocabulary.h"
#include "logit/backend.h"
#include "logit/result.h"

namespace logit::testing {

struct OpenVocabulary {
  ModelHandle model;
  std::string chat_template;
  Vocabulary vocabulary;
};

// Reads a GGUF's vocabulary and no weights.
Result<OpenVocabulary> open_vocabulary(const std::string& path);

// The texts of the tokens put together; the inverse of encode_text().
std::string decode(const Vocabulary& vocabulary, const Tokens& tokens);

// As the tokenizer sees it: "\u2581" is a space to vocabularies of the SentencePiece kind.
std::string as_spelled(const Vocabulary& vocabulary, std::string_view text);

// Whether a token must not come out of a caller's text: control, unknown, end of turn, or
// user-defined and either in brackets or part of the template. Asks llama.cpp, not the Vocabulary.
bool is_forbidden(const OpenVocabulary& open, Token token);

struct InjectionReport {
  std::size_t n_texts = 0;
  std::size_t n_forged = 0;      // texts with a forbidden token
  std::size_t n_misspelled = 0;  // texts that did not come back as they were
  std::size_t n_refused = 0;     // texts that were answered with an error
  std::string first_failure;     // empty when there is none

  bool passed() const { return n_forged + n_misspelled + n_refused == 0; }
};

// Random texts from whole and broken markers, of this vocabulary and of others, letters, white
// space and signs. The same seed gives the same texts.
InjectionReport check_injection(const OpenVocabulary& open, std::size_t n_texts,
                                std::uint64_t seed);

struct HardText {
  std::string name;
  std::string text;
  bool is_utf8 = true;
};

// Long runs, base64, Thai, emoji, combining marks, NUL, markers without end, bytes that are no
// UTF-8 (cases C40, C44).
const std::vector<HardText>& hard_texts();

// encode_text() on a thread with a stack of 256 KiB.
Result<Tokens> encode_on_small_stack(const Vocabulary& vocabulary, const std::string& text);

// A Backend that tokenises and cannot evaluate.
class VocabularyBackend final : public Backend {
 public:
  explicit VocabularyBackend(const OpenVocabulary& open);

  const ModelInfo& info() const override { return info_; }
  std::span<const Frame> frames() const override { return frames_; }
  Result<Tokens> encode(std::string_view text) const override;
  Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                 std::stop_token stop) override;

 private:
  const Vocabulary& vocabulary_;
  ModelInfo info_;
  std::vector<Frame> frames_;
};

}  // namespace logit::testing
