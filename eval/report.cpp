// Turns a run into a report; entry: make_report. Tested by tests/cli/report_test.cpp.
#include "eval/report.h"

#include <algorithm>
#include <cmath>

#include "eval/calibration.h"
#include "eval/labels.h"
#include "eval/metrics.h"
#include "eval/selective.h"

namespace logit::eval {
namespace {

constexpr std::size_t kFewOptions = 10;  // above: the error of each option is worth a look, too

using Measures = std::vector<std::pair<std::string, std::optional<double>>>;

std::string readout_of(const RunResult& run) {
  std::string readout = "none";
  for (const Prediction& row : run.predictions) {
    if (!row.label) continue;
    const char* name = readout_name(row.answer.readout);
    if (readout != "none" && readout != name) return "several";
    readout = name;
  }
  return readout;
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void add_calibration(Measures& measures, const Outcomes& outcomes) {
  const Judged rows = judged(outcomes);
  measures.emplace_back("ece", calibration_error(outcomes));
  const auto interval = calibration_error_interval(rows.confidence, rows.right);
  measures.emplace_back("ece_low", interval ? std::optional(interval->low) : std::nullopt);
  measures.emplace_back("ece_high", interval ? std::optional(interval->high) : std::nullopt);
  measures.emplace_back("ece_by_chance", calibration_error_by_chance(rows.confidence));
  if (outcomes.n_candidates > kFewOptions) {
    measures.emplace_back("classwise_ece", classwise_calibration_error(outcomes));
  }
  measures.emplace_back("aurc", area_under_risk_coverage(rows.confidence, rows.right));
  measures.emplace_back("coverage_at_5_risk", coverage_at_risk(rows.confidence, rows.right, .05));
  measures.emplace_back("coverage_at_1_risk", coverage_at_risk(rows.confidence, rows.right, .01));
}

void add_of_type(Measures& measures, const Outcomes& outcomes, QuestionType type) {
  if (type == QuestionType::kNoul) measures.emplace_back("auroc", auroc(outcomes));
  if (type != QuestionType::kScore) return;
  measures.emplace_back("mae", mean_absolute_error(outcomes));
  measures.emplace_back("within_1", within_one(outcomes));
  measures.emplace_back("rps", ranked_probability_score(outcomes));
  measures.emplace_back("quadratic_kappa", quadratic_kappa(outcomes));
}

// What the answers themselves say of how they were read.
void add_readout(Measures& measures, const RunResult& run) {
  std::vector<double> mass;
  std::vector<double> spread;
  std::vector<double> temperatures;
  for (const Prediction& row : run.predictions) {
    if (!row.label) continue;
    temperatures.push_back(row.answer.temperature);
    if (row.answer.label_mass) mass.push_back(*row.answer.label_mass);
    if (row.answer.order_spread) spread.push_back(*row.answer.order_spread);
  }
  if (!mass.empty()) measures.emplace_back("label_mass", mean(mass));
  if (!spread.empty()) measures.emplace_back("order_spread", mean(spread));
  if (!temperatures.empty()) measures.emplace_back("temperature", mean(temperatures));
}

// How the calibration's promise holds on these rows. A row without a verdict (read in a way that
// was not calibrated) is not accepted.
void add_accepted(Measures& measures, const RunResult& run) {
  bool is_judged = false;
  std::vector<double> accepted;
  std::vector<double> wrong;
  for (const Prediction& row : run.predictions) {
    if (!row.label) continue;
    is_judged = is_judged || row.answer.accept.has_value();
    accepted.push_back(row.answer.accept.value_or(false) ? 1 : 0);
    if (accepted.back() == 1) wrong.push_back(row.answer.best == *row.label ? 0 : 1);
  }
  if (!is_judged) return;
  measures.emplace_back("accept_coverage", mean(accepted));
  measures.emplace_back("accept_risk", mean(wrong));
}

// Two ways to tell rows without a right answer from the others: what the model says of "none of
// these", and how little it gives its best candidate.
struct Doubt {
  std::vector<double> abstain;
  std::vector<double> distrust;

  void add(const Answer& answer) {
    if (answer.abstain) abstain.push_back(*answer.abstain);
    distrust.push_back(1 - answer.probabilities[answer.best]);
  }
};

void add_doubt(Measures& measures, const std::string& prefix, const Doubt& without_answer,
               const Doubt& with_answer) {
  measures.emplace_back(prefix + "abstain_auroc",
                        auroc(without_answer.abstain, with_answer.abstain));
  measures.emplace_back(prefix + "distrust_auroc",
                        auroc(without_answer.distrust, with_answer.distrust));
}

void add_abstain(Measures& measures, const RunResult& run) {
  Doubt in_scope;
  Doubt out_of_scope;
  for (const Prediction& row : run.predictions)
    (row.label ? in_scope : out_of_scope).add(row.answer);
  if (!out_of_scope.distrust.empty()) add_doubt(measures, "", out_of_scope, in_scope);
  Doubt gold_left;
  Doubt gold_removed;
  for (const Removal& row : run.removals) (row.is_gold ? gold_removed : gold_left).add(row.answer);
  if (!run.removals.empty()) add_doubt(measures, "drop_gold_", gold_removed, gold_left);
}

// How much the answer depends on the order in which options were sent.
void add_order(Measures& measures, const RunResult& run) {
  std::vector<double> flips;
  std::vector<double> distances;
  for (const Prediction& row : run.predictions) {
    if (row.reversed.empty()) continue;
    flips.push_back(first_maximum(row.reversed) == row.answer.best ? 0 : 1);
    double distance = 0;
    for (std::size_t k = 0; k < row.reversed.size(); ++k) {
      distance += std::abs(row.reversed[k] - row.answer.probabilities[k]) / 2;
    }
    distances.push_back(distance);
  }
  if (flips.empty()) return;
  measures.emplace_back("flip_rate", mean(flips));
  measures.emplace_back("order_distance", mean(distances));
}

void add_cost(Measures& measures, const RunResult& run) {
  const auto n = static_cast<double>(run.outcomes.size());
  if (n == 0) return;
  measures.emplace_back("tokens_per_row", static_cast<double>(run.input_tokens) / n);
  measures.emplace_back("evaluated_per_row", static_cast<double>(run.evaluated_tokens) / n);
  measures.emplace_back("ms_per_row", run.seconds * 1000 / n);
}

Measures measures_of(const RunResult& run, QuestionType type) {
  const Outcomes& outcomes = run.outcomes;
  Measures measures;
  measures.emplace_back("accuracy", accuracy(outcomes));
  measures.emplace_back("accuracy_se", accuracy_standard_error(outcomes));
  measures.emplace_back("balanced_accuracy", balanced_accuracy(outcomes));
  measures.emplace_back("macro_f1", macro_f1(outcomes));
  measures.emplace_back("majority", majority(outcomes));
  measures.emplace_back("log_loss", log_loss(outcomes));
  measures.emplace_back("brier", brier(outcomes));
  add_calibration(measures, outcomes);
  add_of_type(measures, outcomes, type);
  add_readout(measures, run);
  add_accepted(measures, run);
  add_abstain(measures, run);
  add_order(measures, run);
  add_cost(measures, run);
  return measures;
}

}  // namespace

std::optional<double> Report::measure(std::string_view name) const {
  for (const auto& [known, value] : measures) {
    if (known == name) return value;
  }
  return std::nullopt;
}

Report make_report(const Task& task, RunResult run, const ModelInfo& model) {
  Report report;
  report.task = task.name;
  report.type = question_type_name(task.question.type);
  report.model = model.id;
  report.fingerprint = model.fingerprint;
  report.readout = readout_of(run);
  report.n = run.outcomes.size();
  report.n_candidates = run.outcomes.n_candidates;
  report.candidates = candidate_names(task.question);
  report.question = task.question;
  report.measures = measures_of(run, task.question.type);
  if (report.n > 0 && run.seconds > 0) {
    report.rows_per_second = static_cast<double>(report.n) / run.seconds;
  }
  report.run = std::move(run);
  return report;
}

}  // namespace logit::eval
