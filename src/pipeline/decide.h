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
  std::span<const double> outputs;  // of the first round
  const ChannelReading& channel;
  std::span<const double> channel_outputs;  // of the second
};

// Mixes, maps, normalises and concludes; says whether to abstain and to accept; teaches the running
// prior where there is one.
Answer decide(const Setup& setup, const Evidence& evidence);

}  // namespace logit::pipeline
