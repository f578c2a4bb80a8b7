// Finds the frames a model can be spoken to in.
//
// Entry: find_frames(). Tests: tests/llama/vocabulary_test.cpp.
#include "llama/vocabulary.h"

namespace logit {
namespace {

constexpr std::string_view kTurnStart = "<|im_start|>";
constexpr std::string_view kTurnEnd = "<|im_end|>";

bool is_one_token(const Vocabulary& vocabulary, std::string_view markup) {
  const Result<Tokens> tokens = encode_markup(vocabulary, markup);
  return tokens && tokens->size() == 1;
}

Frame plain_frame(const Vocabulary& vocabulary) {
  Frame frame;
  const Token bos = llama_vocab_bos(vocabulary.handle);
  if (llama_vocab_get_add_bos(vocabulary.handle) && bos != LLAMA_TOKEN_NULL) {
    frame.open.push_back(bos);
  }
  return frame;
}

}  // namespace

std::vector<Frame> find_frames(const Vocabulary& vocabulary, std::string_view chat_template,
                               std::vector<std::string>& notes) {
  std::vector<Frame> frames{plain_frame(vocabulary)};
  if (chat_template.empty()) return frames;
  if (chat_template.find(kTurnStart) == chat_template.npos ||
      !is_one_token(vocabulary, kTurnStart) || !is_one_token(vocabulary, kTurnEnd)) {
    notes.emplace_back("chat template is not ChatML: only the plain frame is available");
    return frames;
  }
  const Result<Tokens> open = encode_markup(vocabulary, "<|im_start|>user\n");
  Result<Tokens> close = encode_markup(vocabulary, "<|im_end|>\n<|im_start|>assistant\n");
  if (!open || !close) return frames;
  Frame chat{FrameKind::kChat, frames.front().open, *std::move(close)};
  chat.open.insert(chat.open.end(), open->begin(), open->end());
  frames.push_back(std::move(chat));
  return frames;
}

}  // namespace logit
