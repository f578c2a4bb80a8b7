// From what both rounds read of a question to its answer.
#pragma once

#include <span>

#include "pipeline/answer.h"
#include "pipeline/stages.h"

namespace logit::pipeline {

struct Evidence {
  const Question& question;
  const Reading& reading;
  const Judged& judged;
  const SecondReading& second;
  std::span<const double> outputs;  // of both rounds
};

// Mixes, maps, normalises and concludes; says whether to abstain and to accept; teaches the running
// prior where there is one.
Answer decide(const Setup& setup, const Evidence& evidence);

}  // namespace logit::pipeline
