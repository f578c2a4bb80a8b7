// JsonLine: writes one line of JSON, member by member.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "logit/content.h"
#include "logit/wire.h"

namespace logit::wire {

// Puts the commas; what nests where is up to the caller. Keys and texts are UTF-8.
class JsonLine {
 public:
  void open(char bracket) {
    comma();
    out_ += bracket;
    needs_comma_ = false;
  }
  void close(char bracket) {
    out_ += bracket;
    needs_comma_ = true;
  }
  void key(std::string_view name) {
    comma();
    append_json_string(out_, name);
    out_ += ':';
    needs_comma_ = false;
  }

  void text(std::string_view value) {
    comma();
    append_json_string(out_, value);
  }
  void number(double value) { raw(format_double(value)); }
  void count(std::size_t value) { raw(std::to_string(value)); }
  void flag(bool value) { raw(value ? "true" : "false"); }
  // NaN, which JSON does not have, stands for no number: null.
  void numbers(std::span<const double> values) {
    open('[');
    for (const double value : values) {
      if (std::isnan(value)) {
        raw("null");
      } else {
        number(value);
      }
    }
    close(']');
  }
  // REQUIRES: value is JSON on one line.
  void raw(std::string_view value) {
    comma();
    out_ += value;
  }

  // The same as members of an object.
  void open(std::string_view name, char bracket) {
    key(name);
    open(bracket);
  }
  void text(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }
  void number(std::string_view name, double value) {
    key(name);
    number(value);
  }
  void count(std::string_view name, std::size_t value) {
    key(name);
    count(value);
  }
  void flag(std::string_view name, bool value) {
    key(name);
    flag(value);
  }
  void numbers(std::string_view name, std::span<const double> values) {
    key(name);
    numbers(values);
  }
  void raw(std::string_view name, std::string_view value) {
    key(name);
    raw(value);
  }

  std::string take() && { return std::move(out_); }

 private:
  void comma() {
    if (needs_comma_) out_ += ',';
    needs_comma_ = true;
  }

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace logit::wire
