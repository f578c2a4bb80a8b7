// Flags that several commands have; entries: add_settings, add_serve_settings. Tested by
// tests/cli/program_test.sh.
#include "command.h"

#include "serve_settings.h"

namespace logit::cli {
namespace {

CLI::Option* add_setting(CLI::App& command, Context& context, const SettingSpec& spec) {
  const std::string fallback =
      *spec.fallback == '\0' ? "" : "; default " + std::string(spec.fallback);
  const std::string help =
      std::string(spec.help) + " (" + spec.values + fallback + ") [" + spec.variable + "]";
  const std::string name = spec.name;
  return command.add_option_function<std::string>(
      "--" + name, [&context, name](const std::string& text) { context.flags[name] = text; }, help);
}

}  // namespace

void add_settings(CLI::App& command, Context& context) {
  for (const SettingSpec& spec : setting_specs()) {
    add_setting(command, context, spec)->group("Settings");
  }
}

void add_serve_settings(CLI::App& command, Context& context) {
  for (const SettingSpec& spec : serve_setting_specs()) {
    CLI::Option* option = add_setting(command, context, spec)->group("Service");
    if (is_switch(spec)) option->expected(0, 1)->default_str("1");
  }
}

void add_json_flag(CLI::App& command, Context& context, const std::string& help) {
  command.add_flag_callback(
      "--json", [&context] { context.format = Format::kJson; }, help);
}

CLI::Option* add_text(CLI::App& command, const std::string& flag, std::string& target,
                      const std::string& help) {
  return command.add_option(flag, target, help);
}

}  // namespace logit::cli
