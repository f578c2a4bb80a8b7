// Decides by the rows what may be fitted, and fits one part; entries: allow, fit_part, make_report.
// Tested by tests/calibration/fit_question_test.cpp.
#include "calibration/steps.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "calibration/fit_map.h"
#include "logit/fit.h"

namespace logit::calibration {
namespace {

constexpr double kTemperatureSpread = 0.7;  // of log T around the default: a factor of two
constexpr std::array kPulls = {30.0, 10.0, 3.0, 1.0};  // strong to weak
constexpr std::size_t kInnerFolds = 3;

std::vector<std::size_t> rows_of_labels(std::span<const Sample> samples) {
  std::vector<std::size_t> counts(2);
  for (const Sample& sample : samples) {
    if (sample.label >= counts.size()) counts.resize(sample.label + 1);
    ++counts[sample.label];
  }
  return counts;
}

std::string too_few(const std::string& what, std::size_t n, const char* of, std::size_t needed) {
  return what + " not fitted: " + std::to_string(n) + " " + of + ", at least " +
         std::to_string(needed) + " are needed";
}

void allow_temperature(const Ladder& ladder, Allowance& allowance) {
  const std::vector<Prediction> predictions = ladder.predictions();
  const auto n_errors = static_cast<std::size_t>(
      std::count_if(predictions.begin(), predictions.end(),
                    [](const Prediction& prediction) { return !prediction.is_right; }));
  allowance.has_temperature = n_errors >= kLeastErrors;
  if (!allowance.has_temperature) {
    allowance.notes.push_back(too_few("temperature", n_errors, "wrong answers", kLeastErrors));
  }
}

void allow_tilt(const std::vector<std::size_t>& counts, Allowance& allowance) {
  const auto n_seen = std::count_if(counts.begin(), counts.end(),
                                    [](std::size_t n) { return n >= kLeastClassRows; });
  allowance.has_tilt = n_seen >= 2;
  if (!allowance.has_tilt) {
    allowance.notes.push_back("tilt not fitted: " + std::to_string(kLeastClassRows) +
                              " rows are needed of at least two candidates");
  }
}

void allow_bias(std::vector<std::size_t> counts, std::size_t n, Allowance& allowance) {
  counts.resize(n);
  std::vector<char> has_bias;
  for (const std::size_t count : counts) has_bias.push_back(count >= kLeastClassRows ? 1 : 0);
  const auto n_refused = static_cast<std::size_t>(std::count(has_bias.begin(), has_bias.end(), 0));
  if (n_refused > 0) {
    allowance.notes.push_back("bias not fitted for " + std::to_string(n_refused) + " of " +
                              std::to_string(n) + " candidates: each needs " +
                              std::to_string(kLeastClassRows) + " rows");
  }
  if (n_refused < n) allowance.has_bias = std::move(has_bias);
}

// Platt 1999: (n + 1) / (n + 2) for a class of n rows, so that few rows give no certainty.
void smooth_targets(std::vector<Sample>& samples) {
  const std::vector<std::size_t> counts = rows_of_labels(samples);
  for (Sample& sample : samples) {
    const double n = static_cast<double>(counts[sample.label]);
    sample.target = (n + 1) / (n + 2);
  }
}

struct InnerFold {
  std::vector<Sample> training;
  std::vector<Sample> held_out;
  ScoreMap map;  // the last fit, where the next one starts
};

std::vector<InnerFold> inner_folds(const std::vector<Sample>& samples, const ScoreMap& start) {
  const std::vector<std::size_t> numbers = make_folds(samples, kInnerFolds, 0);
  std::vector<InnerFold> folds(kInnerFolds);
  for (std::size_t fold = 0; fold < kInnerFolds; ++fold) {
    folds[fold].map = start;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      (numbers[i] == fold ? folds[fold].held_out : folds[fold].training).push_back(samples[i]);
    }
  }
  return folds;
}

double held_out_loss(std::vector<InnerFold>& folds, MapShape shape) {
  double sum = 0;
  for (InnerFold& fold : folds) {
    shape.start = fold.map;
    fold.map = fit_map(fold.training, shape);
    for (const double loss : losses(fold.held_out, fold.map)) sum += loss;
  }
  return sum;
}

// The loss falls and then rises as the pull weakens, so the first rise ends the search.
double best_pull(const std::vector<Sample>& samples, MapShape shape) {
  std::vector<InnerFold> folds = inner_folds(samples, shape.start);
  double best = kPulls.front();
  double least = std::numeric_limits<double>::infinity();
  for (const double pull : kPulls) {
    shape.pull = pull;
    const double loss = held_out_loss(folds, shape);
    if (loss >= least) break;
    least = loss;
    best = pull;
  }
  return best;
}

}  // namespace

Allowance allow(const Ladder& ladder, QuestionType type, std::size_t n_bias) {
  const std::vector<Sample>& samples = ladder.rows().samples;
  Allowance allowance;
  allow_temperature(ladder, allowance);
  const bool are_many = samples.size() >= kManyLabelledRows;
  if (!are_many) {
    allowance.temperature_spread = kTemperatureSpread;
    const bool is_choice = type == QuestionType::kChoice;
    allowance.notes.push_back(
        too_few(is_choice ? "bias" : "tilt", samples.size(), "labelled rows", kManyLabelledRows));
    return allowance;
  }
  const std::vector<std::size_t> counts = rows_of_labels(samples);
  if (type != QuestionType::kChoice) allow_tilt(counts, allowance);
  if (type != QuestionType::kNoul && n_bias > 0) allow_bias(counts, n_bias, allowance);
  return allowance;
}

FitReport make_report(const Allowance& allowance, const Ladder& ladder) {
  FitReport report;
  report.n_labelled = ladder.rows().samples.size();
  report.held_out = ladder.measures();
  report.notes = allowance.notes;
  report.notes.insert(report.notes.end(), ladder.notes().begin(), ladder.notes().end());
  return report;
}

ScoreMap fit_part(Part part, std::vector<Sample> samples, const ScoreMap& start,
                  const Allowance& allowance, QuestionType type) {
  MapShape shape{.start = start, .has_temperature = allowance.has_temperature};
  if (part == Part::kTemperature) shape.temperature_spread = allowance.temperature_spread;
  if (part == Part::kTilt) {
    shape.has_tilt = true;
    if (type == QuestionType::kNoul) smooth_targets(samples);
  }
  if (part == Part::kBias) {
    shape.has_bias = allowance.has_bias;
    shape.pull = best_pull(samples, shape);
  }
  return fit_map(samples, shape);
}

}  // namespace logit::calibration
