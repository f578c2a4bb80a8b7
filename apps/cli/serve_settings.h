// Settings of `serve`, beside those of every command: flags and LOGIT_* variables.
#pragma once

#include <span>
#include <vector>

#include "logit/result.h"
#include "serve/server.h"
#include "settings.h"
#include "terminal.h"

namespace logit::cli {

std::span<const SettingSpec> serve_setting_specs();

// What only switches something on: given without a value, or with 0 or 1.
bool is_switch(const SettingSpec& spec);

// All of them with their sources, for people: unchecked, keys hidden.
std::vector<SettingValue> serve_setting_values(const FlagValues& flags,
                                               const Environment& environment);

// A flag beats its variable, a variable beats the default, as in resolve_settings. Reads the file
// of keys. Errors: kConfig and kFile, Error::where is the flag or the variable.
Result<serve::ServerOptions> resolve_serve_settings(const FlagValues& flags,
                                                    const Environment& environment);

}  // namespace logit::cli
