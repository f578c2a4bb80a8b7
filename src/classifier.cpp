// The public face of the pipeline. Tested by tests/pipeline/classifier_test.cpp.
#include "logit/classifier.h"

#include <cmath>
#include <utility>

#include "pipeline/answer.h"
#include "pipeline/baseline_cache.h"
#include "pipeline/stages.h"

namespace logit {

struct Classifier::State {
  State(std::unique_ptr<Backend> model, ClassifierOptions chosen, Profile known)
      : backend(std::move(model)),
        options(std::move(chosen)),
        profile(std::move(known)),
        baselines(options.baseline_entries) {}

  std::unique_ptr<Backend> backend;
  ClassifierOptions options;
  Profile profile;
  pipeline::BaselineCache baselines;
};

namespace {

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
  return Classifier(
      std::make_unique<State>(std::move(backend), std::move(options), std::move(*profile)));
}

Result<Reply> Classifier::classify(const Request& request, std::stop_token stop) {
  return std::move(classify(std::span(&request, 1), std::move(stop)).front());
}

std::vector<Result<Reply>> Classifier::classify(std::span<const Request> requests,
                                                std::stop_token stop) {
  return pipeline::answer(*state_->backend, state_->options, state_->profile, state_->baselines,
                          requests, std::move(stop));
}

Result<Usage> Classifier::measure(const Request& request) const {
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
  return {state_->backend->prefix_memory(), state_->baselines.size()};
}

}  // namespace logit
