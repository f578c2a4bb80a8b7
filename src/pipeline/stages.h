// The pipeline's table of contents: one function a stage, one source file a function.
//
//   plan       requests -> Plan        decides the readout, renders and tokenises; no evaluation
//   (evaluate  Backend)
//   judge      log-probabilities -> scores of the candidates
//   plan_second, (evaluate): what is asked of the leaders, or where lists disagree
//   decide     both rounds -> mixed scores, mapped by a calibration (decide.h)
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

// How one evaluation of one candidate is read: its spellings' probabilities add, the logarithm of
// `reference` is subtracted from theirs, and the difference is multiplied by `scale`.
struct Weight {
  std::vector<Spelling> spellings;
  double scale = 1;
  Spelling reference{};  // what other lists of the same question have too; or empty
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
  std::vector<Weighing> weighings;  // one a state, averaged by their shares; empty when known
};

// What the outputs of an evaluation mean for one question.
struct Reading {
  Way way;
  std::vector<Weighing> lists;      // labels, one weighing for each order; or empty. Listed in
                                    // groups, they are weighed against each's "none of these"
  std::vector<Weighing> weighings;  // texts, averaged by their shares; or empty
  std::vector<Weighing> contrast;   // independent scoring: the "no" beside each candidate's "yes"
  std::vector<Weighing> declines;   // of the listed "none of these", one for each list; or empty
  BaselinePlan baseline;
};

struct RequestPlan {
  Tokens state;  // as its prompts hold it
  std::vector<Reading> questions;
  std::size_t input_tokens = 0;  // of this request's prompts, shared prefixes once, no baseline
  std::vector<Tokens> roots{};   // of those prompts
};

// One tree for several requests.
struct Plan {
  TokenTree tree;
  std::vector<Result<RequestPlan>> requests;
  std::size_t baseline_tokens = 0;  // of empty states, part of the tree's tokens
};

// What the first round said of one question; all empty where the readout weighs states only.
struct Judged {
  std::vector<double> listed;  // log-probabilities of the labels
  std::vector<double> raw;     // log-probabilities of the texts
  std::vector<double> baseline;
  std::vector<double> scores;
};

// One request between the rounds.
struct FirstRound {
  const Request* request = nullptr;
  RequestPlan* plan = nullptr;
  std::vector<Judged> questions;
};

// The state's log-probability under some candidates: the outputs whose sum it is.
struct ChannelReading {
  std::vector<std::size_t> candidates;
  std::vector<Spelling> outputs;  // one a candidate
  Spelling decline;               // of the state under "none of these"; or empty
};

// What the second round reads of one question; all empty where there is none.
struct SecondReading {
  ChannelReading channel;
  std::vector<std::size_t> leaders;  // the candidates that `lists` lists, ascending; empty: all,
                                     // in orders that the first round did not list. The channel
                                     // may weigh the state under others
  Reading lists{};
};

struct SecondRequest {
  std::vector<SecondReading> questions;
  std::size_t input_tokens = 0;  // of the second round
};

// The tree of the second round, and what its outputs mean when they stand behind the first's.
struct SecondPlan {
  TokenTree tree;
  std::vector<Result<SecondRequest>> requests;
};

class BaselineCache;

// The most candidates that labels and texts together list whole: kMostLabelOptions, or the labels
// there are.
std::size_t most_listed(const Backend& backend);

// The readout and frame of a question: forced by the options, or the profile's best for its type;
// above most_listed() candidates `auto` lists the leaders by their texts, or nothing. Errors:
// kConfig for a frame the model does not have, and for a list on a model without two labels.
Result<Way> choose_way(const Question& question, const Backend& backend,
                       const ClassifierOptions& options, const Profile& profile);

Plan plan(const Backend& backend, const ClassifierOptions& options, const Profile& profile,
          BaselineCache& cache, std::span<const Request> requests);

// What is asked of the candidates that lead: the state weighed under them (all, where nothing was
// weighed before), or their list; and more orders of a list whose orders disagree, where the
// options say so. `outputs` are the first round's. Errors, per request: kTooLong. No nodes when no
// question has a second round.
SecondPlan plan_second(const Backend& backend, const ClassifierOptions& options,
                       std::span<const FirstRound> rounds, std::span<const double> outputs);

// What the first round's outputs say of a question.
Judged judge(const Reading& reading, std::span<const double> outputs);

// Adds to the scores, times `share`, how much less the state weighs under a candidate than under
// the best one; candidates that were left out count as the worst of those that were weighed. The
// candidate that is best both ways keeps its score, so that its level means what it did. Empty
// scores are zeros. `channel` gets the weights, NaN where there is none.
std::vector<double> mix_channel(std::span<const double> scores, const ChannelReading& reading,
                                std::size_t n_candidates, double share,
                                std::span<const double> outputs, std::vector<double>& channel);

// A share of the texts' scores, and what labels say of the leaders; candidates that were not listed
// count as the last of those that were. REQUIRES: as many `listed` as `leaders`, and one at least.
std::vector<double> mix_leaders(std::span<const double> texts, std::span<const std::size_t> leaders,
                                std::span<const double> listed);

// Log odds of "none of these" against the mean candidate: it takes part in the mix with no text to
// weigh, that is with a gain of 0. `mixed` is what mix_channel returned.
// REQUIRES: the state was weighed under it.
double channel_decline_log_odds(std::span<const double> mixed, const ChannelReading& reading,
                                double share, std::span<const double> outputs);

// The log-probability of one spelling, 0 of an empty one.
double sum_of(const Spelling& spelling, std::span<const double> outputs);

// Log-probabilities of the candidates: spellings added as probabilities, weighings averaged in log
// space by their shares. Empty for no weighings.
std::vector<double> read_scores(std::span<const Weighing> weighings,
                                std::span<const double> outputs);

// Probability of all labels that are listed, averaged over the lists, in [0, 1].
double label_mass(const Reading& reading, std::span<const double> outputs);

// Log odds of the listed "none of these" against the candidates: the orders' mean log-probability
// of it less that of all candidates together. REQUIRES: it was listed.
double decline_log_odds(const Reading& reading, std::span<const double> listed,
                        std::span<const double> outputs);

// Mean total variation between the distributions that each two of the weighings give the
// candidates, in [0, 1]: how much the order of a list matters. REQUIRES: two weighings or more.
double order_spread(std::span<const Weighing> weighings, std::span<const double> outputs);

// log(yes / (yes + no)) of each pair of log-probabilities.
std::vector<double> against(std::span<const double> yes, std::span<const double> no);

// raw - baseline; an empty baseline is zero.
std::vector<double> gain(std::span<const double> raw, std::span<const double> baseline);

// Softmax in double, the maximum subtracted first. Equal scores give equal probabilities.
// REQUIRES: scores not empty, finite.
std::vector<double> normalise(std::span<const double> scores);

// Confidence of a choice: (max - 1/n) / (1 - 1/n); 1 for n = 1.
double choice_confidence(std::span<const double> probabilities);

// Confidence of a score: 1 - sum p_i |i - mode| / D, floored at 0, D the mean distance of a
// uniform spread from the middle; 1 for n = 1.
double score_confidence(std::span<const double> probabilities);

// Fills everything of an Answer that follows from its probabilities; the rest stays as it is.
Answer conclude(const Question& question, std::vector<double> probabilities, Answer answer = {});

}  // namespace logit::pipeline
