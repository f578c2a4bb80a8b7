// `selftest`: whether a model keeps its promises on this machine; entry: add_selftest. Tested by
// tests/cli/program_test.sh.
#include <memory>
#include <utility>

#include "command.h"
#include "interrupt.h"
#include "logit/backend.h"
#include "logit/content.h"
#include "open_classifier.h"
#include "progress.h"
#include "selftest_checks.h"

namespace logit::cli {
namespace {

constexpr int kExitFailed = 1;

std::string summary(const ModelInfo& model) {
  return model.architecture + ", " + model.kind + ", context " + std::to_string(model.n_context) +
         ", threads " + std::to_string(model.n_threads);
}

// What needs the backend itself, before a classifier owns it.
std::vector<Check> backend_checks(Backend& backend) {
  std::vector<Check> checks = {{"opened " + backend.info().id, true, summary(backend.info())}};
  checks.push_back(check_of("contracts of an engine", verify_backend(backend), "kept"));
  checks.push_back(check_of("labels are one token each", verify_label_ids(backend),
                            std::to_string(backend.info().labels.size()) + " labels"));
  return checks;
}

// Adds the probe and the agreement of answers. Errors: kCancelled; any other is a broken check.
Result<Done> add_answer_checks(std::vector<Check>& checks, std::unique_ptr<Backend> backend,
                               const Settings& settings, const Context& context,
                               std::stop_token stop) {
  ProgressBar bar("probing " + backend->info().id, context.err);
  Result<Profile> profile = probe(
      *backend, [&bar](std::size_t done, std::size_t total) { bar.update(done, total); }, stop);
  if (!profile) {
    if (profile.error().code == ErrorCode::kCancelled) return std::move(profile).error();
    checks.push_back({"probe", false, profile.error().message});
    return Done{};
  }
  ClassifierOptions options = settings.classifier;
  options.profile = *profile;
  Result<Classifier> classifier = Classifier::create(std::move(backend), std::move(options));
  if (!classifier) {
    checks.push_back({"a classifier", false, classifier.error().message});
    return Done{};
  }
  for (Check& check : agreement_checks(*classifier, stop)) checks.push_back(std::move(check));
  for (Check& check : probe_checks(*profile)) checks.push_back(std::move(check));
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the self-test was cancelled"};
  return Done{};
}

Result<Output> selftest(const Context& context) {
  Result<Settings> settings = resolve_settings(context.flags, context.environment);
  if (!settings) return std::move(settings).error();
  const Interrupt interrupt;
  Result<std::unique_ptr<Backend>> backend = open_backend(*settings, context);
  if (!backend) return std::move(backend).error();
  const std::string id = (*backend)->info().id;
  std::vector<Check> checks = backend_checks(**backend);
  Result<Done> added =
      add_answer_checks(checks, *std::move(backend), *settings, context, interrupt.token());
  if (!added) return std::move(added).error();
  const int code = all_passed(checks) ? 0 : kExitFailed;
  if (context.format == Format::kJson) {
    return Output{compact_json(checks_json(id, checks)) + "\n", code};
  }
  return Output{checks_text(checks, context.out), code};
}

}  // namespace

void add_selftest(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("selftest", "Check that a model keeps its promises on this machine");
  command
      ->add_option_function<std::string>(
          "selftest_model", [&context](const std::string& path) { context.flags["model"] = path; },
          "GGUF file or id, instead of --model")
      ->type_name("MODEL");
  add_json_flag(*command, context, "The same as one JSON object");
  add_settings(*command, context);
  command->callback([&context] { context.action = [&context] { return selftest(context); }; });
}

}  // namespace logit::cli
