// Reads JSON through nlohmann's SAX interface, whose parser does not recurse. Its one entry is
// read_json. The library decides what JSON is; depth and number spelling are kept here.
// Tested by tests/wire/json_reader_test.cpp.
#include "wire/json_reader.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "wire/faults.h"

namespace logit::wire {
namespace {

// Walks the text and tells where the parser has got to: SAX callbacks carry no positions.
class TrackingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}

  reference operator*() const { return *at_; }
  TrackingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  TrackingIterator operator++(int) {
    TrackingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const TrackingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

bool is_number_char(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// "[json.exception.parse_error.101] parse error at ...: syntax error while parsing value -
// invalid literal; last read: '...'" without what names the library or quotes the input.
std::string reason_in(std::string_view what) {
  constexpr std::string_view kBefore = " - ";
  if (const auto at = what.find(kBefore); at != std::string_view::npos) {
    what.remove_prefix(at + kBefore.size());
  }
  return std::string(what.substr(0, what.find("; last read")));
}

class Reader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Reader(std::string_view text) : text_(text), reached_(text.data()) {}

  Result<Content> read() {
    // The library takes a NUL byte for the end of its input and would not look further.
    if (const auto at = text_.find('\0'); at != std::string_view::npos) {
      return schema_error({{"invalid_json", {}, "invalid JSON: a NUL byte" + at_byte(at)}});
    }
    const char* end = text_.data() + text_.size();
    if (!nlohmann::json::sax_parse(TrackingIterator(text_.data(), &reached_),
                                   TrackingIterator(end, &reached_), this)) {
      return schema_error({std::move(fault_)});
    }
    return std::move(root_);
  }

  bool null() override { return put(std::monostate()); }
  bool boolean(bool flag) override { return put(flag); }
  bool number_integer(number_integer_t) override { return put(spelled_number()); }
  bool number_unsigned(number_unsigned_t) override { return put(spelled_number()); }
  bool number_float(number_float_t, const string_t&) override { return put(spelled_number()); }
  bool string(string_t& text) override { return put(std::move(text)); }
  bool binary(binary_t&) override { return false; }  // not in JSON text

  bool start_object(std::size_t) override { return open(Content::Object()); }
  bool start_array(std::size_t) override { return open(Content::Array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    auto& members = std::get<Content::Object>(open_.back()->value);
    members.emplace_back().first = std::move(name);
    return true;
  }

  bool parse_error(std::size_t n_read, const std::string&,
                   const nlohmann::json::exception& failure) override {
    constexpr int kOutOfRange = 406;
    const std::string reason = reason_in(failure.what());
    // An end of input counts as one more character read.
    const std::string at = at_byte(n_read == 0 ? 0 : std::min(n_read - 1, text_.size()));
    if (failure.id == kOutOfRange) {
      return fail("number_out_of_range", "a number is beyond the range of a double" + at);
    }
    if (reason.find("ill-formed UTF-8") != std::string::npos) {
      return fail("invalid_utf8", "invalid UTF-8" + at);
    }
    return fail("invalid_json", "invalid JSON: " + reason + at);
  }

 private:
  static std::string at_byte(std::size_t at) {
    return std::string(", byte ").append(std::to_string(at));
  }

  // Where the next value belongs. The address holds until a sibling is added, and siblings are
  // added only after everything inside is complete.
  Content& slot() {
    if (open_.empty()) return root_;
    if (auto* items = std::get_if<Content::Array>(&open_.back()->value)) {
      return items->emplace_back();
    }
    return std::get<Content::Object>(open_.back()->value).back().second;
  }

  template <class T>
  bool put(T value) {
    slot().value.template emplace<T>(std::move(value));
    return true;
  }

  // The parser is at most one character behind the number's last.
  Content::Number spelled_number() const {
    const char* end = reached_;
    if (!is_number_char(end[-1])) --end;
    const char* begin = end;
    while (begin != text_.data() && is_number_char(begin[-1])) --begin;
    return {std::string(begin, end)};
  }

  template <class Container>
  bool open(Container empty) {
    if (open_.size() == kMaxDepth) {
      const auto at = static_cast<std::size_t>(reached_ - text_.data()) - 1;
      return fail("too_deep",
                  "nested deeper than " + std::to_string(kMaxDepth) + " levels" + at_byte(at));
    }
    Content& container = slot();
    container.value.template emplace<Container>(std::move(empty));
    open_.push_back(&container);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool fail(const char* type, std::string msg) {
    fault_ = {.type = type, .loc = loc(), .msg = std::move(msg)};
    return false;
  }

  // Where the parser is: the last key of each open object, the index in each open array.
  std::vector<LocStep> loc() const {
    std::vector<LocStep> steps;
    for (const Content* container : open_) {
      const bool is_innermost = container == open_.back();
      if (const auto* items = std::get_if<Content::Array>(&container->value)) {
        steps.emplace_back(is_innermost ? items->size() : items->size() - 1);
        continue;
      }
      const auto& members = std::get<Content::Object>(container->value);
      if (!members.empty()) steps.emplace_back(members.back().first);
    }
    return steps;
  }

  std::string_view text_;
  const char* reached_;
  Content root_;
  std::vector<Content*> open_;  // containers from the root to the innermost
  Fault fault_;
};

}  // namespace

Result<Content> read_json(std::string_view text) { return Reader(text).read(); }

}  // namespace logit::wire
