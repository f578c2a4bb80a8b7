// `config`: every setting and where it comes from; entry: add_config. Tested by
// tests/cli/program_test.sh.
#include <utility>

#include "command.h"
#include "describe_settings.h"
#include "logit/content.h"
#include "serve_settings.h"

namespace logit::cli {
namespace {

Result<Output> config(const Context& context) {
  Result<Settings> settings = resolve_settings(context.flags, context.environment);
  if (!settings) return std::move(settings).error();
  const Result<serve::ServerOptions> service =
      resolve_serve_settings(context.flags, context.environment);
  if (!service) return service.error();
  for (SettingValue& value : serve_setting_values(context.flags, context.environment)) {
    settings->values.push_back(std::move(value));
  }
  if (context.format == Format::kJson) {
    return Output{compact_json(settings_json(*settings)) + "\n"};
  }
  return Output{settings_text(*settings)};
}

}  // namespace

void add_config(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("config", "Show every setting and its source");
  add_json_flag(*command, context, "The same as one JSON object");
  add_settings(*command, context);
  add_serve_settings(*command, context);
  command->callback([&context] { context.action = [&context] { return config(context); }; });
}

}  // namespace logit::cli
