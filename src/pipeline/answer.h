// The stages in order: requests to replies.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "logit/backend.h"
#include "logit/classifier.h"
#include "logit/running_prior.h"
#include "pipeline/apply.h"
#include "pipeline/baseline_cache.h"

namespace logit::pipeline {

// Everything an answer depends on. Pointers may be null.
struct Setup {
  Backend& backend;
  const ClassifierOptions& options;
  const Profile& profile;
  BaselineCache& baselines;
  Calibrations calibrations{};
  PriorStore* running_prior = nullptr;  // corrects and learns, in the order of the requests
};

// One result per request, in order. When an evaluation of several fails, each is tried alone, so
// that one request cannot take the others with it. Baselines are kept after success only.
std::vector<Result<Reply>> answer(const Setup& setup, std::span<const Request> requests,
                                  std::stop_token stop);

}  // namespace logit::pipeline
