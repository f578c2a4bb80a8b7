// `optimise`: the same model with other weights; entry: add_optimise. Tested by
// tests/cli/program_test.sh.
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "command.h"
#include "logit/llama_backend.h"

namespace logit::cli {
namespace {

struct OptimiseArguments {
  std::string in;
  std::string out;
  std::string type = "f16";
};

Error bad_use(const std::string& where, const std::string& message) {
  return {ErrorCode::kConfig, message, where, {}};
}

Result<Output> optimise(const OptimiseArguments& arguments, const Context& context) {
  Result<Settings> settings = resolve_settings(context.flags, context.environment);
  if (!settings) return std::move(settings).error();
  if (arguments.in.empty()) return bad_use("IN", "give the model to read");
  if (arguments.out.empty()) return bad_use("OUT", "give the file to write");
  std::error_code fault;
  if (std::filesystem::equivalent(arguments.in, arguments.out, fault)) {
    return bad_use("OUT", "is the same file as IN");
  }
  const std::size_t n_threads = settings->n_threads > 0 ? settings->n_threads : usable_cores();
  Result<Done> done = convert_model(arguments.in, arguments.out, arguments.type, n_threads);
  if (!done) return std::move(done).error();
  return Output{arguments.out + "\n"};
}

}  // namespace

void add_optimise(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("optimise", "Write a model with other weights");
  const auto arguments = std::make_shared<OptimiseArguments>();
  command->add_option("in", arguments->in, "GGUF file to read")->type_name("IN");
  command->add_option("out", arguments->out, "GGUF file to write")->type_name("OUT");
  command->add_option("--type", arguments->type,
                      "f16 (default), q8_0, q4_0, q4_1, q4_k_m, q5_k_m or q6_k");
  add_settings(*command, context);
  command->callback([arguments, &context] {
    context.action = [arguments, &context] { return optimise(*arguments, context); };
  });
}

}  // namespace logit::cli
