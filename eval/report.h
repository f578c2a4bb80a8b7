// Report: what a run measured, for machines and for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eval/dataset.h"
#include "eval/run.h"
#include "logit/content.h"

namespace logit::eval {

struct Report {
  std::string task;
  std::string type;  // of the question
  std::string model;
  std::string fingerprint;
  std::string readout;  // "label", "text", or "mixed" when rows differ; as used
  std::size_t n = 0;    // rows measured
  std::size_t n_candidates = 0;
  RunResult run;  // its outcomes are moved out
  // Name and value in the order shown; no value: no data, or not defined for these labels.
  std::vector<std::pair<std::string, std::optional<double>>> measures;
  std::optional<double> rows_per_second;
};

Report make_report(const Task& task, RunResult run, const ModelInfo& model);

// One object: "task", "n", "accuracy", "log_loss", "majority", "ece", ..., "rows_per_second",
// "tokens_evaluated", "readout", "model". A measure without data is null.
Content report_json(const Report& report);

// Aligned lines with a final newline; "no data" where there is none.
std::string report_text(const Report& report);

}  // namespace logit::eval
