// Prompts to tokens, piece by piece. Entries: those of assemble.h.
// Tested by tests/pipeline/plan_test.cpp.
#include "pipeline/assemble.h"

#include <optional>

namespace logit::pipeline {
namespace {

// One run of tokens from text and ids. Text between two ids is tokenised as a whole, so that the
// pieces it was written in leave no mark. The first error stays.
class Writer {
 public:
  explicit Writer(const Backend& backend) : backend_(backend) {}

  Writer& text(std::string_view piece) {
    pending_ += piece;
    return *this;
  }

  Writer& ids(std::span<const Token> more) {
    flush();
    tokens_.insert(tokens_.end(), more.begin(), more.end());
    return *this;
  }

  Result<Tokens> take() {
    flush();
    if (error_) return *error_;
    return std::move(tokens_);
  }

 private:
  void flush() {
    if (error_ || pending_.empty()) return;
    Result<Tokens> tokens = backend_.encode(pending_);
    pending_.clear();
    if (tokens) {
      tokens_.insert(tokens_.end(), tokens->begin(), tokens->end());
    } else {
      error_ = tokens.error();
    }
  }

  const Backend& backend_;
  std::string pending_;
  Tokens tokens_;
  std::optional<Error> error_;
};

// The answer's opening, after `gap` in a plain frame; in a chat frame it is the assistant who
// opens.
void open_answer(Writer& writer, const Frame& frame, std::string_view gap) {
  if (frame.kind == FrameKind::kPlain) {
    writer.text(gap).text("Answer:");
  } else {
    writer.ids(frame.close).text("Answer:");
  }
}

void write_question(Writer& writer, const QuestionText& question) {
  writer.text(question.heading).text(question.instructions);
}

void open_state(Writer& writer) { writer.text("Text: \""); }

void write_list(Writer& writer, const Backend& backend, std::span<const std::string> lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Token label[] = {backend.info().labels[i].id};
    writer.text("\n(").ids(label).text(") ").text(lines[i]);
  }
}

Result<PromptParts> finish(Placement placement, Writer& head, Writer& tail) {
  Result<Tokens> head_tokens = head.take();
  if (!head_tokens) return head_tokens.error();
  Result<Tokens> tail_tokens = tail.take();
  if (!tail_tokens) return tail_tokens.error();
  return PromptParts{placement, std::move(*head_tokens), std::move(*tail_tokens)};
}

}  // namespace

Result<Tokens> encode_state(const Backend& backend, std::string_view state) {
  return backend.encode(state);
}

Result<Tokens> encode_answer(const Backend& backend, std::string_view text) {
  return backend.encode(" " + std::string(text));
}

// A short state has the question before it and once more behind it, where small models read best;
// a long one has it behind it only.
Result<PromptParts> assemble_text(const Backend& backend, const Frame& frame,
                                  const QuestionText& question, Placement placement) {
  Writer head(backend);
  Writer tail(backend);
  head.ids(frame.open);
  if (placement == Placement::kQuestionFirst) {
    write_question(head, question);
    head.text("\n\n");
  }
  open_state(head);
  tail.text("\"\n\n");
  write_question(tail, question);
  open_answer(tail, frame, "\n");
  return finish(placement, head, tail);
}

Result<Tokens> assemble_channel(const Backend& backend, const Frame& frame,
                                const QuestionText& question, const Candidate& candidate) {
  Writer prompt(backend);
  prompt.ids(frame.open);
  write_question(prompt, question);
  prompt.text("\n\nAnswer: ").text(candidate.name).text("\n\n");
  open_state(prompt);
  return prompt.take();
}

Result<PromptParts> assemble_label(const Backend& backend, const Frame& frame,
                                   const QuestionText& question,
                                   std::span<const std::string> lines) {
  Writer head(backend);
  Writer tail(backend);
  head.ids(frame.open);
  open_state(head);
  tail.text("\"\n\n");
  write_question(tail, question);
  write_list(tail, backend, lines);
  open_answer(tail, frame, "\n\n");
  tail.text(" (");
  return finish(Placement::kStateFirst, head, tail);
}

}  // namespace logit::pipeline
