// Whether rows can be fitted at all, and which of them say something new.
#pragma once

#include "logit/fit.h"
#include "logit/result.h"

namespace logit::calibration {

// Errors: kConfig, naming the question and the row: a number of scores or a label that does not
// match the question, a number that is not finite; options out of range.
Result<Done> check_rows(const ScoredRows& rows);
Result<Done> check_options(const FitOptions& options);

// The same rows, each labelled one that equals an earlier one left out: a row given twice is no
// second witness, and every promise counts witnesses.
ScoredRows drop_repeats(const ScoredRows& rows);

}  // namespace logit::calibration
