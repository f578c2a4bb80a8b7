// Request, Reply and what they are made of: plain values without behaviour.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "logit/content.h"

namespace logit {

inline constexpr std::size_t kMaxQuestions = 256;
inline constexpr std::size_t kMaxOptions = 255;  // of a choice
inline constexpr std::size_t kMaxLevels = 10;    // of a score

enum class QuestionType : unsigned char { kNoul, kChoice, kScore };

// How an answer is read off the model; docs/design.md explains each.
enum class Readout : unsigned char {
  kAuto,         // decided by the model's profile, the question type and the number of options
  kLabel,        // options are listed behind labels and one position is read
  kText,         // each option's own text is weighed, minus its weight under empty states
  kChannel,      // the state is weighed under each option
  kTextChannel,  // text, and channel for the options that lead by it
  kLabelText,    // label and text together
};

const char* question_type_name(QuestionType type);  // "noul", "choice", "score"
// "auto", "label", "text", "channel", "text+channel", "label+text"
const char* readout_name(Readout readout);
// All but kAuto.
inline constexpr std::initializer_list<Readout> kReadouts = {
    Readout::kLabel, Readout::kText, Readout::kChannel, Readout::kTextChannel, Readout::kLabelText};

// Whether the readout lists the candidates behind labels.
constexpr bool uses_labels(Readout readout) {
  return readout == Readout::kLabel || readout == Readout::kLabelText;
}

// One answer a choice can have. A null description means that the name speaks for itself.
struct Option {
  std::string name;
  Content description;
};

struct Question {
  std::string id;  // free text, unique in its request; never shown to the model
  QuestionType type = QuestionType::kNoul;
  Content instructions;         // null when absent
  std::vector<Option> options;  // kChoice: 1..255, unique names
  std::vector<Content> levels;  // kScore: 1..10, low to high, none null
  Content when_true;            // kNoul: what "yes" means; null when absent
  Content when_false;           // kNoul: what "no" means; null when absent
};

struct Request {
  Content state;  // a string, an object or an array
  std::string model;
  std::vector<Question> questions;  // 1..256
};

// The number of candidates whose probabilities sum to 1: options, levels, or 2 (yes, no).
std::size_t candidate_count(const Question& question);

struct Answer {
  std::string id;
  QuestionType type = QuestionType::kNoul;
  // One per option or level in the request's order; {yes, no} for noul. Sums to 1 within 1e-9.
  std::vector<double> probabilities;
  std::size_t best = 0;                // first maximum of `probabilities`
  double confidence = 0;               // choice and score only; formulas in docs/readout.md
  double score = 0;                    // kScore: sum of i * p_i, in [0, levels - 1]
  Readout readout = Readout::kText;    // the one that was used
  std::optional<double> label_mass;    // kLabel: probability of all labels listed, in [0, 1]
  std::optional<double> order_spread;  // several orders: their mean distance, in [0, 1]
  std::optional<double> lift;          // kText: largest gain of a candidate over its baseline, nats
  std::optional<double> abstain;       // probability that no candidate is right, in [0, 1]
  std::optional<bool> accept;          // the calibration's risk threshold is met
  // Candidates that hold the right one as often as the calibration promises, ascending.
  std::optional<std::vector<std::size_t>> prediction_set;
  std::vector<std::string> warnings;  // for people; e.g. the model is at chance on this type
  // The arithmetic behind it, shown by diagnostics. One per candidate, natural log.
  std::vector<double> raw;       // log-probability as read
  std::vector<double> baseline;  // subtracted from raw; empty when none was
  std::vector<double>
      listed;  // of the labels, beside texts' raw and baseline; NaN where not listed
  std::vector<double> channel;  // of the state under each candidate that leads; NaN for others
  std::vector<double> scores;   // the readout's verdict, before prior, temperature and maps
  // Of "none of these": against all candidates where it was listed, against their mean where the
  // state was weighed under it (text+channel).
  std::optional<double> decline_log_odds;
  std::vector<double> prior;  // subtracted from the scores; or empty
  double temperature = 1;     // what they were divided by then
  double tilt = 0;            // and what was added: see ScoreMap in calibration.h
  std::vector<double> bias;
  // How they came about, beside `readout`; source_of in calibration.h gathers it.
  std::string frame = "plain";
  std::string score_method = "joint";  // kScore: or "independent"
  std::size_t n_orders = 1;            // kLabel: lists that were averaged
  bool orders_vary = false;            // more of them are where the first disagree
};

struct Usage {
  std::size_t input_tokens = 0;   // of this request's prompts, a shared prefix counted once
  std::size_t output_tokens = 0;  // always 0: nothing is generated
};

// What the work cost. A request that shares a call with others reports the call's totals.
struct Diagnostics {
  std::size_t prefix_tokens = 0;        // of tree roots
  std::size_t branch_tokens = 0;        // of everything below them
  std::size_t baseline_tokens = 0;      // spent on baselines, part of the two above
  std::size_t second_round_tokens = 0;  // of this request's second round
  std::size_t evaluated_tokens = 0;     // really decoded
  std::size_t reused_tokens = 0;        // taken from the prefix cache instead
  std::size_t passes = 0;               // engine calls
  double plan_ms = 0;
  double evaluate_ms = 0;
  double conclude_ms = 0;
};

struct Reply {
  std::string model;            // the id of the model that ran
  std::vector<Answer> answers;  // in the request's order, one per question
  Usage usage;
  Diagnostics diagnostics;
};

}  // namespace logit
