// Classifier: requests in, calibrated probabilities out.
//
//   auto backend = logit::open_llama_backend({.path = "model.gguf"});
//   auto classifier = logit::Classifier::create(std::move(*backend), {});
//   auto reply = classifier->classify(request);
//
// The numbers of a question depend on the model, the options below, the state and the question:
// not on the other questions, the order of questions or options, or what was asked before.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "logit/backend.h"
#include "logit/calibration.h"
#include "logit/profile.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit {

// How the levels of a score are read.
enum class ScoreMethod : unsigned char {
  kJoint,        // all levels compete in one question (default)
  kIndependent,  // each level is judged alone, yes or no
};

// Which questions also say how likely it is that no candidate is right (Answer::abstain).
enum class Abstain : unsigned char {
  kOff,
  kChoice,  // choices (default)
  kAll,     // choices and nouls
};

// What is subtracted from the scores before they become probabilities.
enum class PriorSource : unsigned char {
  kNone,
  kFitted,   // the calibration's, where it has one (default)
  kRunning,  // learned from the traffic: answers then depend on what was asked before
};

struct ClassifierOptions {
  // What is read
  Readout readout = Readout::kAuto;
  std::optional<FrameKind> frame{};  // unset: the profile decides
  ScoreMethod score_method = ScoreMethod::kJoint;
  Abstain abstain = Abstain::kChoice;
  // Orders in which the label readout lists the candidates, averaged in log space; unset: 2. A
  // choice has at most as many as candidates that it lists, the other types at most 2.
  std::optional<std::size_t> orders{};
  // Lists a choice in up to two orders more where the first two have different leaders; not one of
  // so many options that only the leaders are listed. REQUIRES: orders is unset.
  bool more_orders_in_doubt = false;
  std::optional<double>
      temperature{};  // > 0; unset: the default of the readout, see docs/readout.md
  // What rows taught. Unset: what is known of this model, or the readout's default temperature. A
  // temperature above replaces its maps. Errors of create(): kConfig when it is of another model.
  std::optional<Calibration> calibration{};
  PriorSource prior = PriorSource::kFitted;
  std::filesystem::path prior_path{};  // of the running prior's file; empty: it lives in memory
  // What `auto` knows; unset: create() runs the probe.
  std::optional<Profile> profile{};
  // What one call may cost
  std::size_t max_request_tokens = 196608;  // of one request's tree; above it kTooLong
  std::size_t baseline_entries = 1024;      // baselines kept; a question has two at most
};

// What a Classifier keeps for later requests.
struct MemoryUse {
  PrefixMemory prefixes{};
  std::size_t n_baselines = 0;  // of questions, two at most of each
};

// Owns the backend. Thread-safe: calls from several threads wait for one another, as there is one
// model (a stop is heeded once the call's turn has come); several requests in one call are faster
// than several calls. Moving one, destroying one and reading options() beside set_calibration()
// are not.
class Classifier {
 public:
  // Runs verify_label_ids and, without a profile, the probe. Errors: kConfig for options out of
  // range or a frame the model does not have, those of the checks and of evaluate().
  static Result<Classifier> create(std::unique_ptr<Backend> backend, ClassifierOptions options,
                                   const Progress& progress = {});

  Classifier(Classifier&&) noexcept;
  Classifier& operator=(Classifier&&) noexcept;
  ~Classifier();

  Result<Reply> classify(const Request& request, std::stop_token stop = {});

  // One result per request, in order; what requests share is evaluated once. A request that
  // cannot be answered does not disturb the others.
  std::vector<Result<Reply>> classify(std::span<const Request> requests, std::stop_token stop = {});

  // The usage of classify(request) without its second round, which hangs on the first
  // (Diagnostics::second_round_tokens), or the error it would have before any evaluation (kTooLong,
  // kConfig). For callers who answer a large request in parts.
  Result<Usage> measure(const Request& request) const;

  // Takes another calibration from the next request on, or none. Errors: as create(); the old one
  // stays.
  Result<Done> set_calibration(std::optional<Calibration> calibration);

  // Writes what the running prior has learned since it was last written; done now and then by
  // itself, and when the classifier goes, which can tell nobody of a failure. Errors: kFile, kBusy,
  // kConfig; nothing is lost then, the next call tries again.
  Result<Done> save_prior();

  // What a person should know of the running prior's file since the last call: after create() that
  // it cannot be written, later that a save failed. Nothing twice before a save has succeeded.
  std::vector<std::string> take_warnings();

  const ModelInfo& model() const;
  const Profile& profile() const;
  const ClassifierOptions& options() const;
  MemoryUse memory_use() const;

 private:
  struct State;
  explicit Classifier(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace logit
