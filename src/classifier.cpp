// The public face of the pipeline. Tested by tests/pipeline/classifier_test.cpp.
#include "logit/classifier.h"

#include <chrono>
#include <cmath>
#include <mutex>
#include <utility>

#include "logit/running_prior.h"
#include "pipeline/answer.h"
#include "pipeline/baseline_cache.h"
#include "pipeline/stages.h"

namespace logit {

using Clock = std::chrono::steady_clock;

struct Classifier::State {
  State(std::unique_ptr<Backend> model, ClassifierOptions chosen, Profile known)
      : backend(std::move(model)),
        options(std::move(chosen)),
        profile(std::move(known)),
        baselines(options.baseline_entries) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  // Nobody is left to be told of a failure here: callers who want to know call save_prior() before.
  ~State() { static_cast<void>(save_unsaved()); }

  Result<Done> save_unsaved() {
    prior_saved = Clock::now();
    if (!running_prior || !running_prior->has_unsaved()) return Done{};
    return running_prior->save(warnings);
  }

  std::unique_ptr<Backend> backend;
  ClassifierOptions options;
  Profile profile;
  pipeline::BaselineCache baselines;
  std::optional<Calibration> shipped{};
  std::optional<PriorStore> running_prior{};
  Clock::time_point prior_saved = Clock::now();
  std::vector<std::string> warnings{};
  mutable std::mutex turn{};  // held by the call that uses the backend or changes what is kept
};

namespace {

// Seconds of traffic that a crash may cost the running prior.
constexpr std::chrono::seconds kPriorSaveInterval{5};

Result<Done> check_prior(const ClassifierOptions& options) {
  if (options.prior != PriorSource::kRunning) return Done{};
  if (!options.calibration) return Done{};
  return Error{ErrorCode::kConfig,
               "a running prior and a calibration exclude each other: the calibration's maps were "
               "fitted without it",
               "prior"};
}

std::optional<Calibration> usable_shipped(const std::string& fingerprint, PriorSource prior) {
  std::optional<Calibration> shipped = shipped_calibration(fingerprint);
  if (shipped && shipped->prompts != Profile::kVersion) return std::nullopt;
  if (shipped && prior == PriorSource::kRunning) return temperatures_of(*std::move(shipped));
  return shipped;
}

Result<Done> check(const Backend& backend, const ClassifierOptions& options) {
  if (options.temperature && !(*options.temperature > 0 && std::isfinite(*options.temperature))) {
    return Error{ErrorCode::kConfig, "the temperature must be a positive number", "temperature"};
  }
  if (options.max_request_tokens == 0) {
    return Error{ErrorCode::kConfig, "a request must be allowed at least one token", "max_tokens"};
  }
  if (options.profile && options.profile->fingerprint != backend.info().fingerprint) {
    return Error{ErrorCode::kConfig, "the profile belongs to another model", "profile"};
  }
  if (options.orders && *options.orders == 0) {
    return Error{ErrorCode::kConfig, "there must be at least one order", "permutations"};
  }
  if (options.orders && options.more_orders_in_doubt) {
    return Error{ErrorCode::kConfig, "a number of orders is fixed or adaptive, not both",
                 "permutations"};
  }
  if (options.calibration) {
    Result<Done> fits =
        check_calibration(*options.calibration, backend.info().fingerprint, Profile::kVersion);
    if (!fits) return fits;
  }
  if (Result<Done> prior = check_prior(options); !prior) return prior;
  if (!options.frame) return Done{};
  for (const Frame& frame : backend.frames()) {
    if (frame.kind == *options.frame) return Done{};
  }
  return Error{ErrorCode::kConfig,
               std::string("the model has no ") + frame_kind_name(*options.frame) + " frame",
               "frame"};
}

}  // namespace

Classifier::Classifier(std::unique_ptr<State> state) : state_(std::move(state)) {}
Classifier::Classifier(Classifier&&) noexcept = default;
Classifier& Classifier::operator=(Classifier&&) noexcept = default;

Classifier::~Classifier() = default;

Result<Classifier> Classifier::create(std::unique_ptr<Backend> backend, ClassifierOptions options,
                                      const Progress& progress) {
  Result<Done> valid = check(*backend, options);
  if (!valid) return valid.error();
  Result<Done> labels = verify_label_ids(*backend);
  if (!labels) return labels.error();
  std::optional<Profile> profile = options.profile;
  if (!profile) {
    Result<Profile> probed = probe(*backend, progress);
    if (!probed) return probed.error();
    profile = std::move(*probed);
  }
  auto state = std::make_unique<State>(std::move(backend), std::move(options), std::move(*profile));
  const std::string& fingerprint = state->backend->info().fingerprint;
  state->shipped = usable_shipped(fingerprint, state->options.prior);
  if (state->options.prior == PriorSource::kRunning) {
    state->running_prior = PriorStore::open(state->options.prior_path, fingerprint,
                                            Profile::kVersion, state->warnings);
  }
  return Classifier(std::move(state));
}

Result<Reply> Classifier::classify(const Request& request, std::stop_token stop) {
  return std::move(classify(std::span(&request, 1), std::move(stop)).front());
}

std::vector<Result<Reply>> Classifier::classify(std::span<const Request> requests,
                                                std::stop_token stop) {
  const std::lock_guard turn(state_->turn);
  pipeline::Setup setup{*state_->backend, state_->options, state_->profile, state_->baselines};
  if (state_->options.calibration) setup.calibrations.own = &*state_->options.calibration;
  if (state_->shipped) setup.calibrations.shipped = &*state_->shipped;
  if (state_->running_prior) setup.running_prior = &*state_->running_prior;
  std::vector<Result<Reply>> replies = pipeline::answer(setup, requests, std::move(stop));
  if (Clock::now() - state_->prior_saved > kPriorSaveInterval) {
    // A failure costs no request; the warning tells.
    static_cast<void>(state_->save_unsaved());
  }
  return replies;
}

Result<Done> Classifier::set_calibration(std::optional<Calibration> calibration) {
  const std::lock_guard turn(state_->turn);
  ClassifierOptions options = state_->options;
  options.calibration = std::move(calibration);
  Result<Done> valid = check(*state_->backend, options);
  if (!valid) return valid;
  state_->options = std::move(options);
  return Done{};
}

Result<Done> Classifier::save_prior() {
  const std::lock_guard turn(state_->turn);
  return state_->save_unsaved();
}

std::vector<std::string> Classifier::take_warnings() {
  const std::lock_guard turn(state_->turn);
  return std::exchange(state_->warnings, {});
}

Result<Usage> Classifier::measure(const Request& request) const {
  const std::lock_guard turn(state_->turn);
  const pipeline::Plan planned = pipeline::plan(*state_->backend, state_->options, state_->profile,
                                                state_->baselines, std::span(&request, 1));
  const Result<pipeline::RequestPlan>& one = planned.requests.front();
  if (!one) return one.error();
  return Usage{one->input_tokens, 0};
}

const ModelInfo& Classifier::model() const { return state_->backend->info(); }
const Profile& Classifier::profile() const { return state_->profile; }
const ClassifierOptions& Classifier::options() const { return state_->options; }

MemoryUse Classifier::memory_use() const {
  const std::lock_guard turn(state_->turn);
  return {state_->backend->prefix_memory(), state_->baselines.size()};
}

}  // namespace logit
