// Report: what a run measured, for machines and for people.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eval/bootstrap.h"
#include "eval/compare.h"
#include "eval/dataset.h"
#include "eval/run.h"
#include "logit/content.h"

namespace logit::eval {

struct Report {
  std::string task;
  std::string variant;  // name of the settings it ran with; may be empty
  std::string type;     // of the question
  std::string model;
  std::string fingerprint;
  std::string readout;  // as used: "label", "text", ...; "several" when rows differ
  std::size_t n = 0;    // rows measured
  std::size_t n_candidates = 0;
  std::vector<std::string> candidates;  // names of options, levels, or "true" and "false"
  Question question;
  RunResult run;
  // Name and value in the order shown; no value: no data, or not defined for these labels.
  std::vector<std::pair<std::string, std::optional<double>>> measures;
  std::optional<double> rows_per_second;
  // Name and value of what was set for the run; defaults are left out.
  std::vector<std::pair<std::string, std::string>> settings;
  // Against the first variant of the same task; unset for the first.
  std::optional<Comparison> against_first;

  std::optional<double> measure(std::string_view name) const;  // no value, too, when not there
};

Report make_report(const Task& task, RunResult run, const ModelInfo& model);

// One object: "task", "n", "accuracy", "log_loss", "majority", "ece", ..., "rows_per_second",
// "tokens_evaluated", "readout", "model", "rows". A measure without data is null. "rows" has one
// array a column, so that two reports can be compared.
Content report_json(const Report& report);
// The object of a single report; {"reports": [...]} for several.
Content reports_json(std::span<const Report> reports);

// Aligned lines with a final newline; "no data" where there is none.
std::string report_text(const Report& report);
// One line a report, and where there are variants, one line for each against the first.
std::string reports_table(std::span<const Report> reports);

// What compare() needs of a report's rows.
std::vector<ComparableRow> comparable_rows(const Report& report);

}  // namespace logit::eval
