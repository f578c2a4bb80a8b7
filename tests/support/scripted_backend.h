// A Backend without a model: numbers come from a script or from a hash of the path.
//
// A value depends on the tokens from the root to the read, and on the id that is read, only: as
// the contracts of backend.h ask for. Text is cut into bytes or words; labels are one token.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logit/backend.h"

namespace logit::testing {

enum class TextUnit : unsigned char { kByte, kWord };

struct Script {
  TextUnit unit = TextUnit::kByte;
  std::uint64_t seed = 1;
  std::size_t n_context = 8192;
  std::size_t n_labels = 255;
  bool has_chat_frame = true;
  // Of what no rule decides: log-probability = -log(n_vocab) - u * spread, u in [0, 1).
  double spread = 4;
};

class ScriptedBackend final : public Backend {
 public:
  explicit ScriptedBackend(Script script = {});

  const ModelInfo& info() const override { return info_; }
  std::span<const Frame> frames() const override { return frames_; }
  Result<Tokens> encode(std::string_view text) const override;
  Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                 std::stop_token stop) override;

  // From now on, after a path whose text ends in `ending`, the first token of `next` has this
  // probability. Later rules win.
  void say(std::string_view ending, std::string_view next, double probability);

  // Evaluation number `call` (0 is the next one) fails with the error; the ones after it do not.
  void fail_at(std::size_t call, Error error);

  // Text of tokens; frame tokens as "<bos>", "<|im_start|>", "<|im_end|>".
  std::string text(std::span<const Token> tokens) const;

  std::vector<TokenTree> calls;  // every tree that was evaluated, failed ones included
  ModelInfo info_;               // free for a test to change

 private:
  struct Rule {
    std::string ending;
    Token id = -1;
    double log_probability = 0;
  };

  std::size_t unit_length(std::string_view text, std::size_t at) const;
  Token word_id(std::string_view word) const;
  Tokens path_to(const TokenTree& tree, const TokenTree::Read& read) const;
  double value(const Tokens& path, std::string_view path_text, Token id) const;

  Script script_;
  std::vector<Frame> frames_;
  std::vector<Rule> rules_;
  std::optional<std::pair<std::size_t, Error>> failure_;
  // Which word an id stands for, for text(). encode() is const for callers, who cannot tell.
  mutable std::map<Token, std::string> words_;
};

}  // namespace logit::testing
