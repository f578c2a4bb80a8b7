// A Classifier on a scripted backend, and what its answers are asked for.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "logit/classifier.h"
#include "pipeline/sample_questions.h"
#include "support/scripted_backend.h"

namespace logit::testing {

struct Made {
  Classifier classifier;
  ScriptedBackend* backend;  // owned by the classifier
};

inline Made make(ClassifierOptions options = {}, Way way = {Readout::kText, FrameKind::kPlain}) {
  auto backend = std::make_unique<ScriptedBackend>();
  ScriptedBackend* engine = backend.get();
  options.profile = profile_of(way, engine->info().fingerprint);
  auto classifier = Classifier::create(std::move(backend), std::move(options));
  EXPECT_TRUE(classifier);
  return {std::move(*classifier), engine};
}

inline std::vector<double> answer_of(const Result<Reply>& reply, std::size_t question = 0) {
  EXPECT_TRUE(reply);
  return reply->answers[question].probabilities;
}

}  // namespace logit::testing
