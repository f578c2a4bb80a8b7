// Runs a dataset through a Classifier. Single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "eval/dataset.h"
#include "eval/metrics.h"
#include "logit/classifier.h"
#include "logit/profile.h"
#include "logit/result.h"

namespace logit::eval {

// One row's answer.
struct Prediction {
  std::string id;
  std::optional<std::size_t> label;
  std::string state_hash;  // equal for equal states
  Answer answer;
  std::size_t input_tokens = 0;
  std::vector<double> reversed;  // asked again with its options in reverse, back in order; or empty
};

// One row asked again with one option removed.
struct Removal {
  std::string id;
  std::size_t removed = 0;  // index of the option
  bool is_gold = false;     // it was the right one, so nothing that is left is right
  Answer answer;            // of the options that are left
};

struct RunResult {
  Outcomes outcomes;                // rows with a label that were answered
  std::size_t n_out_of_scope = 0;   // rows without a label
  std::vector<std::string> failed;  // "row id: why", rows that are too long for the model
  // Of the rows with a label, asked once:
  std::size_t input_tokens = 0;  // sum of the replies' usage
  std::size_t evaluated_tokens = 0;
  std::size_t reused_tokens = 0;
  double seconds = 0;
  std::vector<std::string> warnings;  // of the answers and of this run, each once
  std::vector<Prediction>
      predictions;  // rows with a label, then those out of scope that were asked
  std::vector<Removal> removals;
};

struct RunOptions {
  std::size_t block = 16;      // rows a call
  bool asks_reversed = false;  // every row again with options or levels in reverse (not noul)
  bool asks_removed = false;   // every row again with one option removed (choices of 3 and more)
  std::uint64_t seed = 1;      // which option is removed: the right one for half of the rows
};

// Progress counts rows asked. A row that is too long is reported and the run goes on; any other
// error ends it, with the row's id in Error::where. Rows without a label are asked when answers
// carry `abstain`, and counted only when they do not.
Result<RunResult> run(Classifier& classifier, const Dataset& dataset, const RunOptions& options,
                      const Progress& progress = {}, std::stop_token stop = {});

// 16 hexadecimal digits over the state's JSON (FNV-1a).
std::string state_hash(const Content& state);

}  // namespace logit::eval
