// Head and Response: an HTTP exchange as plain values, without a socket.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logit::serve {

struct Header {
  std::string name;
  std::string value;
};

// A request without its body.
struct Head {
  std::string method;
  std::string target;  // as sent: "/v1/models?x=1", "http://host/v1/models", "*"
  std::vector<Header> headers;
  int version = 11;  // 10 for HTTP/1.0
};

// What framing needs (Content-Length, Connection, Date) is added by who sends it.
struct Response {
  int status = 200;
  std::vector<Header> headers;
  std::string body;
};

// Letters of ASCII only, so that nothing depends on the locale.
std::string lower_case(std::string_view text);
bool equal_in_any_case(std::string_view a, std::string_view b);
std::string_view trimmed(std::string_view text);  // of spaces and tabs

// The parts of a list such as "a, b": trimmed, empty ones left out.
std::vector<std::string_view> split_list(std::string_view text, char separator = ',');

// The first header of that name; names compare in any case.
std::optional<std::string_view> find_header(const Head& head, std::string_view name);
std::size_t count_headers(const Head& head, std::string_view name);

// "text/plain; charset=utf-8" is "text/plain", in lower case.
std::string media_type(std::string_view content_type);

// A target's parts. The path has no trailing slash, except "/" itself.
struct Target {
  std::string_view authority;  // of an absolute target only
  std::string_view path;
  std::string_view query;  // behind the '?'
};
Target split_target(std::string_view target);

// Whether the query has NAME=1 (or true, yes, on, or nothing after it).
bool is_switched_on(std::string_view query, std::string_view name);

}  // namespace logit::serve
