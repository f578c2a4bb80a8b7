// What the service knows of its model, and the replies that tell it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logit/backend.h"
#include "logit/calibration.h"
#include "logit/classifier.h"
#include "logit/profile.h"
#include "logit/result.h"

namespace logit::serve {

enum class Phase : unsigned char { kLoading, kReady, kStopping };

struct Status {
  Phase phase = Phase::kLoading;
  ModelInfo model;  // this and below: once ready
  Profile profile;
  Readout readout = Readout::kAuto;
  std::optional<Calibration> calibration{};
  std::vector<std::string> open_warnings{};  // of when the model was opened
  std::string reload_fault{};  // why the last SIGHUP changed nothing; empty: it did, or none came
};

Status ready_status(const Classifier& classifier);

// "place: message", for people; the message alone where no place is known.
std::string fault_text(const Error& error);

// Names that answer like the model's own id.
const std::vector<std::string>& model_aliases();

// Whether a request may ask for this model: its own id, an alias, or none.
bool is_known_model(const Status& status, const std::string& name);

// Bodies of /v1/models, and of /healthz and /readyz.
std::string models_json(const Status& status);
std::string health_json(const Status& status);

}  // namespace logit::serve
