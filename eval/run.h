// Runs a dataset through a Classifier. Single-threaded.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "eval/dataset.h"
#include "eval/metrics.h"
#include "logit/classifier.h"
#include "logit/profile.h"
#include "logit/result.h"

namespace logit::eval {

struct RunResult {
  Outcomes outcomes;                // rows with a label that were answered
  std::size_t n_out_of_scope = 0;   // rows without a label: counted, not asked
  std::vector<std::string> failed;  // "row id: why", rows that are too long for the model
  std::size_t input_tokens = 0;     // sum of the replies' usage
  std::size_t evaluated_tokens = 0;
  std::size_t reused_tokens = 0;
  double seconds = 0;
  std::size_t n_label_readout = 0;    // answers read off labels; the others off texts
  std::vector<std::string> warnings;  // of the answers, each once
};

struct RunOptions {
  std::size_t block = 16;  // rows a call
};

// Progress counts rows. A row that is too long is reported and the run goes on; any other error
// ends it, with the row's id in Error::where.
Result<RunResult> run(Classifier& classifier, const Dataset& dataset, const RunOptions& options,
                      const Progress& progress = {}, std::stop_token stop = {});

}  // namespace logit::eval
