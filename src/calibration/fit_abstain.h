// Fitting the decision to abstain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "logit/calibration.h"
#include "logit/fit.h"

namespace logit::calibration {

struct AbstainSample {
  AbstainFeatures features{};
  bool is_unanswerable = false;  // no candidate is right
  bool is_made = false;          // by removing the right candidate; false: as it came
  double weight = 1;
  std::size_t fold = 0;
};

// From a labelled row twice: without its right candidate, and without one of the others, so that
// the width tells nothing; from a row without a label once, without one candidate. A removed
// candidate's score is dropped, as if it had never been read.
// REQUIRES: at least three candidates.
void add_abstain_samples(const ScoredRow& row, const ScoreMap& map, std::span<const double> prior,
                         double weight, std::size_t fold, std::vector<AbstainSample>& samples);

struct AbstainFit {
  AbstainMap map{};
  std::optional<double> auroc{};  // held out, fold by fold
};

// Logistic regression with a standard normal prior on the weights of the standardised features,
// the unanswerable made to weigh as much as the others (of them the rows that came without a label
// half, where there are kLeastClassRows). Where "none of these" was read, its log odds and the
// margin count, and the entropy when rows came without a label. REQUIRES: both kinds occur.
AbstainFit fit_abstain(std::vector<AbstainSample> samples, std::size_t n_folds);

}  // namespace logit::calibration
