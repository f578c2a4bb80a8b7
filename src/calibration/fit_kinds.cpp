// Fits what questions of one kind share; entry: fit_kinds. Tested by
// tests/calibration/fit_kinds_test.cpp.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibration/check_rows.h"
#include "calibration/fit_abstain.h"
#include "calibration/ladder.h"
#include "calibration/steps.h"
#include "logit/fit.h"

namespace logit {
namespace {

using namespace calibration;

// The questions of one kind, by index.
using Members = std::vector<std::size_t>;

std::size_t band_of_rows(const ScoredRows& rows) { return band_of(candidate_count(rows.question)); }

std::vector<Members> group_by_kind(std::span<const ScoredRows> questions) {
  std::vector<Members> kinds;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Members& members) {
      const ScoredRows& first = questions[members.front()];
      return first.question.type == questions[i].question.type &&
             first.source == questions[i].source &&
             band_of_rows(first) == band_of_rows(questions[i]);
    });
    if (same == kinds.end()) {
      kinds.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  return kinds;
}

std::size_t n_in_scope(const ScoredRows& rows) {
  return static_cast<std::size_t>(
      std::count_if(rows.labelled.begin(), rows.labelled.end(),
                    [](const ScoredRow& row) { return row.label.has_value(); }));
}

// Every question weighs the same; the weights add up to the number of rows.
LadderRows ladder_rows(const Members& members, std::span<const ScoredRows> questions,
                       std::span<const ScoreMap> befores, const FitOptions& options) {
  std::size_t n = 0;
  for (const std::size_t member : members) n += n_in_scope(questions[member]);
  LadderRows rows;
  for (std::size_t group = 0; group < members.size(); ++group) {
    const ScoredRows& question = questions[members[group]];
    const double weight = static_cast<double>(n) / static_cast<double>(members.size()) /
                          static_cast<double>(n_in_scope(question));
    for (const ScoredRow& row : question.labelled) {
      if (!row.label) continue;
      rows.samples.push_back({row.scores, *row.label, weight});
      rows.groups.push_back(group);
      rows.before.push_back(befores[members[group]]);
    }
  }
  if (members.size() > 1) {
    rows.divisions = {rows.groups};
  } else {
    rows.divisions = make_divisions(rows.samples, options.n_folds, options.seed, options.n_repeats);
  }
  return rows;
}

Step make_step(const char* name, Part part, const Ladder& ladder, const Allowance& allowance,
               const ScoreMap& before, QuestionType type) {
  const std::vector<Sample>& samples = ladder.rows().samples;
  return {name, [=, &samples, &allowance, &before](std::span<const std::size_t> training) {
            std::vector<Sample> chosen;
            for (const std::size_t i : training) chosen.push_back(samples[i]);
            return Fitted{{}, fit_part(part, std::move(chosen), before, allowance, type)};
          }};
}

void fit_abstaining(const Members& members, std::span<const ScoredRows> questions,
                    const Ladder& ladder, KindCalibration& kind) {
  if (kind.type != QuestionType::kChoice || kind.band == 0) return;
  if (members.size() < kLeastKindQuestions) {
    kind.report.notes.push_back("abstaining is not fitted on fewer than " +
                                std::to_string(kLeastKindQuestions) +
                                " questions: the level of scores differs between them");
    return;
  }
  const std::vector<std::size_t>& folds = ladder.rows().divisions.front();
  const std::size_t n_folds = 1 + *std::max_element(folds.begin(), folds.end());
  std::vector<AbstainSample> samples;
  std::size_t n_labelled = 0;
  std::size_t n_others = 0;
  for (std::size_t group = 0; group < members.size(); ++group) {
    const double weight = ladder.rows().samples[n_labelled].weight;
    for (const ScoredRow& row : questions[members[group]].labelled) {
      std::size_t fold = members.size() > 1 ? group : n_others % n_folds;
      if (row.label) {
        fold = folds[n_labelled++];
      } else {
        ++n_others;
      }
      add_abstain_samples(row, kind.map, {}, weight, fold, samples);
    }
  }
  const AbstainFit fit = fit_abstain(std::move(samples), n_folds);
  kind.abstain = fit.map;
  kind.report.abstain_auroc = fit.auroc;
}

// Nothing when the map stays as it was and no abstaining was fitted.
std::optional<KindCalibration> fit_kind(const Members& members,
                                        std::span<const ScoredRows> questions,
                                        std::span<const ScoreMap> befores,
                                        const FitOptions& options) {
  const ScoredRows& first = questions[members.front()];
  KindCalibration kind;
  kind.type = first.question.type;
  kind.source = first.source;
  kind.band = band_of_rows(first);
  kind.map = befores[members.front()];
  Ladder ladder(ladder_rows(members, questions, befores, options));
  const Allowance allowance = allow(ladder, kind.type, 0);
  const auto step = [&](const char* name, Part part) {
    return make_step(name, part, ladder, allowance, befores[members.front()], kind.type);
  };
  bool is_kept = allowance.has_temperature && ladder.climb(step("temperature", Part::kTemperature));
  if (allowance.has_tilt) is_kept = ladder.climb(step("tilt", Part::kTilt)) || is_kept;
  if (std::optional<Fitted> best = ladder.finish()) kind.map = std::move(best->map);
  kind.report = make_report(allowance, ladder);
  if (members.size() == 1) {
    kind.report.notes.push_back(
        "fitted on one question: nothing is known of how it serves others of its kind");
  }
  fit_abstaining(members, questions, ladder, kind);
  if (!is_kept && !kind.abstain) return std::nullopt;
  return kind;
}

}  // namespace

Result<std::vector<KindCalibration>> fit_kinds(std::span<const ScoredRows> questions,
                                               std::span<const ScoreMap> befores,
                                               const FitOptions& options) {
  Result<Done> checked = check_options(options);
  for (const ScoredRows& rows : questions) {
    if (checked) checked = check_rows(rows);
  }
  if (!checked) return std::move(checked).error();
  if (befores.size() != questions.size()) {
    return Error{ErrorCode::kConfig, "one map before is needed for each question", "befores", {}};
  }
  std::vector<ScoredRows> distinct;
  for (const ScoredRows& rows : questions) distinct.push_back(drop_repeats(rows));
  std::vector<KindCalibration> kinds;
  for (Members& members : group_by_kind(distinct)) {
    // A question with few rows would weigh as much as the others and say little.
    std::erase_if(members, [&](std::size_t member) {
      return n_in_scope(distinct[member]) < kLeastLabelledRows;
    });
    if (members.empty()) continue;
    if (auto kind = fit_kind(members, distinct, befores, options)) {
      kinds.push_back(*std::move(kind));
    }
  }
  return kinds;
}

}  // namespace logit
