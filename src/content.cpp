// Writes a Content as text: prompt_text for models, compact_json for replies. A writer of its own,
// because numbers keep the spelling they came with, which no JSON library writes back.
// Tested by tests/wire/content_test.cpp.
#include "logit/content.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace logit {
namespace {

enum class Layout : unsigned char {
  kCompact,         // one line, members in document order
  kIndentedSorted,  // indent 2, members sorted by the bytes of their keys
};

class Writer {
 public:
  Writer(std::string& out, Layout layout) : out_(out), layout_(layout) {}

  void write(const Content& content) {
    std::visit([this](const auto& value) { write_value(value); }, content.value);
  }

 private:
  void write_value(std::monostate) { out_ += "null"; }
  void write_value(bool flag) { out_ += flag ? "true" : "false"; }
  void write_value(const Content::Number& number) { out_ += number.spelling; }
  void write_value(const std::string& text) { append_json_string(out_, text); }

  void write_value(const Content::Array& items) {
    if (items.empty()) {
      out_ += "[]";
      return;
    }
    open('[');
    for (std::size_t i = 0; i < items.size(); ++i) {
      next(i);
      write(items[i]);
    }
    close(']');
  }

  void write_value(const Content::Object& members) {
    if (members.empty()) {
      out_ += "{}";
      return;
    }
    open('{');
    const std::vector<std::size_t> order = order_of(members);
    for (std::size_t i = 0; i < order.size(); ++i) {
      next(i);
      const auto& [key, value] = members[order[i]];
      append_json_string(out_, key);
      out_ += layout_ == Layout::kCompact ? ":" : ": ";
      write(value);
    }
    close('}');
  }

  std::vector<std::size_t> order_of(const Content::Object& members) const {
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (layout_ == Layout::kIndentedSorted) {
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return members[a].first < members[b].first;
      });
    }
    return order;
  }

  void open(char bracket) {
    out_ += bracket;
    ++depth_;
  }

  void close(char bracket) {
    --depth_;
    new_line();
    out_ += bracket;
  }

  void next(std::size_t index) {
    if (index > 0) out_ += ',';
    new_line();
  }

  void new_line() {
    if (layout_ == Layout::kCompact) return;
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  std::string& out_;
  Layout layout_;
  std::size_t depth_ = 0;
};

// The two-character escape of a byte, or '\0' where JSON has none.
char short_escape(char byte) {
  switch (byte) {
    case '"':
      return '"';
    case '\\':
      return '\\';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return '\0';
  }
}

void append_escaped(std::string& out, char byte) {
  constexpr char kHex[] = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(byte);
  if (const char escape = short_escape(byte); escape != '\0') {
    out += '\\';
    out += escape;
  } else if (code < 0x20) {
    out += "\\u00";
    out += kHex[code >> 4];
    out += kHex[code & 15];
  } else {
    out += byte;
  }
}

}  // namespace

std::string prompt_text(const Content& content) {
  if (const std::string* text = content.text()) return *text;
  std::string out;
  if (!content.is_null()) Writer(out, Layout::kIndentedSorted).write(content);
  return out;
}

std::string compact_json(const Content& content) {
  std::string out;
  Writer(out, Layout::kCompact).write(content);
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size() + 2);
  out += '"';
  for (const char byte : text) append_escaped(out, byte);
  out += '"';
}

}  // namespace logit
