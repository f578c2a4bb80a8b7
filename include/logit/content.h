// Content: a JSON-shaped value that keeps key order and the spelling of numbers.
//
// States, instructions and criteria may be any text or structure; Content carries them from the
// wire to the prompt without a JSON library. A plain value: copyable, comparable, no invariants.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace logit {

// Deepest nesting a request may have, its own braces counted. Enforced while parsing, so
// recursion over a Content is bounded.
inline constexpr std::size_t kMaxDepth = 64;

class Content {
 public:
  // A number as it was spelled: "1e2", "-0", "12345678901234567890".
  struct Number {
    std::string spelling;
    bool operator==(const Number&) const = default;
  };
  using Array = std::vector<Content>;
  using Member = std::pair<std::string, Content>;
  using Object = std::vector<Member>;  // in the order of the document; keys are unique
  using Value = std::variant<std::monostate, bool, Number, std::string, Array, Object>;

  Content() = default;  // null
  Content(std::string text) : value(std::move(text)) {}
  Content(const char* text) : value(std::string(text)) {}
  Content(std::nullptr_t) = delete;  // a literal 0 is not a text
  explicit Content(bool flag) : value(flag) {}
  explicit Content(Number number) : value(std::move(number)) {}
  explicit Content(Array items) : value(std::move(items)) {}
  explicit Content(Object members) : value(std::move(members)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(value); }
  const std::string* text() const { return std::get_if<std::string>(&value); }

  bool operator==(const Content&) const = default;

  Value value;
};

// How a model reads it: a string as it is, null as "", anything else as JSON with indent 2, keys
// sorted by bytes, no ASCII escapes, numbers spelled as sent. Deterministic.
std::string prompt_text(const Content& content);

// One line of JSON, keys in document order, numbers spelled as sent: for echoing values back.
std::string compact_json(const Content& content);

// Appends `text` as a JSON string with its quotes. REQUIRES: text is UTF-8.
void append_json_string(std::string& out, std::string_view text);

}  // namespace logit
