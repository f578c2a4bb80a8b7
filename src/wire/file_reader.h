// FileReader: takes values out of a JSON document of our own making, and trusts nothing in it.
#pragma once

#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "logit/content.h"
#include "logit/result.h"

namespace logit::wire {

// A value of the file and its place, or null where there is none.
struct Node {
  const Content* value = nullptr;
  std::string place;
};

// Keeps the first thing that is wrong. After it reads go on with defaults, so that only the end
// has to look.
class FileReader {
 public:
  // `what` is the kind of file, for errors: "profile".
  explicit FileReader(std::string what) : what_(std::move(what)) {}

  const std::optional<Error>& error() const { return error_; }
  void fail(const Node& node, std::string message);

  // Fails for any version but `ours`.
  void check_version(const Node& node, std::size_t ours);

  Node member(const Node& node, std::string_view key);    // fails where there is none
  Node optional(const Node& node, std::string_view key);  // null where there is none
  std::vector<Node> items(const Node& node);
  std::string text(const Node& node);
  std::vector<std::string> texts(const Node& node);
  bool flag(const Node& node);
  double number(const Node& node, double least, double most);
  std::vector<double> numbers(const Node& node, double least, double most);
  std::size_t count(const Node& node);

  template <class Enum>
  Enum named(const Node& node, std::initializer_list<Enum> all, const char* (*name_of)(Enum)) {
    const std::string name = text(node);
    for (const Enum each : all) {
      if (name == name_of(each)) return each;
    }
    fail(node, "an unknown name");
    return *all.begin();
  }

 private:
  std::string what_;
  std::optional<Error> error_;
};

// Nothing when the value is no number or does not fit. from_chars and not strtod, which reads the
// locale.
template <class T>
std::optional<T> parsed_number(const Content& value) {
  const auto* number = std::get_if<Content::Number>(&value.value);
  if (number == nullptr) return std::nullopt;
  const char* begin = number->spelling.data();
  const char* end = begin + number->spelling.size();
  T parsed{};
  const auto [stop, failure] = std::from_chars(begin, end, parsed);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return parsed;
}

}  // namespace logit::wire
