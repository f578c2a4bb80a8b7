// Ladder: simple maps first; a step up is kept only if rows it was not fitted on gain by it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/measure.h"
#include "calibration/samples.h"
#include "logit/calibration.h"

namespace logit::calibration {

struct Fitted {
  std::vector<double> prior{};
  ScoreMap map{};
};

struct Step {
  std::string name{};  // for the notes
  // A fit on these samples, by index.
  std::function<Fitted(std::span<const std::size_t> training)> fit;
};

// Parallel arrays. Each group (question) has its own fold or shares the folds with all others.
struct LadderRows {
  std::vector<Sample> samples{};  // scores as read
  // Folds of the samples, divided in one way or in several so that no step hangs on one.
  std::vector<std::vector<std::size_t>> divisions{};
  std::vector<std::size_t> groups{};
  std::vector<ScoreMap> before{};
};

class Ladder {
 public:
  // REQUIRES: rows.samples not empty, one division or more, at least two folds in each.
  explicit Ladder(LadderRows rows);

  // Whether the step was kept: the held-out log loss, its mean over rows and divisions, falls by
  // more than its standard error, the larger one of over rows (each with its mean over divisions)
  // and, for two groups and more, over groups. If not, a note says so.
  bool climb(const Step& step);

  // The last kept step fitted on all rows; nothing when none was kept.
  std::optional<Fitted> finish() const;

  const LadderRows& rows() const { return rows_; }
  // Of each sample, from a fit that has not seen it; the first division's.
  const std::vector<std::vector<double>>& held_out() const { return held_out_; }
  std::vector<Prediction> predictions() const;
  HeldOut measures() const;
  // What was not kept, and why.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<std::vector<double>> cross_fit(const Step& step,
                                             const std::vector<std::size_t>& folds) const;
  std::vector<double> losses(const std::vector<std::vector<double>>& probabilities) const;
  double mean(std::span<const double> values) const;
  double standard_error(std::span<const double> values) const;

  LadderRows rows_;
  double total_weight_ = 0;
  std::vector<std::vector<double>> before_{};
  std::vector<std::vector<double>> held_out_{};
  std::vector<double> loss_before_{};  // of each sample
  std::vector<double> loss_{};         // the same held out, mean over the divisions
  std::optional<Step> kept_{};
  std::vector<std::string> notes_{};
};

}  // namespace logit::calibration
