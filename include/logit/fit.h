// Fitting a calibration to rows: scores and what the right candidate was. No model is asked.
//
//   auto fitted = logit::fit_question(rows, {.before = {.temperature = 0.8}, .risks = {0.05}});
//
// Deterministic functions of their arguments, whatever the order of the rows up to rounding, and
// safe to call from several threads. The number of rows decides what is fitted:
//
//   below 30 labelled rows   only the prior of a choice, from at least 10 rows with or without one
//   30 to 99                 temperature, held near the one before by a log-normal prior
//   100 and more             also slope and bias (noul), tilt (score), a bias a candidate
//
// A temperature needs 10 wrong answers, a bias 10 rows of its candidate. A step is kept only if the
// log loss of held-out rows (repeated folds) falls by more than its standard error. What was
// refused and why stands in FitReport::notes. Rows are never reweighted to balance their labels. A
// labelled row that repeats another, scores and label, counts once with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logit/calibration.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit {

inline constexpr std::size_t kLeastLabelledRows = 30;
inline constexpr std::size_t kManyLabelledRows = 100;
inline constexpr std::size_t kLeastPriorRows = 10;
inline constexpr std::size_t kLeastErrors = 10;     // for a temperature
inline constexpr std::size_t kLeastClassRows = 10;  // for what is fitted for one candidate

inline constexpr std::size_t kLeastKindQuestions = 3;  // of a kind, to learn when to abstain

struct ScoredRow {
  std::vector<double> scores{};        // Answer::scores
  std::optional<std::size_t> label{};  // the right candidate; none: no candidate is right
  double decline_log_odds = 0;         // Answer::decline_log_odds; 0 where there is none
  std::vector<double> listed{};        // Answer::listed
};

// The rows of one question.
struct ScoredRows {
  Question question{};
  ScoreSource source{};
  std::vector<ScoredRow> labelled{};    // rows without a label are out of scope
  std::vector<ScoredRow> unlabelled{};  // their labels are not looked at
};

struct FitOptions {
  ScoreMap before{};                // what is used without a fit
  std::vector<double> risks{};      // an acceptance is sought for each, in (0, 1)
  std::vector<double> coverages{};  // a conformal quantile is sought for each, in (0, 1)
  std::size_t n_folds = 5;          // at least 2
  std::size_t n_repeats = 5;        // divisions into folds that a gain is averaged over, at least 1
  std::uint64_t seed = 1;           // of the folds
};

struct RowCounts {
  std::size_t n_labelled = 0;    // a candidate is right
  std::size_t n_outside = 0;     // no candidate is right
  std::size_t n_unlabelled = 0;  // nothing is known
};

// Whether that many different rows are enough to fit anything. Errors: kConfig, as fit_question's.
Result<Done> check_enough(const Question& question, const RowCounts& counts);

// Errors: kConfig when there are too few rows for anything, or a row does not match the question
// (its number of scores, its label, a score that is not finite).
Result<QuestionCalibration> fit_question(const ScoredRows& rows, const FitOptions& options);

// One calibration for each kind (type, source, band) that occurs, every question of a kind
// weighing the same. Questions are the folds where a kind has at least two, because a kind serves
// questions it has not seen. `before` of each question stands in `befores`, in the same order.
// Kinds that nothing can be fitted for are left out; `notes` of the others say what was refused.
Result<std::vector<KindCalibration>> fit_kinds(std::span<const ScoredRows> questions,
                                               std::span<const ScoreMap> befores,
                                               const FitOptions& options);

// Smallest p such that at most `n_errors` errors in `n` draws of probability p have a probability
// of at most `alpha` (Clopper and Pearson 1934, one-sided). 1 when n_errors = n.
double error_upper_bound(std::size_t n_errors, std::size_t n, double alpha);

}  // namespace logit
