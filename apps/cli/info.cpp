// `info`: what the model is and what the probe found; entry: add_info. Tested by
// tests/cli/program_test.sh.
#include <utility>
#include <vector>

#include "command.h"
#include "describe_model.h"
#include "interrupt.h"
#include "logit/content.h"
#include "logit/llama_backend.h"
#include "open_classifier.h"

namespace logit::cli {
namespace {

// For the context in use first, then for others that the model allows.
Result<std::vector<MemoryPlan>> memory_plans(const ModelInfo& model) {
  std::vector<MemoryPlan> plans;
  std::vector<std::size_t> contexts = {model.n_context};
  for (const std::size_t n : {1024U, 4096U, 8192U, 32768U}) {
    if (n <= model.n_trained && n != model.n_context) contexts.push_back(n);
  }
  for (const std::size_t n : contexts) {
    Result<MemoryPlan> plan = plan_memory(model.path, n);
    if (!plan) return std::move(plan).error();
    plans.push_back(*plan);
  }
  return plans;
}

Result<Output> info(const Context& context) {
  Result<Settings> settings = resolve_settings(context.flags, context.environment);
  if (!settings) return std::move(settings).error();
  const Interrupt interrupt;
  Result<Opened> opened = open_classifier(*settings, context, interrupt.token());
  if (!opened) return std::move(opened).error();
  Result<std::vector<MemoryPlan>> memory = memory_plans(opened->classifier.model());
  if (!memory) return std::move(memory).error();
  const ModelDescription description{opened->classifier.model(),   opened->frames,
                                     opened->classifier.profile(), opened->profile_file.string(),
                                     opened->is_probed_now,        *std::move(memory),
                                     LlamaOptions{}.cache_bytes,   available_memory()};
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
