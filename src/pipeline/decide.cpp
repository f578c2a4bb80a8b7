// One question's answer. Entry: decide. Tested by tests/pipeline/classifier_test.cpp.
#include "pipeline/decide.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "pipeline/defaults.h"
#include "pipeline/orders.h"
#include "pipeline/planning.h"
#include "pipeline/prompt.h"

namespace logit::pipeline {
namespace {

// Below this probability of all labels together the model was about to say something else.
constexpr double kLowLabelMass = 0.5;

// Texts of a long or an empty state have no channel beside them.
Readout readout_used(const Evidence& evidence) {
  const Readout readout = evidence.reading.way.readout;
  const bool is_text =
      readout == Readout::kTextChannel && evidence.second.channel.candidates.empty();
  return is_text ? Readout::kText : readout;
}

// Adds to the answer's scores.
void mix_in_channel(const Evidence& evidence, double share, Answer& answer) {
  const ChannelReading& channel = evidence.second.channel;
  answer.scores = mix_channel(answer.scores, channel, candidate_count(evidence.question), share,
                              evidence.outputs, answer.channel);
  if (channel.decline.empty()) return;
  answer.decline_log_odds =
      channel_decline_log_odds(answer.scores, channel, share, evidence.outputs);
}

void mix_in_leaders(const Evidence& evidence, Answer& answer) {
  const std::vector<std::size_t>& leaders = evidence.second.leaders;
  const std::vector<double> listed = read_scores(evidence.second.lists.lists, evidence.outputs);
  answer.scores = mix_leaders(evidence.judged.scores, leaders, listed);
  answer.listed.assign(answer.scores.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < leaders.size(); ++i) answer.listed[leaders[i]] = listed[i];
  if (evidence.second.channel.candidates.empty()) return;
  mix_in_channel(evidence, kChannelShareBesideLabels, answer);
}

void mix(const Evidence& evidence, Answer& answer) {
  answer.readout = readout_used(evidence);
  answer.frame = frame_kind_name(evidence.reading.way.frame);
  if (!evidence.reading.contrast.empty()) answer.score_method = "independent";
  const bool has_texts = !evidence.judged.raw.empty();
  answer.raw = has_texts ? evidence.judged.raw : evidence.judged.listed;
  if (has_texts) answer.listed = evidence.judged.listed;
  answer.baseline = evidence.judged.baseline;
  answer.scores = evidence.judged.scores;
  if (answer.readout == Readout::kChannel) mix_in_channel(evidence, 1, answer);
  if (answer.readout == Readout::kTextChannel) mix_in_channel(evidence, kChannelShare, answer);
  if (!evidence.second.leaders.empty()) mix_in_leaders(evidence, answer);
}

// Whether lists that disagree would be listed in more orders: of a choice that is listed whole.
bool has_more_orders(const Evidence& evidence) {
  const Question& question = evidence.question;
  return evidence.second.leaders.empty() &&
         list_orders(question_text(question), question.type, kOrdersInDoubt).size() > kOrders;
}

void describe_lists(const Reading& reading, std::span<const double> outputs, Answer& answer) {
  answer.label_mass = label_mass(reading, outputs);
  if (*answer.label_mass < kLowLabelMass) {
    answer.warnings.emplace_back("the labels hold less than half of the model's probability");
  }
  answer.n_orders = reading.lists.size();
  if (reading.lists.size() > 1) answer.order_spread = order_spread(reading.lists, outputs);
  if (reading.declines.empty()) return;
  answer.decline_log_odds = decline_log_odds(reading, read_scores(reading.lists, outputs), outputs);
}

void describe_reading(const Evidence& evidence, const ClassifierOptions& options, Answer& answer) {
  if (!answer.baseline.empty()) {
    const std::vector<double> gains = gain(answer.raw, answer.baseline);
    answer.lift = *std::max_element(gains.begin(), gains.end());
  }
  const Reading& lists = evidence.second.leaders.empty() ? evidence.reading : evidence.second.lists;
  if (lists.lists.empty()) return;
  describe_lists(lists, evidence.outputs, answer);
  answer.orders_vary = options.more_orders_in_doubt && has_more_orders(evidence);
}

// The order in which the model sees the candidates, so that a client's does not count.
Order shown_order(const Question& question) {
  return list_orders(question_text(question), question.type, 1).front();
}

// Learns from the answer as it was before the correction.
void correct_by_traffic(PriorStore& prior, const Question& question, Answer& answer) {
  const Order shown = shown_order(question);
  const std::vector<double> correction = prior.correction(question.type, shown.size());
  answer.prior.assign(correction.empty() ? 0 : shown.size(), 0.0);
  std::vector<double> scores;
  for (std::size_t place = 0; place < shown.size(); ++place) {
    scores.push_back(answer.scores[shown[place]]);
    if (!correction.empty()) answer.prior[shown[place]] = correction[place];
  }
  if (answer.warnings.empty()) prior.observe(question.type, scores);
}

bool says_abstain(const ClassifierOptions& options, const Question& question,
                  const Answer& answer) {
  if (answer.scores.size() < 2 && !answer.decline_log_odds) return false;
  return may_abstain(options, question);
}

// Where nothing was fitted, answers are judged by "none of these", or by the lift of the best text;
// null where neither was read.
const AbstainMap* abstain_map(const Applied& applied, const Question& question,
                              const Answer& answer) {
  if (applied.abstain) return &*applied.abstain;
  const bool is_judged_by_lift =
      question.type == QuestionType::kChoice && answer.readout == Readout::kText;
  const bool is_judged = answer.decline_log_odds || is_judged_by_lift;
  return is_judged ? &default_abstain_map(answer.readout) : nullptr;
}

std::string at_chance_warning(const TypeProfile& type) {
  return std::string("this model answers ") + question_type_name(type.type) +
         " questions no better than guessing (built-in probe); do not rely on this answer";
}

// Labelled rows of the question itself know better than the probe.
bool is_at_chance(const TypeProfile& type, const Applied& applied) {
  if (applied.known == nullptr || !applied.known->held_out) return type.at_chance;
  return applied.known->held_out->accuracy_after <= applied.known->held_out->majority;
}

void add_decisions(const Applied& applied, std::span<const double> mapped,
                   const ClassifierOptions& options, const Question& question, Answer& answer) {
  const AbstainMap* map = abstain_map(applied, question, answer);
  if (map != nullptr && says_abstain(options, question, answer)) {
    answer.abstain =
        abstain_probability(*map, abstain_features(mapped, answer.decline_log_odds.value_or(0)));
  }
  if (!applied.acceptances.empty()) {
    answer.accept = accepts(applied.acceptances.front(), answer.probabilities[answer.best]);
  }
  if (!applied.conformal.empty()) {
    answer.prediction_set = prediction_set(applied.conformal.front(), answer.probabilities);
  }
}

}  // namespace

Answer decide(const Setup& setup, const Evidence& evidence) {
  const Question& question = evidence.question;
  Answer reading;
  mix(evidence, reading);
  describe_reading(evidence, setup.options, reading);
  Applied applied = find_applied(question, source_of(reading), setup.options, setup.calibrations,
                                 setup.backend.info().name);
  if (setup.running_prior != nullptr) {
    correct_by_traffic(*setup.running_prior, question, reading);
  } else {
    reading.prior = applied.prior;
  }
  const std::vector<double> mapped = map_scores(applied.map, reading.scores, reading.prior);
  Answer answer = conclude(question, normalise(mapped), std::move(reading));
  answer.temperature = applied.map.temperature;
  answer.tilt = applied.map.tilt;
  answer.bias = applied.map.bias;
  add_decisions(applied, mapped, setup.options, question, answer);
  if (applied.warning) answer.warnings.push_back(*applied.warning);
  const TypeProfile& type = setup.profile.of(question.type);
  if (is_at_chance(type, applied)) answer.warnings.push_back(at_chance_warning(type));
  return answer;
}

}  // namespace logit::pipeline
