// The pipeline's table of contents: one function a stage, one source file a function.
//
//   plan       requests -> Plan        decides the readout, renders and tokenises; no evaluation
//   (evaluate  Backend)
//   calibrate  log-probabilities -> scores of the candidates
//   normalise  scores -> probabilities
//   conclude   probabilities -> Answer
//
// plan returns Result; the stages after evaluation are total functions on finite numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logit/backend.h"
#include "logit/classifier.h"
#include "logit/profile.h"
#include "logit/result.h"
#include "logit/token_tree.h"
#include "logit/types.h"

namespace logit::pipeline {

// One spelling of a candidate: the outputs whose sum is its log-probability.
using Spelling = std::vector<std::uint32_t>;

// How one evaluation of one candidate is read: its spellings' probabilities add, and the logarithm
// is multiplied by `scale`.
struct Weight {
  std::vector<Spelling> spellings;
  double scale = 1;
};

// One way to weigh all candidates of a question, and its share in their mean.
struct Weighing {
  std::vector<Weight> candidates;
  double share = 1;
};

// Where the baseline of a question comes from.
struct BaselinePlan {
  std::string key;                  // of the cache; empty: no baseline is subtracted
  std::vector<double> known;        // from the cache; empty: evaluated with this plan
  std::vector<Weighing> weighings;  // empty states, averaged; empty when known
};

// What the outputs of an evaluation mean for one question.
struct QuestionPlan {
  Way way;
  std::vector<Weighing> weighings;  // averaged by their shares
  std::vector<Weighing> contrast;   // independent scoring: the "no" beside each candidate's "yes"
  BaselinePlan baseline;
  double temperature = 1;
};

struct RequestPlan {
  std::vector<QuestionPlan> questions;
  std::size_t input_tokens = 0;  // of this request's prompts, shared prefixes once, no baseline
};

// One tree for several requests.
struct Plan {
  TokenTree tree;
  std::vector<Result<RequestPlan>> requests;
  std::size_t baseline_tokens = 0;  // of empty states, part of the tree's tokens
};

class BaselineCache;

// The readout and frame of a question: forced by the options, or the profile's best for its type;
// above kMostLabelOptions candidates `auto` weighs texts. Errors: kConfig for a frame or a number
// of labels the model does not have.
Result<Way> choose_way(const Question& question, const Backend& backend,
                       const ClassifierOptions& options, const Profile& profile);

Plan plan(const Backend& backend, const ClassifierOptions& options, const Profile& profile,
          BaselineCache& cache, std::span<const Request> requests);

// Log-probabilities of the candidates: spellings added as probabilities, weighings averaged in log
// space by their shares. Empty for no weighings.
std::vector<double> read_scores(std::span<const Weighing> weighings,
                                std::span<const double> outputs);

// log(yes / (yes + no)) of each pair of log-probabilities.
std::vector<double> against(std::span<const double> yes, std::span<const double> no);

// raw - baseline; an empty baseline is zero.
std::vector<double> gain(std::span<const double> raw, std::span<const double> baseline);

// scores / temperature.
std::vector<double> calibrate(std::span<const double> scores, double temperature);

// Softmax in double, the maximum subtracted first. Equal scores give equal probabilities.
// REQUIRES: scores not empty, finite.
std::vector<double> normalise(std::span<const double> scores);

// Confidence of a choice: (max - 1/n) / (1 - 1/n); 1 for n = 1.
double choice_confidence(std::span<const double> probabilities);

// Confidence of a score: 1 - sum p_i |i - mode| / D, floored at 0, D the mean distance of a
// uniform spread from the middle; 1 for n = 1.
double score_confidence(std::span<const double> probabilities);

// Fills everything of an Answer that follows from its probabilities.
Answer conclude(const Question& question, std::vector<double> probabilities);

}  // namespace logit::pipeline
