// `info`: what the model is and what the probe found; entry: add_info. Tested by
// tests/cli/program_test.sh.
#include <utility>

#include "command.h"
#include "describe_model.h"
#include "interrupt.h"
#include "logit/content.h"
#include "open_classifier.h"

namespace logit::cli {
namespace {

Result<Output> info(const Context& context) {
  Result<Settings> settings = resolve_settings(context.flags, context.environment);
  if (!settings) return std::move(settings).error();
  const Interrupt interrupt;
  Result<Opened> opened = open_classifier(*settings, context, interrupt.token());
  if (!opened) return std::move(opened).error();
  const ModelDescription description{opened->classifier.model(), opened->frames,
                                     opened->classifier.profile(), opened->profile_file.string(),
                                     opened->is_probed_now};
  if (context.format == Format::kJson) {
    return Output{compact_json(description_json(description)) + "\n"};
  }
  return Output{description_text(description, context.out)};
}

}  // namespace

void add_info(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("info", "Tell what the model is and can do");
  add_json_flag(*command, context, "The same as one JSON object");
  add_settings(*command, context);
  command->callback([&context] { context.action = [&context] { return info(context); }; });
}

}  // namespace logit::cli
