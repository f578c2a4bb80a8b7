// Checks what a fit is given; entries: check_rows, check_options. Tested by
// tests/calibration/fit_question_test.cpp.
#include "calibration/check_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace logit::calibration {
namespace {

Error bad(std::string message, std::string where) {
  return {ErrorCode::kConfig, std::move(message), std::move(where), {}};
}

bool is_share(double value) { return value > 0 && value < 1; }

Result<Done> check_row(const ScoredRow& row, std::size_t n, const std::string& where) {
  if (row.scores.size() != n) {
    return bad("the row has " + std::to_string(row.scores.size()) + " scores, the question has " +
                   std::to_string(n) + " candidates",
               where);
  }
  if (!row.listed.empty() && row.listed.size() != n) {
    return bad("the row does not say of each candidate how it was listed", where);
  }
  if (row.label && *row.label >= n) return bad("the label is no candidate of the question", where);
  const bool are_finite = std::all_of(row.scores.begin(), row.scores.end(),
                                      [](double score) { return std::isfinite(score); });
  if (!are_finite || !std::isfinite(row.decline_log_odds)) {
    return bad("a score is not a finite number", where);
  }
  return Done{};
}

Result<Done> check_list(const std::vector<ScoredRow>& rows, std::size_t n,
                        const std::string& name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Result<Done> checked = check_row(rows[i], n, name + "[" + std::to_string(i) + "]");
    if (!checked) return checked;
  }
  return Done{};
}

}  // namespace

Result<Done> check_rows(const ScoredRows& rows) {
  const std::size_t n = candidate_count(rows.question);
  if (n < 2) return bad("a question with one candidate has nothing to fit", rows.question.id);
  Result<Done> checked = check_list(rows.labelled, n, rows.question.id + ".labelled");
  if (!checked) return checked;
  return check_list(rows.unlabelled, n, rows.question.id + ".unlabelled");
}

Result<Done> check_options(const FitOptions& options) {
  if (options.n_folds < 2) return bad("at least two folds are needed", "n_folds");
  if (options.n_repeats < 1) return bad("at least one division is needed", "n_repeats");
  const double t = options.before.temperature;
  if (!(t >= ScoreMap::kLeastTemperature && t <= ScoreMap::kMostTemperature)) {
    return bad("the temperature before must be 0.2 to 20", "before");
  }
  if (!std::all_of(options.risks.begin(), options.risks.end(), is_share)) {
    return bad("a risk must be above 0 and below 1", "risks");
  }
  if (!std::all_of(options.coverages.begin(), options.coverages.end(), is_share)) {
    return bad("a coverage must be above 0 and below 1", "coverages");
  }
  return Done{};
}

}  // namespace logit::calibration
