// Finds the frames a model can be spoken to in.
//
// Entry: find_frames(). Tests: tests/llama/chat_frame_test.cpp.
#include <algorithm>
#include <array>
#include <string>

#include "llama/chat_template.h"
#include "llama/vocabulary.h"

namespace logit {
namespace {

std::size_t n_structural(const Vocabulary& vocabulary, const Tokens& tokens) {
  return static_cast<std::size_t>(std::ranges::count_if(
      tokens, [&](Token token) { return vocabulary.structural[static_cast<std::size_t>(token)]; }));
}

// Text such as "<|im_end|>", "<start_of_turn>" or "</s>", which is written to be one token.
bool is_marker(std::string_view text) {
  if (text == "<s>" || text == "</s>") return true;
  return text.size() > 3 && text.find_first_of("|_:") != text.npos &&
         text.find_first_of(" \t\r\n") == text.npos;
}

std::vector<std::string> markers_in(std::string_view text) {
  std::vector<std::string> markers;
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    const std::string_view marker = text.substr(at, text.find('>', at) - at + 1);
    if (is_marker(marker)) markers.emplace_back(marker);
  }
  return markers;
}

bool is_token(const Vocabulary& vocabulary, const std::string& marker) {
  const Result<Tokens> tokens = encode_markup(vocabulary, marker);
  return tokens && tokens->size() == 1 && n_structural(vocabulary, *tokens) == 1;
}

// Some models (Zephyr) spell roles with ordinary tokens between turns that end with a special one.
bool names_a_role(std::string_view marker) {
  constexpr std::array<std::string_view, 2> kRoles = {"<|user|>", "<|assistant|>"};
  return std::ranges::find(kRoles, marker) != kRoles.end();
}

// A marker of the template that this vocabulary does not have, or an empty string: the template
// was recognised wrongly, or belongs to another model.
std::string missing_marker(const Vocabulary& vocabulary, const TurnLiterals& turn) {
  const std::vector<std::string> closing = markers_in(turn.close);
  const bool roles_may_be_text = !closing.empty() && is_token(vocabulary, closing.front());
  for (const std::string& literal : {turn.open, turn.close}) {
    for (const std::string& marker : markers_in(literal)) {
      if (roles_may_be_text && names_a_role(marker)) continue;
      if (!is_token(vocabulary, marker)) return marker;
    }
  }
  return {};
}

// Whether two pieces tokenised apart have the tokens of both together.
bool is_clean_border(const Vocabulary& vocabulary, const std::string& before,
                     const std::string& after) {
  Result<Tokens> apart = encode_markup(vocabulary, before);
  const Result<Tokens> rest = encode_markup(vocabulary, after);
  const Result<Tokens> whole = encode_markup(vocabulary, before + after);
  if (!apart || !rest || !whole) return false;
  apart->insert(apart->end(), rest->begin(), rest->end());
  return *apart == *whole;
}

// Where prompts (pipeline/assemble.cpp) meet a chat frame.
bool has_clean_borders(const Vocabulary& vocabulary, const TurnLiterals& turn) {
  return is_clean_border(vocabulary, turn.open, "Text: \"") &&
         is_clean_border(vocabulary, turn.open, "Question: Which") &&
         is_clean_border(vocabulary, "Which team?", turn.close) &&
         is_clean_border(vocabulary, "(B) sales", turn.close) &&
         is_clean_border(vocabulary, turn.close, "Answer:");
}

void note_oddities(const Vocabulary& vocabulary, const TurnLiterals& turn, const Frame& chat,
                   std::vector<std::string>& notes) {
  if (turn.trims) {
    notes.emplace_back("chat template trims what a user says; here it stays as it was written");
  }
  if (n_structural(vocabulary, chat.close) == 0) {
    notes.emplace_back(
        "chat template marks turns with ordinary text: a text that spells the marks can imitate "
        "them");
  }
  if (!has_clean_borders(vocabulary, turn)) {
    notes.emplace_back(
        "chat template's literals end where the tokenizer would join them with text");
  }
}

Result<Frame> chat_frame(const Vocabulary& vocabulary, std::string_view chat_template,
                         std::optional<Token> bos, std::vector<std::string>& notes) {
  const Result<TurnLiterals> turn = render_turn(std::string(chat_template));
  if (!turn) return turn.error();
  if (const std::string marker = missing_marker(vocabulary, *turn); !marker.empty()) {
    return Error{ErrorCode::kModelLoad,
                 "chat template uses '" + marker + "', which is no token of this vocabulary",
                 "tokenizer.chat_template"};
  }
  Result<Tokens> open = encode_markup(vocabulary, turn->open);
  if (!open) return std::move(open).error();
  Result<Tokens> close = encode_markup(vocabulary, turn->close);
  if (!close) return std::move(close).error();
  Frame chat{FrameKind::kChat, *std::move(open), *std::move(close)};
  const bool wants_bos = llama_vocab_get_add_bos(vocabulary.handle) || turn->names_bos;
  if (bos && wants_bos && (chat.open.empty() || chat.open.front() != *bos)) {
    chat.open.insert(chat.open.begin(), *bos);
  }
  note_oddities(vocabulary, *turn, chat, notes);
  return chat;
}

}  // namespace

std::vector<Frame> find_frames(const Vocabulary& vocabulary, std::string_view chat_template,
                               std::vector<std::string>& notes) {
  const std::optional<Token> bos = beginning_of_text(vocabulary, notes);
  Frame plain;
  if (bos && llama_vocab_get_add_bos(vocabulary.handle)) plain.open.push_back(*bos);
  std::vector<Frame> frames{std::move(plain)};
  if (chat_template.empty()) return frames;
  Result<Frame> chat = chat_frame(vocabulary, chat_template, bos, notes);
  if (chat) {
    frames.push_back(*std::move(chat));
  } else {
    notes.push_back(chat.error().message + ": only the plain frame is available");
  }
  return frames;
}

}  // namespace logit
