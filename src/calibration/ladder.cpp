// Climbs from simple maps to richer ones; entry: Ladder. Tested by
// tests/calibration/ladder_test.cpp.
#include "calibration/ladder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "logit/wire.h"
#include "numeric/log_space.h"

namespace logit::calibration {
namespace {

constexpr double kLeastProbability = 1e-300;

double log_loss(const std::vector<double>& probabilities, std::size_t label) {
  return -std::log(std::max(probabilities[label], kLeastProbability));
}

std::size_t first_maximum(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

void add(const std::vector<double>& from, std::vector<double>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

std::vector<double> differences(const std::vector<double>& from, const std::vector<double>& what) {
  std::vector<double> each;
  for (std::size_t i = 0; i < from.size(); ++i) each.push_back(from[i] - what[i]);
  return each;
}

Prediction predict(const std::vector<double>& probabilities, std::size_t label) {
  const std::size_t best = first_maximum(probabilities);
  return {probabilities[best], best == label};
}

std::string rounded(double value) { return format_double(std::round(value * 1e4) / 1e4); }

std::string not_kept(const std::string& name, double gain, double error) {
  std::string note = name + " not kept: held-out log loss ";
  note += gain >= 0 ? "fell by " : "rose by ";
  return note + rounded(std::abs(gain)) + ", and the standard error of that is " + rounded(error);
}

}  // namespace

Ladder::Ladder(LadderRows rows) : rows_(std::move(rows)) {
  for (std::size_t i = 0; i < rows_.samples.size(); ++i) {
    before_.push_back(softmax(map_scores(rows_.before[i], rows_.samples[i].scores)));
    total_weight_ += rows_.samples[i].weight;
  }
  held_out_ = before_;
  loss_before_ = losses(before_);
  loss_ = loss_before_;
}

std::vector<std::vector<double>> Ladder::cross_fit(const Step& step,
                                                   const std::vector<std::size_t>& folds) const {
  std::vector<std::vector<double>> probabilities(rows_.samples.size());
  const std::size_t n_folds = 1 + *std::max_element(folds.begin(), folds.end());
  for (std::size_t fold = 0; fold < n_folds; ++fold) {
    std::vector<std::size_t> training;
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (folds[i] != fold) training.push_back(i);
    }
    const Fitted fitted = step.fit(training);
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (folds[i] != fold) continue;
      probabilities[i] = softmax(map_scores(fitted.map, rows_.samples[i].scores, fitted.prior));
    }
  }
  return probabilities;
}

std::vector<double> Ladder::losses(const std::vector<std::vector<double>>& probabilities) const {
  std::vector<double> each;
  for (std::size_t i = 0; i < rows_.samples.size(); ++i) {
    each.push_back(log_loss(probabilities[i], rows_.samples[i].label));
  }
  return each;
}

double Ladder::mean(std::span<const double> values) const {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += rows_.samples[i].weight * values[i];
  return sum / total_weight_;
}

double Ladder::standard_error(std::span<const double> values) const {
  const double average = mean(values);
  double over_rows = 0;
  std::map<std::size_t, double> of_group;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double part = rows_.samples[i].weight * (values[i] - average) / total_weight_;
    over_rows += part * part;
    of_group[rows_.groups[i]] += part;
  }
  const double n = static_cast<double>(values.size());
  if (n > 1) over_rows *= n / (n - 1);
  const double n_groups = static_cast<double>(of_group.size());
  double over_groups = 0;
  for (const auto& [group, part] : of_group) over_groups += part * part;
  over_groups = n_groups > 1 ? over_groups * n_groups / (n_groups - 1) : 0;
  return std::sqrt(std::max(over_rows, over_groups));
}

bool Ladder::climb(const Step& step) {
  const std::size_t n_divisions = rows_.divisions.size();
  std::vector<std::vector<double>> tried = cross_fit(step, rows_.divisions.front());
  std::vector<double> loss = losses(tried);
  for (std::size_t i = 1; i < n_divisions; ++i) {
    add(losses(cross_fit(step, rows_.divisions[i])), loss);
  }
  for (double& value : loss) value /= static_cast<double>(n_divisions);
  const std::vector<double> gained = differences(loss_, loss);
  const double gain = mean(gained);
  const double error = standard_error(gained);
  if (!(gain > error)) {
    notes_.push_back(not_kept(step.name, gain, error));
    return false;
  }
  held_out_ = std::move(tried);
  loss_ = std::move(loss);
  kept_ = step;
  return true;
}

std::optional<Fitted> Ladder::finish() const {
  if (!kept_) return std::nullopt;
  std::vector<std::size_t> all(rows_.samples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return kept_->fit(all);
}

std::vector<Prediction> Ladder::predictions() const {
  std::vector<Prediction> each;
  for (std::size_t i = 0; i < held_out_.size(); ++i) {
    each.push_back(predict(held_out_[i], rows_.samples[i].label));
  }
  return each;
}

HeldOut Ladder::measures() const {
  HeldOut measured;
  std::vector<Prediction> predicted_before;
  std::vector<double> right_before;
  std::vector<double> right_after;
  std::map<std::pair<std::size_t, std::size_t>, double> weight_of_label;  // by group and label
  const std::vector<Prediction> predicted_after = predictions();
  for (std::size_t i = 0; i < held_out_.size(); ++i) {
    const std::size_t label = rows_.samples[i].label;
    predicted_before.push_back(predict(before_[i], label));
    right_before.push_back(predicted_before.back().is_right ? 1 : 0);
    right_after.push_back(predicted_after[i].is_right ? 1 : 0);
    weight_of_label[{rows_.groups[i], label}] += rows_.samples[i].weight;
  }
  measured.log_loss_before = mean(loss_before_);
  measured.log_loss_after = mean(loss_);
  measured.log_loss_se = standard_error(differences(loss_before_, loss_));
  measured.reliability_before = reliability(std::move(predicted_before));
  measured.reliability_after = reliability(predicted_after);
  measured.ece_before = expected_calibration_error(measured.reliability_before);
  measured.ece_after = expected_calibration_error(measured.reliability_after);
  measured.accuracy_before = mean(right_before);
  measured.accuracy_after = mean(right_after);
  std::map<std::size_t, double> most;  // of each group
  for (const auto& [place, weight] : weight_of_label) {
    most[place.first] = std::max(most[place.first], weight);
  }
  for (const auto& [group, weight] : most) measured.majority += weight / total_weight_;
  return measured;
}

}  // namespace logit::calibration
