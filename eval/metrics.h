// Measures of predicted probabilities against labels: pure functions, sums in double. docs/eval.md
// has each formula with its source.
//
// std::nullopt means "no data": nothing to average. No function returns NaN or infinity for
// probabilities in [0, 1].
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace logit::eval {

// Rows in flat arrays. The predicted candidate of a row is its first maximum.
struct Outcomes {
  std::size_t n_candidates = 0;
  std::vector<double> probabilities;  // row by row, n_candidates each
  std::vector<std::size_t> labels;    // one a row, below n_candidates

  std::size_t size() const { return labels.size(); }
  std::span<const double> row(std::size_t i) const {
    return std::span(probabilities).subspan(i * n_candidates, n_candidates);
  }
};

std::size_t first_maximum(std::span<const double> row);  // REQUIRES: not empty

std::optional<double> accuracy(const Outcomes& outcomes);
// Of an accuracy measured on n rows: sqrt(a (1 - a) / n).
std::optional<double> accuracy_standard_error(const Outcomes& outcomes);
// Mean recall over the candidates that occur as a label.
std::optional<double> balanced_accuracy(const Outcomes& outcomes);
// Mean F1 over the candidates that occur as a label or as a prediction.
std::optional<double> macro_f1(const Outcomes& outcomes);
// Share of the most frequent label: what always answering it would reach.
std::optional<double> majority(const Outcomes& outcomes);

// Mean -ln p(label), p raised to 1e-15.
std::optional<double> log_loss(const Outcomes& outcomes);
// Mean over rows of sum_k (p_k - [k = label])^2, in [0, 2]; noul: twice the two-class form.
std::optional<double> brier(const Outcomes& outcomes);

// Confidence (probability of the predicted candidate) of each row, and whether it was right.
struct Judged {
  std::vector<double> confidence;
  std::vector<char> right;
};
Judged judged(const Outcomes& outcomes);

// Expected calibration error of the predicted candidate's probability: sum over bins of
// |mean confidence - share right| * rows / n. Bins hold equally many rows, but equal confidences
// are never parted, so the order of rows does not matter and 0 and 1 fall into the outer bins.
std::optional<double> calibration_error(std::span<const double> confidence,
                                        std::span<const char> right, std::size_t n_bins = 15);
std::optional<double> calibration_error(const Outcomes& outcomes, std::size_t n_bins = 15);

// The same error of every candidate's probability on its own (is the label this candidate?), mean
// over the candidates (Nixon et al. 2019, Kull et al. 2019).
std::optional<double> classwise_calibration_error(const Outcomes& outcomes,
                                                  std::size_t n_bins = 15);

// Chance that a value of `high` is above one of `low`, ties half (Mann-Whitney). No data when
// either is empty.
std::optional<double> auroc(std::span<const double> high, std::span<const double> low);
// Two candidates, the first is "yes": chance that a yes row is ranked above a no row, ties half.
// No data when one of the classes does not occur.
std::optional<double> auroc(const Outcomes& outcomes);

// Candidates are ordered levels.
std::optional<double> mean_absolute_error(const Outcomes& outcomes);  // |sum_i i p_i - label|
std::optional<double> within_one(const Outcomes& outcomes);  // predicted level at most 1 away
// Ranked probability score: mean of sum_k (P(level <= k) - [label <= k])^2 / (levels - 1).
std::optional<double> ranked_probability_score(const Outcomes& outcomes);
// Agreement of predicted levels and labels beyond chance, disagreement weighed by the squared
// distance (Cohen 1968). No data when both only ever name one same level.
std::optional<double> quadratic_kappa(const Outcomes& outcomes);

}  // namespace logit::eval
