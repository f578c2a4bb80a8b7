// A Backend double. Entry: ScriptedBackend. Tests: tests/llama/contract_test.cpp.
#include "support/scripted_backend.h"

#include <cassert>
#include <cctype>
#include <cmath>
#include <utility>

namespace logit::testing {
namespace {

// Ids: 0..255 bytes, then the frame's tokens, then words by a hash of their letters, so that two
// backends agree on them.
constexpr Token kBos = 256;
constexpr Token kTurnStart = 257;
constexpr Token kTurnEnd = 258;
constexpr Token kFirstWord = 259;
constexpr std::size_t kVocabulary = 1 << 20;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

std::size_t letters_from(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_letter(text[end])) ++end;
  return end - at;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

std::vector<std::string> label_texts(std::size_t n) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < n; ++i) {
    std::string text;
    if (i >= 26) text += static_cast<char>('A' + (i / 26 - 1));
    text += static_cast<char>('A' + i % 26);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace

ScriptedBackend::ScriptedBackend(Script script) : script_(script) {
  info_.id = "scripted";
  info_.path = "scripted.gguf";
  info_.fingerprint = "scripted-" + std::to_string(script.seed);
  info_.architecture = "scripted";
  info_.description = "scripted double";
  info_.n_context = script.n_context;
  info_.n_vocab = kVocabulary;
  info_.n_threads = 1;
  for (const std::string& text : label_texts(script.n_labels)) {
    const Result<Tokens> id = encode(text);
    info_.labels.push_back({text, id->front()});
  }
  frames_.push_back({FrameKind::kPlain, {kBos}, {}});
  if (!script.has_chat_frame) return;
  const Tokens user = *encode("user\n");
  const Tokens answer = *encode("assistant\n");
  Frame chat{FrameKind::kChat, {kBos, kTurnStart}, {kTurnEnd, '\n', kTurnStart}};
  chat.open.insert(chat.open.end(), user.begin(), user.end());
  chat.close.insert(chat.close.end(), answer.begin(), answer.end());
  frames_.push_back(std::move(chat));
}

Result<Tokens> ScriptedBackend::encode(std::string_view text) const {
  Tokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = unit_length(text, at);
    tokens.push_back(word_id(text.substr(at, length)));
    at += length;
  }
  return tokens;
}

// Bytes: one, or a two-letter label that stands alone. Words: letters with the space before them,
// or one byte.
std::size_t ScriptedBackend::unit_length(std::string_view text, std::size_t at) const {
  if (script_.unit == TextUnit::kWord) {
    const std::size_t lead = text[at] == ' ' ? 1 : 0;
    const std::size_t letters = letters_from(text, at + lead);
    return letters > 0 ? lead + letters : 1;
  }
  const bool starts = at == 0 || !is_letter(text[at - 1]);
  const bool label =
      starts && letters_from(text, at) == 2 && is_upper(text[at]) && is_upper(text[at + 1]);
  return label ? 2 : 1;
}

Token ScriptedBackend::word_id(std::string_view word) const {
  if (word.size() == 1) return static_cast<unsigned char>(word.front());
  std::uint64_t hash = 0;
  for (const char c : word) hash = mix(hash, static_cast<unsigned char>(c));
  constexpr std::size_t kWords = kVocabulary - kFirstWord;
  for (std::size_t slot = mix(hash, 0) % kWords;; slot = (slot + 1) % kWords) {
    const Token id = kFirstWord + static_cast<Token>(slot);
    if (words_.try_emplace(id, word).first->second == word) return id;
  }
}

Result<EvaluateStats> ScriptedBackend::evaluate(const TokenTree& tree, std::span<double> out,
                                                std::stop_token stop) {
  assert(out.size() == tree.n_outputs());
  assert(tree_fault(tree, info_.n_vocab).empty());
  calls.push_back(tree);
  if (failure_ && failure_->first-- == 0) return std::exchange(failure_, std::nullopt)->second;
  for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
    if (const std::size_t n = tree.path_length(node); n > info_.n_context) {
      return Error{ErrorCode::kTooLong, "the prompt needs " + std::to_string(n) +
                                            " tokens and the context has " +
                                            std::to_string(info_.n_context)};
    }
  }
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the evaluation was cancelled"};
  for (const TokenTree::Read& read : tree.reads) {
    const Tokens path = path_to(tree, read);
    const std::string path_text = text(path);
    for (std::size_t k = read.first_id; k < read.first_id + read.n_ids; ++k) {
      out[k] = value(path, path_text, tree.ids[k]);
    }
  }
  return EvaluateStats{tree.tokens.size(), 0, 1};
}

void ScriptedBackend::say(std::string_view ending, std::string_view next, double probability) {
  rules_.push_back({std::string(ending), encode(next)->front(), std::log(probability)});
}

void ScriptedBackend::fail_at(std::size_t call, Error error) {
  failure_.emplace(call, std::move(error));
}

std::string ScriptedBackend::text(std::span<const Token> tokens) const {
  std::string all;
  for (const Token token : tokens) {
    if (token < kBos) {
      all += static_cast<char>(token);
    } else if (token < kFirstWord) {
      all += token == kBos ? "<bos>" : token == kTurnStart ? "<|im_start|>" : "<|im_end|>";
    } else {
      const auto word = words_.find(token);
      all += word != words_.end() ? word->second : "<unknown>";
    }
  }
  return all;
}

Tokens ScriptedBackend::path_to(const TokenTree& tree, const TokenTree::Read& read) const {
  Tokens path;
  std::span<const Token> part = tree.tokens_of(read.node).first(read.offset + 1);
  for (std::uint32_t node = read.node;;) {
    path.insert(path.begin(), part.begin(), part.end());
    node = tree.nodes[node].parent;
    if (node == TokenTree::kNoParent) return path;
    part = tree.tokens_of(node);
  }
}

double ScriptedBackend::value(const Tokens& path, std::string_view path_text, Token id) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->id == id && path_text.ends_with(rule->ending)) return rule->log_probability;
  }
  std::uint64_t hash = mix(script_.seed, static_cast<std::uint64_t>(id));
  for (const Token token : path) hash = mix(hash, static_cast<std::uint64_t>(token));
  const double u = static_cast<double>(mix(hash, 0) >> 11U) * 0x1p-53;
  return -std::log(static_cast<double>(kVocabulary)) - u * script_.spread;
}

}  // namespace logit::testing
