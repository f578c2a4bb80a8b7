// Fits a calibration of one question; entry: fit_question. Tested by
// tests/calibration/fit_question_test.cpp.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "calibration/check_rows.h"
#include "calibration/fit_abstain.h"
#include "calibration/fit_prior.h"
#include "calibration/guarantees.h"
#include "calibration/ladder.h"
#include "calibration/steps.h"
#include "logit/fit.h"

namespace logit {
namespace {

using namespace calibration;

using Scores = std::span<const double>;

Error refused(const Question& question, std::string message) {
  return {ErrorCode::kConfig, std::move(message), question.id, {}};
}

std::vector<Sample> in_scope(const ScoredRows& rows) {
  std::vector<Sample> samples;
  for (const ScoredRow& row : rows.labelled) {
    if (row.label) samples.push_back({row.scores, *row.label});
  }
  return samples;
}

LadderRows ladder_rows(std::vector<Sample> samples, const FitOptions& options) {
  LadderRows rows;
  rows.divisions = make_divisions(samples, options.n_folds, options.seed, options.n_repeats);
  rows.groups.assign(samples.size(), 0);
  rows.before.assign(samples.size(), options.before);
  rows.samples = std::move(samples);
  return rows;
}

std::vector<double> prior_of(const std::vector<Sample>& samples,
                             std::span<const std::size_t> training, const ScoredRows& rows) {
  std::vector<Scores> scores;
  for (const std::size_t i : training) scores.emplace_back(samples[i].scores);
  for (const ScoredRow& row : rows.unlabelled) scores.emplace_back(row.scores);
  return fit_prior(scores);
}

std::vector<Sample> selected(const std::vector<Sample>& samples,
                             std::span<const std::size_t> training, Scores prior) {
  std::vector<Sample> chosen;
  for (const std::size_t i : training) {
    Sample& sample = chosen.emplace_back(samples[i]);
    for (std::size_t k = 0; k < prior.size(); ++k) sample.scores[k] -= prior[k];
  }
  return chosen;
}

enum class WithPrior : unsigned char { kNo, kYes };

Step make_step(std::string name, Part part, WithPrior with_prior, const Ladder& ladder,
               const ScoredRows& rows, const Allowance& allowance, const ScoreMap& before) {
  const std::vector<Sample>& samples = ladder.rows().samples;
  return {std::move(name),
          [=, &samples, &rows, &allowance, &before](std::span<const std::size_t> training) {
            Fitted fitted;
            if (with_prior == WithPrior::kYes) fitted.prior = prior_of(samples, training, rows);
            fitted.map = fit_part(part, selected(samples, training, fitted.prior), before,
                                  allowance, rows.question.type);
            return fitted;
          }};
}

void climb_all(Ladder& ladder, const ScoredRows& rows, const Allowance& allowance,
               const ScoreMap& before) {
  const auto step = [&](const char* name, Part part, WithPrior with_prior) {
    return make_step(name, part, with_prior, ladder, rows, allowance, before);
  };
  if (allowance.has_temperature) {
    ladder.climb(step("temperature", Part::kTemperature, WithPrior::kNo));
  }
  const bool has_prior = ladder.climb(step("prior", Part::kTemperature, WithPrior::kYes));
  const WithPrior with_prior = has_prior ? WithPrior::kYes : WithPrior::kNo;
  if (allowance.has_tilt) ladder.climb(step("tilt", Part::kTilt, with_prior));
  if (!allowance.has_bias.empty()) ladder.climb(step("bias", Part::kBias, with_prior));
}

void fit_promises(const Ladder& ladder, const FitOptions& options, QuestionCalibration& fitted) {
  const auto add_note = [&](std::string note) {
    if (!note.empty()) fitted.report.notes.push_back(std::move(note));
  };
  for (const double risk : options.risks) {
    std::string note;
    const std::optional<Acceptance> found = find_acceptance(ladder.predictions(), risk, note);
    if (found) fitted.acceptances.push_back(*found);
    add_note(std::move(note));
  }
  std::vector<double> of_the_right;
  for (std::size_t i = 0; i < ladder.held_out().size(); ++i) {
    of_the_right.push_back(ladder.held_out()[i][ladder.rows().samples[i].label]);
  }
  for (const double coverage : options.coverages) {
    std::string note;
    fitted.conformal.push_back(find_conformal(of_the_right, coverage, note));
    add_note(std::move(note));
  }
}

void fit_abstaining(const ScoredRows& rows, const FitOptions& options, const Ladder& ladder,
                    QuestionCalibration& fitted) {
  if (rows.question.type != QuestionType::kChoice || rows.question.options.size() < 3) return;
  std::vector<AbstainSample> samples;
  std::size_t n_labelled = 0;
  std::size_t n_others = 0;
  for (const ScoredRow& row : rows.labelled) {
    const std::size_t fold =
        row.label ? ladder.rows().divisions.front()[n_labelled++] : n_others++ % options.n_folds;
    add_abstain_samples(row, fitted.map, fitted.prior, 1, fold, samples);
  }
  const AbstainFit fit = fit_abstain(std::move(samples), options.n_folds);
  fitted.abstain = fit.map;
  fitted.report.abstain_auroc = fit.auroc;
}

// What became of the rows for which no candidate is right.
void note_outside(const ScoredRows& rows, QuestionCalibration& fitted) {
  const auto n = std::count_if(rows.labelled.begin(), rows.labelled.end(),
                               [](const ScoredRow& row) { return !row.label; });
  if (n == 0) return;
  fitted.report.notes.push_back(std::to_string(n) + " rows for which no answer is right " +
                                (fitted.abstain ? "are used for abstaining only" : "take no part"));
}

void fit_labelled(const ScoredRows& rows, const FitOptions& options, QuestionCalibration& fitted) {
  Ladder ladder(ladder_rows(in_scope(rows), options));
  const bool is_choice = rows.question.type == QuestionType::kChoice;
  const std::size_t n_bias = is_choice ? rows.question.options.size() : rows.question.levels.size();
  const Allowance allowance = allow(ladder, rows.question.type, n_bias);
  climb_all(ladder, rows, allowance, options.before);
  if (std::optional<Fitted> best = ladder.finish()) {
    fitted.prior = std::move(best->prior);
    fitted.map = std::move(best->map);
  }
  fitted.report = make_report(allowance, ladder);
  fit_promises(ladder, options, fitted);
  fit_abstaining(rows, options, ladder, fitted);
  note_outside(rows, fitted);
}

RowCounts count_rows(const ScoredRows& rows) {
  const auto n_labelled = static_cast<std::size_t>(
      std::count_if(rows.labelled.begin(), rows.labelled.end(),
                    [](const ScoredRow& row) { return row.label.has_value(); }));
  return {n_labelled, rows.labelled.size() - n_labelled, rows.unlabelled.size()};
}

std::string few_labelled(const RowCounts& counts) {
  std::string text = std::to_string(counts.n_labelled) + " labelled rows";
  if (counts.n_outside > 0) {
    text += " (and " + std::to_string(counts.n_outside) + " for which no answer is right)";
  }
  return text + ", at least " + std::to_string(kLeastLabelledRows) + " are needed";
}

// What was asked for and needs labels.
void note_promises_not_made(const FitOptions& options, const std::string& few, FitReport& report) {
  if (!options.risks.empty()) report.notes.push_back("no threshold for a risk was sought: " + few);
  if (!options.coverages.empty()) report.notes.push_back("no sets were fitted: " + few);
}

// A prior alone: what a choice's rows say without being asked what is right.
void fit_prior_only(const ScoredRows& rows, const FitOptions& options, const RowCounts& counts,
                    QuestionCalibration& fitted) {
  const std::string few = few_labelled(counts);
  std::vector<Scores> scores;
  for (const auto* list : {&rows.labelled, &rows.unlabelled}) {
    for (const ScoredRow& row : *list) {
      if (list == &rows.unlabelled || row.label) scores.emplace_back(row.scores);
    }
  }
  fitted.prior = fit_prior(scores);
  fitted.report.notes.push_back("only a prior was fitted: " + few);
  note_promises_not_made(options, few, fitted.report);
}

}  // namespace

Result<Done> check_enough(const Question& question, const RowCounts& counts) {
  if (counts.n_labelled >= kLeastLabelledRows) return Done{};
  if (question.type != QuestionType::kChoice) {
    return refused(question,
                   few_labelled(counts) +
                       "; without labels a prior would take the answers of a noul or a score "
                       "to be evenly spread, so it is fitted for a choice only");
  }
  const std::size_t n = counts.n_labelled + counts.n_unlabelled;
  if (n >= kLeastPriorRows) return Done{};
  return refused(question,
                 few_labelled(counts) + ", and a prior needs " + std::to_string(kLeastPriorRows) +
                     " rows with an answer or without labels, there are " + std::to_string(n));
}

Result<QuestionCalibration> fit_question(const ScoredRows& given, const FitOptions& options) {
  for (Result<Done> checked : {check_options(options), check_rows(given)}) {
    if (!checked) return std::move(checked).error();
  }
  const ScoredRows rows = drop_repeats(given);
  const RowCounts counts = count_rows(rows);
  if (Result<Done> enough = check_enough(rows.question, counts); !enough) return enough.error();
  QuestionCalibration fitted;
  fitted.question = rows.question;
  fitted.source = rows.source;
  fitted.map = options.before;
  if (counts.n_labelled >= kLeastLabelledRows) {
    fit_labelled(rows, options, fitted);
  } else {
    fit_prior_only(rows, options, counts, fitted);
  }
  fitted.report.n_labelled = counts.n_labelled;
  fitted.report.n_unlabelled = counts.n_unlabelled;
  if (const std::size_t n_repeats = given.labelled.size() - rows.labelled.size(); n_repeats > 0) {
    std::vector<std::string>& notes = fitted.report.notes;
    notes.insert(notes.begin(), std::to_string(n_repeats) +
                                    " labelled rows repeat another, and count once with it");
  }
  return fitted;
}

}  // namespace logit
