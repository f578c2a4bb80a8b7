// Checks keys, hosts and origins; entries: those of access.h. Tested by
// tests/serve/access_test.cpp.
#include "access.h"

#include <algorithm>
#include <cstddef>

namespace logit::serve {
namespace {

// Every byte of both is looked at, whatever the first difference is.
bool equal_in_constant_time(std::string_view given, std::string_view key) {
  bool differs = given.size() != key.size();
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = key.empty() ? '\0' : key[i % key.size()];
    differs = differs | (given[i] != other);
  }
  return !differs;
}

std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, std::min(host.find(']') + 1, host.size()));
  return host.substr(0, host.find(':'));
}

// 127.0.0.0/8, written as four numbers.
bool is_loopback_v4(std::string_view name) {
  if (!name.starts_with("127.")) return false;
  return name.find_first_not_of("0123456789.") == std::string_view::npos &&
         std::count(name.begin(), name.end(), '.') == 3;
}

std::string_view authority_of(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  return scheme == std::string_view::npos ? std::string_view() : origin.substr(scheme + 3);
}

}  // namespace

bool has_key(const Access& access, std::string_view authorization) {
  if (access.keys.empty()) return true;
  constexpr std::string_view kScheme = "bearer ";
  if (!equal_in_any_case(authorization.substr(0, kScheme.size()), kScheme)) return false;
  const std::string_view given = trimmed(authorization.substr(kScheme.size()));
  bool found = false;
  for (const std::string& key : access.keys) {
    // Not ||: the keys behind the right one are compared, too.
    found = equal_in_constant_time(given, key) | found;
  }
  return found;
}

bool is_loopback_host(std::string_view host) {
  const std::string_view name = without_port(host);
  return equal_in_any_case(name, "localhost") || name == "[::1]" || is_loopback_v4(name);
}

bool may_use_host(const Access& access, std::string_view host) {
  return access.reach != Reach::kLoopback || !access.keys.empty() || is_loopback_host(host);
}

Origin classify_origin(const Access& access, const Head& head) {
  const auto origin = find_header(head, "Origin");
  if (!origin) return Origin::kNone;
  const std::string_view own = find_header(head, "Host").value_or("");
  if (!own.empty() && equal_in_any_case(authority_of(*origin), own)) return Origin::kNone;
  for (const std::string& allowed : access.origins) {
    if (allowed == "*" || equal_in_any_case(allowed, *origin)) return Origin::kAllowed;
  }
  return Origin::kForeign;
}

}  // namespace logit::serve
