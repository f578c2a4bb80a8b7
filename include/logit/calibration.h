// Calibration: what rows taught about one model's scores, as a plain value.
//
// A score is what a readout gives a candidate before any temperature (Answer::scores, nats). A
// calibration turns the scores of a question into probabilities that come true as often as they
// say. It holds maps for kinds of questions (type, readout, number of candidates), which serve
// every question of the kind, and calibrations of single questions, which know their candidates.
// Formulas and their sources: docs/readout.md. The file: docs/formats.md.
//
// Everything here is a pure function of its arguments and safe to call from several threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logit/result.h"
#include "logit/types.h"

namespace logit {

// Questions with about as many candidates calibrate alike: 0: up to 2, 1: 3-5, 2: 6-10, 3: 11-25,
// 4: 26-77, 5: 78 and more.
inline constexpr std::size_t kBands = 6;
std::size_t band_of(std::size_t n_candidates);

// Candidate i of n: (score_i - prior_i) / temperature + tilt * (i - (n - 1) / 2) + bias_i, and the
// softmax of that. A tilt of a noul moves the odds of yes (candidate 0) by exp(-tilt): with
// 1 / temperature it is Platt's sigmoid. The tilt of a score moves weight along its scale.
struct ScoreMap {
  static constexpr double kLeastTemperature = 0.2;
  static constexpr double kMostTemperature = 20;
  double temperature = 1;
  double tilt = 0;             // nats a step; 0 for a choice
  std::vector<double> bias{};  // empty, or one a candidate; a known question only
  bool operator==(const ScoreMap&) const = default;
};

// The mapped scores. REQUIRES: a prior and a bias are empty or have one entry a score.
std::vector<double> map_scores(const ScoreMap& map, std::span<const double> scores,
                               std::span<const double> prior = {});

// What the decision to abstain looks at, in the order of AbstainMap::weights behind the constant.
// Of the mapped scores u (after ScoreMap, before the softmax): the largest, its distance to the
// second, the entropy of the softmax over log n, and log-mean-exp; then
// Answer::decline_log_odds (0 where there is none).
inline constexpr std::size_t kAbstainFeatures = 5;
using AbstainFeatures = std::array<double, kAbstainFeatures>;
// One candidate has distance and entropy 0.
AbstainFeatures abstain_features(std::span<const double> mapped, double decline_log_odds);

// P(no candidate is right) = sigmoid(weights[0] + sum_k weights[k + 1] * feature_k), at even odds:
// as if no candidate were right for every second state. Where it is a share r of them, the odds
// are r / (1 - r) times that.
struct AbstainMap {
  std::array<double, kAbstainFeatures + 1> weights{};
  bool operator==(const AbstainMap&) const = default;
};
double abstain_probability(const AbstainMap& map, const AbstainFeatures& features);

// What is used before any fit, on scores over the readout's default temperature. Lists: the
// share of the listed "none of these" (where it was not listed there is nothing to say). Texts and
// channel: by the log odds of "none of these". Texts alone: by the largest mapped score, how much
// likelier the state makes the best candidate than it is anyway. The level of the last two differs
// between questions: numbers to sort by. Measured in docs/measurements.md.
const AbstainMap& default_abstain_map(Readout readout);

// Answers whose largest probability is at least `threshold` are wrong with at most `risk`, at 95 %
// confidence, for rows like those it was fitted on.
struct Acceptance {
  double risk = 0;
  double threshold = 1;
  double upper_bound = 1;  // of the error among the accepted rows, Clopper-Pearson, Bonferroni
  std::size_t n = 0;       // rows it was chosen on
  std::size_t n_accepted = 0;
  std::size_t n_errors = 0;  // among the accepted
  bool operator==(const Acceptance&) const = default;
};
bool accepts(const Acceptance& acceptance, double largest_probability);

// Candidates with probability >= 1 - quantile form a set that holds the right one with probability
// >= coverage (split conformal prediction, LAC score).
struct ConformalQuantile {
  double coverage = 0;
  double quantile = 1;
  bool operator==(const ConformalQuantile&) const = default;
};
// Indices of that set, ascending; the most likely candidate is always one of them.
std::vector<std::size_t> prediction_set(const ConformalQuantile& conformal,
                                        std::span<const double> probabilities);

// Rows whose largest probabilities are neighbours: a dot of a reliability diagram.
struct ReliabilityBin {
  std::size_t n = 0;
  double confidence = 0;  // mean of the largest probabilities
  double right = 0;       // share of the rows whose most likely candidate is right
  bool operator==(const ReliabilityBin&) const = default;
};

// Ends (one past the last) of at most `n_bins` bins of about equally many rows, none empty, by
// rising confidence; equal ones share a bin. REQUIRES: ascending.
std::vector<std::size_t> bin_ends(std::span<const double> sorted, std::size_t n_bins);

// Measures of rows held out while fitting (k-fold). Log losses are means over several divisions
// into folds, the rest is of the first division.
struct HeldOut {
  double log_loss_before = 0;
  double log_loss_after = 0;
  double log_loss_se = 0;  // standard error of the difference
  double ece_before = 0;
  double ece_after = 0;
  double accuracy_before = 0;
  double accuracy_after = 0;
  double majority = 0;
  // Up to 15 bins of about equally many rows, by rising confidence; or empty.
  std::vector<ReliabilityBin> reliability_before{};
  std::vector<ReliabilityBin> reliability_after{};
  bool operator==(const HeldOut&) const = default;
};

// How a fit went.
struct FitReport {
  std::size_t n_labelled = 0;
  std::size_t n_unlabelled = 0;
  std::optional<HeldOut> held_out{};  // nothing where a prior alone was fitted
  std::optional<double> abstain_auroc{};
  std::vector<std::string> notes{};  // parameters that were refused, with the reason
  bool operator==(const FitReport&) const = default;
};

// How the scores came about; a calibration fits scores of the same kind only. Two differences are
// not told apart: whether a state asks (docs/readout.md, text), and whether the state of a choice
// whose leaders are listed was short enough to be weighed under them.
struct ScoreSource {
  Readout readout = Readout::kText;  // never kAuto
  std::string frame = "plain";
  std::size_t orders = 1;              // of the options, label readout; 0: more where two disagree
  std::string score_method = "joint";  // or "independent"; of a score
  bool lists_none = false;             // "none of these" stood in the list, label readout
  bool operator==(const ScoreSource&) const = default;
};

ScoreSource source_of(const Answer& answer);  // of its scores

// In words, for messages: "label readout, chat frame, 2 orders, none of these listed".
std::string describe(const ScoreSource& source, QuestionType type);

// For every question of one kind.
struct KindCalibration {
  QuestionType type = QuestionType::kChoice;
  ScoreSource source{};
  std::size_t band = 0;
  ScoreMap map{};  // no bias
  std::optional<AbstainMap> abstain{};
  FitReport report{};
  bool operator==(const KindCalibration&) const = default;
};

// For one question, whatever its id and the order of its options.
struct QuestionCalibration {
  Question question{};
  ScoreSource source{};
  std::vector<double> prior{};  // one a candidate, or empty
  ScoreMap map{};
  std::optional<AbstainMap> abstain{};
  std::vector<Acceptance> acceptances{};
  std::vector<ConformalQuantile> conformal{};
  FitReport report{};
};

struct Calibration {
  static constexpr int kVersion = 1;
  std::string fingerprint{};        // of the model; refused by any other
  int prompts = 0;                  // Profile::kVersion of the prompts; refused by others
  std::string created{};            // "2026-11-30T12:00:00Z"
  std::vector<std::string> sets{};  // names of the row sets it was fitted on
  std::vector<KindCalibration> kinds{};
  std::vector<QuestionCalibration> questions{};

  const KindCalibration* find(QuestionType type, const ScoreSource& source,
                              std::size_t n_candidates) const;
  // Its values are in the order of its own question's candidates: see align.
  const QuestionCalibration* find(const Question& question, const ScoreSource& source) const;
};

// `calibration` with its question replaced by `question` and every value of a candidate moved to
// that candidate's place there. REQUIRES: the two questions have equal keys.
QuestionCalibration align(const QuestionCalibration& calibration, const Question& question);

// Errors: kConfig with the reason when the calibration is of another model or other prompts.
Result<Done> check_calibration(const Calibration& calibration, std::string_view fingerprint,
                               int prompts);

// When the question was calibrated, but for scores that came about in another way: why its
// calibration is not used, in one sentence.
std::optional<std::string> why_unused(const Calibration& calibration, const Question& question,
                                      const ScoreSource& source);

// What both hold; of what both hold for one kind or question, the later calibration's.
// Errors: kConfig when they are of different models or prompts.
Result<Calibration> merge(const Calibration& a, const Calibration& b);

// Equal for questions that mean the same: type, instructions, candidates with their descriptions.
// The id and the order of a choice's options do not count; the order of levels does.
std::string question_key(const Question& question);

// JSON, described in docs/formats.md. Loading trusts nothing: a version other than this one,
// damage, and a value changed by hand (the checksum tells) are refused with kFile and the place.
std::string calibration_json(const Calibration& calibration);
Result<Calibration> parse_calibration(std::string_view json);

// What comes with this library for a model: maps of kinds, fitted on labelled sets
// (docs/measurements.md). Nothing for a model that is not known.
std::optional<Calibration> shipped_calibration(std::string_view fingerprint);

// What of it may be applied together with a prior that it was not fitted with: the temperatures of
// kinds whose map is nothing but one.
Calibration temperatures_of(Calibration calibration);

// The temperature of label scores that was published for a model of this name, measured by the
// first program of this design (one order, its own prompts); nothing for any other. Models of these
// families are far too sure without it. Source: docs/readout.md.
std::optional<double> published_label_temperature(std::string_view model_name);

// Errors: kFile. Saving replaces the file in one step: a failure leaves the old one as it was and
// no other file behind.
Result<Calibration> load_calibration(const std::string& path);
Result<Done> save_calibration(const std::string& path, const Calibration& calibration);

}  // namespace logit
