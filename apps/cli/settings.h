// Settings: what flags and LOGIT_* variables say, checked, each with its source.
//
// A flag beats its variable, a variable beats the default. An empty variable counts as not set,
// except LOGIT_EXTENSION_PREFIX, where empty is a value. Nothing that is set is ignored: a value
// out of range, and a variable of a later version, are refused by name.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logit/classifier.h"
#include "logit/result.h"
#include "terminal.h"

namespace logit::cli {

struct SettingSpec {
  const char* name;      // "max-tokens"; the flag is "--max-tokens"
  const char* variable;  // "LOGIT_MAX_TOKENS"
  const char* fallback;  // the default, as it could be given; "" for none
  const char* values;    // what may be given, for people
  const char* help;
};

std::span<const SettingSpec> setting_specs();

enum class Source : unsigned char { kDefault, kEnvironment, kFlag };
const char* source_name(Source source);  // "default", "environment", "flag"

struct SettingValue {
  const SettingSpec* spec = nullptr;
  std::string text;
  Source source = Source::kDefault;
};

struct Settings {
  std::string model;       // path or id; empty: the embedded default
  std::string models_dir;  // empty: only the usual places
  std::string cache_dir;   // empty: the user's cache folder
  std::size_t n_context = 0;
  std::size_t n_threads = 0;
  std::string extension_prefix;
  std::string calibration;           // path of the file; empty: none
  ClassifierOptions classifier;      // without a profile
  std::vector<SettingValue> values;  // all, in the order of setting_specs()
};

using FlagValues = std::map<std::string, std::string, std::less<>>;  // by SettingSpec::name

// What a flag, a variable or the default says of one setting, unchecked.
SettingValue setting_value(const SettingSpec& spec, const FlagValues& flags,
                           const Environment& environment);

// "--name" or "LOGIT_NAME": where the value came from, for errors.
std::string place_of(const SettingValue& value);

// Errors: kConfig, Error::where is the flag or the variable.
Result<Settings> resolve_settings(const FlagValues& flags, const Environment& environment);

// A whole decimal number and nothing beside it, whatever the locale.
std::optional<double> parse_number(std::string_view text);
std::optional<std::size_t> parse_count(std::string_view text);

// False, with the target untouched, when the text is no count above 0.
bool set_count(std::size_t& target, const std::string& text);

}  // namespace logit::cli
