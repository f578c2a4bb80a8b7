// Cuts text into parts that llama.cpp can tokenise: no long runs, no markers, few matches.
//
// Entry: cut_text(). Tests: tests/llama/cut_text_test.cpp, vocabulary_test.cpp.
#include <algorithm>

#include "llama/vocabulary.h"

namespace logit {
namespace {

// Characters of one kind in a row. Pre-tokenisers that llama.cpp runs on std::regex (DeepSeek,
// Falcon, GPT-NeoX and others) recurse once for each: 25,000 end the process on a stack of 8 MiB,
// 770 on one of 256 KiB, and the smallest default of a platform's threads (musl) is 128 KiB.
constexpr std::size_t kMaxRun = 256;

// User-defined tokens in one call. llama.cpp walks a list from its start for each, so that a call
// takes the square of their number.
constexpr std::size_t kMaxMatches = 512;

enum class Kind : unsigned char { kSpace, kDigit, kLetter, kSign };

bool is_utf8_tail(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The kind of the character that starts at `at`, as pre-tokenisers tell them apart, roughly: what
// is not ASCII counts as letters, but for the signs of Chinese and Japanese.
Kind kind_of(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == ' ' || (c >= '\t' && c <= '\r')) return Kind::kSpace;
  if (c >= '0' && c <= '9') return Kind::kDigit;
  if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) return Kind::kLetter;
  const std::string_view head = text.substr(at, 2);
  const bool cjk_sign = head == "\xE3\x80" || head == "\xEF\xBC";
  return static_cast<unsigned char>(c) < 0x80 || cjk_sign ? Kind::kSign : Kind::kLetter;
}

// Cuts one run of text at user-defined tokens.
class Cutter {
 public:
  Cutter(const Vocabulary& vocabulary, std::string_view text, std::vector<TextPart>& parts)
      : vocabulary_(vocabulary), text_(text), parts_(parts) {}

  void run() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::optional<UserTokens::Match> match = vocabulary_.user_tokens.match(text_, at);
      at = match ? pass(at, *match) : at + 1;
    }
    cut(text_.size());
  }

 private:
  void cut(std::size_t end) {
    if (end > start_) parts_.push_back({text_.substr(start_, end - start_), std::nullopt});
    start_ = end;
    n_matches_ = 0;
  }

  // Returns where to look on.
  std::size_t pass(std::size_t at, UserTokens::Match match) {
    if (vocabulary_.structural[static_cast<std::size_t>(match.id)]) {
      const std::size_t middle = at + first_character(text_.substr(at));
      cut(middle);
      return middle;
    }
    const std::size_t end = at + match.size;
    if (vocabulary_.space_guard) {
      // What follows it in one call would get a space.
      cut(at);
      parts_.push_back({text_.substr(at, match.size), match.id});
      start_ = end;
    } else if (++n_matches_ == kMaxMatches) {
      cut(end);
    }
    return end;
  }

  const Vocabulary& vocabulary_;
  const std::string_view text_;
  std::vector<TextPart>& parts_;
  std::size_t start_ = 0;
  std::size_t n_matches_ = 0;
};

}  // namespace

void UserTokens::add(const std::string& text, Token id) {
  if (text.empty() || !ids_.emplace(text, id).second) return;
  std::vector<std::size_t>& sizes = sizes_[static_cast<unsigned char>(text.front())];
  const auto place = std::ranges::lower_bound(sizes, text.size(), std::greater<>());
  if (place == sizes.end() || *place != text.size()) sizes.insert(place, text.size());
}

std::optional<UserTokens::Match> UserTokens::match(std::string_view text, std::size_t at) const {
  for (const std::size_t size : sizes_[static_cast<unsigned char>(text[at])]) {
    if (size > text.size() - at) continue;
    const auto found = ids_.find(text.substr(at, size));
    if (found != ids_.end()) return Match{found->second, size};
  }
  return std::nullopt;
}

std::size_t first_character(std::string_view text) {
  std::size_t n = 1;
  while (n < text.size() && is_utf8_tail(text[n])) ++n;
  return n;
}

std::vector<std::size_t> cut_long_runs(std::string_view text) {
  std::vector<std::size_t> sizes;
  std::size_t start = 0;
  std::size_t run = 0;
  Kind kind = Kind::kSpace;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_utf8_tail(text[i])) continue;
    const Kind next = kind_of(text, i);
    run = next == kind ? run + 1 : 1;
    kind = next;
    if (run <= kMaxRun) continue;
    sizes.push_back(i - start);
    start = i;
    run = 1;
  }
  if (start < text.size()) sizes.push_back(text.size() - start);
  return sizes;
}

std::vector<TextPart> cut_text(const Vocabulary& vocabulary, std::string_view text) {
  std::vector<TextPart> parts;
  for (const std::size_t size : cut_long_runs(text)) {
    Cutter(vocabulary, text.substr(0, size), parts).run();
    text.remove_prefix(size);
  }
  return parts;
}

}  // namespace logit
