// Reads and checks the settings of `serve`; entry: resolve_serve_settings. Tested by
// tests/serve/serve_settings_test.cpp.
#include "serve_settings.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eval/read_file.h"
#include "serve/message.h"
#include "serve/notify.h"
#include "text.h"

namespace logit::cli {
namespace {

constexpr SettingSpec kSpecs[] = {
    {"host", "LOGIT_HOST", "127.0.0.1", "an address or a name of this machine",
     "Where to listen; 0.0.0.0 is every network, and wants --api-key"},
    {"port", "LOGIT_PORT", "8077", "a number up to 65535", "Port; 0 takes a free one and tells it"},
    {"unix-socket", "LOGIT_UNIX_SOCKET", "", "a path", "Listen on this socket instead of a port"},
    {"api-key", "LOGIT_API_KEY", "", "keys with commas between, or @FILE with one a line",
     "Callers must send one as Authorization: Bearer KEY; without, everybody may call"},
    {"allow-origin", "LOGIT_ALLOW_ORIGIN", "", "origins with commas between, or *",
     "Web pages of other origins that may call"},
    {"max-body", "LOGIT_MAX_BODY", "32MiB", "a number of bytes, or with KiB, MiB or GiB",
     "Largest request, compressed and not"},
    {"max-bodies", "LOGIT_MAX_BODIES", "256MiB", "a number of bytes, or with KiB, MiB or GiB",
     "Bodies of all requests together; above that 503"},
    {"queue", "LOGIT_QUEUE", "64", "a number above 0",
     "Requests that may wait; above that 503 at once"},
    {"strict-model", "LOGIT_STRICT_MODEL", "0", "0 or 1",
     "Refuse requests for a model of another name"},
    {"listen-early", "LOGIT_LISTEN_EARLY", "0", "0 or 1",
     "Take connections while the model loads, and answer 503"},
    {"log-requests", "LOGIT_LOG_REQUESTS", "1", "0 or 1",
     "One line of JSON a request on standard error, without any state"},
};

bool is_secret(const SettingSpec& spec) { return std::string_view(spec.name) == "api-key"; }

// A key is not shown, not even a wrong one.
Error refused(const SettingValue& value) {
  const std::string shown = is_secret(*value.spec) ? "this" : "'" + value.text + "'";
  return {ErrorCode::kConfig, shown + " is not " + value.spec->values, place_of(value), {}};
}

bool set_port(std::uint16_t& port, const std::string& text) {
  const std::optional<std::size_t> count = parse_count(text);
  if (!count || *count > std::numeric_limits<std::uint16_t>::max()) return false;
  port = static_cast<std::uint16_t>(*count);
  return true;
}

// "32MiB", "512KiB", "1000".
bool set_bytes(std::size_t& target, std::string_view text) {
  std::size_t unit = 1;
  constexpr std::pair<std::string_view, std::size_t> kUnits[] = {
      {"KiB", std::size_t{1} << 10}, {"MiB", std::size_t{1} << 20}, {"GiB", std::size_t{1} << 30}};
  for (const auto& [name, size] : kUnits) {
    if (!text.ends_with(name)) continue;
    unit = size;
    text.remove_suffix(name.size());
    break;
  }
  const std::optional<std::size_t> count = parse_count(text);
  if (!count || *count == 0) return false;
  target = *count * unit;
  return true;
}

template <class Enum>
bool set_switch(Enum& target, Enum off, Enum on, const std::string& text) {
  target = text == "1" ? on : off;
  return text == "0" || text == "1";
}

bool set_origins(std::vector<std::string>& origins, const std::string& text) {
  for (std::string_view part : serve::split_list(text)) {
    if (part != "*" && part.find("://") == std::string_view::npos) return false;
    while (part.ends_with('/')) part.remove_suffix(1);
    origins.emplace_back(part);
  }
  return text.empty() == origins.empty();
}

// Keys are sent in a header: visible ASCII.
bool is_key(std::string_view key) {
  return std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c <= '~'; });
}

Result<Done> set_keys(std::vector<std::string>& keys, const SettingValue& value) {
  std::string text = value.text;
  char separator = ',';
  if (text.starts_with('@')) {
    constexpr std::size_t kLargestFile = 1 << 20;
    Result<std::string> file = eval::read_file(text.substr(1), kLargestFile);
    if (!file) return std::move(file).error();
    text = *std::move(file);
    separator = '\n';
  }
  for (const std::string_view part : serve::split_list(text, separator)) {
    const std::string_view key = trimmed(part);
    if (key.empty()) continue;
    if (!is_key(key)) return refused(value);
    keys.emplace_back(key);
  }
  // An empty key set by mistake must not open the service to everybody.
  if (keys.empty() && value.source != Source::kDefault) return refused(value);
  return Done{};
}

bool apply(serve::ServerOptions& options, const SettingValue& value) {
  const std::string_view name = value.spec->name;
  const std::string& text = value.text;
  if (name == "host") {
    options.endpoints.host = text;
    return !text.empty();
  }
  if (name == "port") return set_port(options.endpoints.port, text);
  if (name == "unix-socket") {
    options.endpoints.unix_socket = text;
    return value.source == Source::kDefault || !text.empty();
  }
  if (name == "allow-origin") return set_origins(options.service.access.origins, text);
  if (name == "max-body") return set_bytes(options.service.max_body, text);
  if (name == "max-bodies") return set_bytes(options.most_body_bytes, text);
  if (name == "queue") return set_count(options.queue, text);
  if (name == "strict-model") {
    return set_switch(options.service.model_names, serve::ModelNames::kAny,
                      serve::ModelNames::kKnown, text);
  }
  if (name == "listen-early") {
    return set_switch(options.listen_from, serve::ListenFrom::kReady, serve::ListenFrom::kStart,
                      text);
  }
  return set_switch(options.log_requests, serve::LogRequests::kOff, serve::LogRequests::kOn, text);
}

}  // namespace

std::span<const SettingSpec> serve_setting_specs() { return kSpecs; }

std::vector<SettingValue> serve_setting_values(const FlagValues& flags,
                                               const Environment& environment) {
  std::vector<SettingValue> values;
  for (const SettingSpec& spec : kSpecs) {
    values.push_back(setting_value(spec, flags, environment));
    if (is_secret(spec) && !values.back().text.empty()) values.back().text = "(hidden)";
  }
  return values;
}

bool is_switch(const SettingSpec& spec) { return std::string_view(spec.values) == "0 or 1"; }

Result<serve::ServerOptions> resolve_serve_settings(const FlagValues& flags,
                                                    const Environment& environment) {
  serve::ServerOptions options;
  for (const SettingSpec& spec : kSpecs) {
    const SettingValue value = setting_value(spec, flags, environment);
    if (is_secret(spec)) {
      Result<Done> set = set_keys(options.service.access.keys, value);
      if (!set) return std::move(set).error();
    } else if (!apply(options, value)) {
      return refused(value);
    }
  }
  if (options.most_body_bytes < options.service.max_body) {
    return Error{ErrorCode::kConfig,
                 "the largest body would never be taken: this is below --max-body",
                 "--max-bodies",
                 {}};
  }
  options.endpoints.n_inherited = serve::count_inherited(environment("LISTEN_PID").value_or(""),
                                                         environment("LISTEN_FDS").value_or(""));
  options.notify_socket = environment("NOTIFY_SOCKET").value_or("");
  return options;
}

}  // namespace logit::cli
