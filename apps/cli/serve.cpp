// `serve`: the HTTP service; entry: add_serve. Tested by tests/serve/conformance.sh.
#include <memory>
#include <optional>
#include <utility>

#include "command.h"
#include "load_calibration.h"
#include "open_classifier.h"
#include "serve/server.h"
#include "serve_settings.h"
#include "streams.h"

namespace logit::cli {
namespace {

constexpr const char* kFooter =
    "POST /v1/systemone and /v1/decisions answer; GET /v1/models, /healthz, /readyz, /metrics "
    "tell\n"
    "of the service; GET / is a page to try it. TLS is a proxy's work, see docs/serve.md.\n"
    "SIGTERM, SIGINT and SIGHUP let running requests finish (10 s at most); a second one does "
    "not.\n"
    "With --calibration, SIGHUP reads that file again instead.";

// The first question measures what every first one does; no client should wait for that. A running
// prior would learn from it, at every start, what no client ever asked.
Result<Done> warm_up(Classifier& classifier, std::stop_token stop) {
  Request request;
  request.state = "A short text.";
  Question question;
  question.id = "warm";
  question.instructions = "Is this a text?";
  request.questions.push_back(std::move(question));
  Result<Reply> reply = classifier.classify(request, std::move(stop));
  if (!reply) return std::move(reply).error();
  return Done{};
}

// Shared by the functions of the engine, which std::function may copy.
using SharedClassifier = std::shared_ptr<Classifier>;

Result<serve::OpenedModel> open_model(const Settings& settings, const Context& context,
                                      SharedClassifier& shared, std::stop_token stop) {
  Result<Opened> opened = open_classifier(settings, context, stop);
  if (!opened) return std::move(opened).error();
  shared = std::make_shared<Classifier>(std::move(opened->classifier));
  if (settings.classifier.prior != PriorSource::kRunning) {
    Result<Done> warm = warm_up(*shared, std::move(stop));
    if (!warm) return std::move(warm).error();
  }
  serve::Status status = serve::ready_status(*shared);
  status.open_warnings = std::move(opened->warnings);
  return serve::OpenedModel{serve::make_engine(shared), std::move(status)};
}

// The file that --calibration names, read again.
Result<serve::Status> reload_calibration(const Settings& settings, Classifier& classifier) {
  Result<Calibration> calibration =
      load_calibration_for(classifier.model().fingerprint, settings.calibration);
  if (!calibration) return std::move(calibration).error();
  Result<Done> taken = classifier.set_calibration(*std::move(calibration));
  if (!taken) return std::move(taken).error();
  return serve::ready_status(classifier);
}

void tell_reloaded(const Settings& settings, const Result<Done>& reloaded) {
  if (reloaded) {
    write_stderr("the calibration " + settings.calibration + " is read again\n");
  } else {
    warn(serve::fault_text(reloaded.error()) + "; the calibration in use stays");
  }
}

void tell_listening(const std::vector<serve::Listener>& listeners, const serve::Access& access) {
  for (const serve::Listener& listener : listeners) {
    write_stderr("listening on " + listener.name + "\n");
    if (listener.reach == serve::Reach::kNetwork && access.keys.empty()) {
      warn("everybody who reaches " + listener.name + " may call; see --api-key");
    }
  }
}

Result<Output> serve_requests(const Context& context) {
  Result<Settings> settings = resolve_settings(context.flags, context.environment);
  if (!settings) return std::move(settings).error();
  Result<serve::ServerOptions> options = resolve_serve_settings(context.flags, context.environment);
  if (!options) return std::move(options).error();
  options->signals = serve::Signals::kHandled;
  options->service.extension_prefix = settings->extension_prefix;
  serve::ServerHooks hooks;
  SharedClassifier classifier;
  hooks.open = [&](std::stop_token stop) {
    return open_model(*settings, context, classifier, std::move(stop));
  };
  if (!settings->calibration.empty()) {
    hooks.reload = [&] { return reload_calibration(*settings, *classifier); };
    hooks.on_reloaded = [&](const Result<Done>& reloaded) { tell_reloaded(*settings, reloaded); };
  }
  hooks.on_listening = [&](const std::vector<serve::Listener>& listeners) {
    tell_listening(listeners, options->service.access);
  };
  Result<Done> served = serve::run_server(*options, hooks);
  std::optional<PriorSaver> saver;
  if (classifier) saver.emplace(*classifier);
  if (!served) return std::move(served).error();
  return Output{};
}

}  // namespace

void add_serve(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("serve", "Answer requests over HTTP");
  add_serve_settings(*command, context);
  add_settings(*command, context);
  command->footer(kFooter);
  command->callback(
      [&context] { context.action = [&context] { return serve_requests(context); }; });
}

}  // namespace logit::cli
