// Renders a chat template around a sentinel, and keeps what stands before and behind it.
//
// Entry: render_turn(). Tests: tests/llama/chat_template_test.cpp.
#include "llama/chat_template.h"

#include <llama.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace logit {
namespace {

// No template has these characters, and no template trims them.
constexpr std::string_view kSentinel = "\x02what the user says\x03";

Error no_frame(const std::string& reason) {
  return Error{ErrorCode::kModelLoad, "chat template " + reason, "tokenizer.chat_template"};
}

std::optional<std::string> render(const std::string& chat_template, const std::string& content) {
  const llama_chat_message turn{"user", content.c_str()};
  const std::int32_t size =
      llama_chat_apply_template(chat_template.c_str(), &turn, 1, /*add_ass=*/true, nullptr, 0);
  if (size < 0) return std::nullopt;
  std::string text(static_cast<std::size_t>(size), '\0');
  llama_chat_apply_template(chat_template.c_str(), &turn, 1, /*add_ass=*/true, text.data(), size);
  return text;
}

// Families that the engine does not know, by two marks in their text.
struct Family {
  std::array<std::string_view, 2> marks;
  std::string_view open;
  std::string_view close;
};

constexpr std::array<Family, 1> kFamilies = {
    {{{"<|turn>", "<turn|>"}, "<|turn>user\n", "<turn|>\n<|turn>model\n"}}};  // Gemma 4

std::optional<std::string> render_family(std::string_view chat_template,
                                         const std::string& content) {
  for (const Family& family : kFamilies) {
    const bool is_this = std::ranges::all_of(family.marks, [&](std::string_view mark) {
      return chat_template.find(mark) != chat_template.npos;
    });
    if (is_this) return std::string(family.open) + content + std::string(family.close);
  }
  return std::nullopt;
}

struct Tags {
  std::string_view open;
  std::string_view close;
  std::string_view gap;  // between them where a template shows none
};

constexpr std::array<Tags, 3> kThinking = {{{"<think>", "</think>", "\n\n"},
                                            {"<|START_THINKING|>", "<|END_THINKING|>", ""},
                                            {"<|channel>thought", "<channel|>", "\n"}}};

// Line breaks at `at`, as a template's text or its string literals write them.
std::string breaks_at(std::string_view text, std::size_t& at) {
  std::string breaks;
  while (at < text.size()) {
    const bool escaped = text.substr(at, 2) == "\\n";
    if (!escaped && text[at] != '\n') break;
    breaks += '\n';
    at += escaped ? 2 : 1;
  }
  return breaks;
}

bool is_quote(char c) { return c == '\'' || c == '"'; }

// An empty block as the template writes it to switch thinking off, with the breaks behind it. Tags
// side by side inside a sentence only speak of thinking (Granite).
std::optional<std::string> empty_block(std::string_view text, const Tags& tags) {
  for (std::size_t found = text.find(tags.open); found != text.npos;
       found = text.find(tags.open, found + 1)) {
    std::size_t at = found + tags.open.size();
    std::string block(tags.open);
    block += breaks_at(text, at);
    if (text.substr(at, tags.close.size()) != tags.close) continue;
    const bool is_mention =
        block == tags.open && !tags.gap.empty() && (found == 0 || !is_quote(text[found - 1]));
    if (is_mention) continue;
    at += tags.close.size();
    block += tags.close;
    return block + breaks_at(text, at);
  }
  return std::nullopt;
}

// What the template says from where it asks for an answer.
std::string_view generation_part(std::string_view text) {
  const std::size_t at = text.rfind("add_generation_prompt");
  return at == text.npos ? std::string_view() : text.substr(at);
}

bool is_quoted(std::string_view text, std::string_view tag) {
  return text.find("'" + std::string(tag) + "'") != text.npos ||
         text.find('"' + std::string(tag) + '"') != text.npos;
}

// A block that a template only opens, so that every answer starts with thinking, is closed. One
// that has the end tag alone for "no thinking" (DeepSeek 3.1) gets that.
std::string thinking_block(std::string_view chat_template, std::string_view rendered) {
  for (const Tags& tags : kThinking) {
    std::string closed(tags.gap);
    closed += tags.close;
    closed += tags.gap;
    if (rendered.ends_with(tags.open)) return closed;
    if (std::optional<std::string> block = empty_block(chat_template, tags)) return *block;
    const std::string_view part = generation_part(chat_template);
    const std::size_t opened = part.rfind(tags.open);
    if (is_quoted(part, tags.close)) return std::string(tags.close);
    if (opened != part.npos && part.find(tags.close, opened) == part.npos) {
      return std::string(tags.open) + closed;
    }
  }
  return {};
}

// Formats whose answers choose a channel before they begin: the head of the one that answers.
std::string_view answer_channel(std::string_view rendered) {
  if (rendered.ends_with("<|start|>assistant")) return "<|channel|>final<|message|>";  // gpt-oss
  if (rendered.ends_with("<|begin|>assistant")) return "<|content|>";                  // Solar Open
  return {};
}

// The engine's guess may end in a space that the template does not write (Mistral 7 Tekken). A
// built-in's name is no template.
void drop_guessed_space(const std::string& chat_template, std::string& open) {
  if (!open.ends_with(' ') || chat_template.find('{') == chat_template.npos) return;
  const std::size_t before = open.find_last_of(" \n", open.size() - 2);
  const std::string ending = before == open.npos ? open : open.substr(before + 1);
  if (chat_template.find(ending) == chat_template.npos) open.pop_back();
}

}  // namespace

Result<TurnLiterals> render_turn(const std::string& chat_template) {
  const std::string content = "  " + std::string(kSentinel) + "  ";
  std::optional<std::string> text = render(chat_template, content);
  if (!text) text = render_family(chat_template, content);
  if (!text) return no_frame("is not one the engine knows");
  TurnLiterals turn;
  turn.trims = text->find(content) == text->npos;
  const std::string_view shown = turn.trims ? kSentinel : std::string_view(content);
  const std::size_t at = text->find(shown);
  if (at == text->npos) return no_frame("leaves out what a user says");
  if (text->find(kSentinel, at + shown.size()) != text->npos) {
    return no_frame("repeats what a user says");
  }
  turn.open = text->substr(0, at);
  drop_guessed_space(chat_template, turn.open);
  turn.close = text->substr(at + shown.size());
  if (turn.close.empty()) return no_frame("does not mark where a turn ends");
  turn.names_bos = chat_template.find("bos_token") != chat_template.npos;
  turn.close += answer_channel(*text);
  turn.close += thinking_block(chat_template, *text);
  return turn;
}

}  // namespace logit
