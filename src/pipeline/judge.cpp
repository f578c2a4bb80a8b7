// Outputs of an evaluation to scores of the candidates. Entries: judge, mix_channel, mix_leaders,
// channel_decline_log_odds.
// Tested by tests/pipeline/judge_test.cpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/log_space.h"
#include "pipeline/defaults.h"
#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

// What labels say and a share of what texts say; either may be empty.
std::vector<double> add(std::span<const double> listed, std::vector<double> texts) {
  if (texts.empty()) return {listed.begin(), listed.end()};
  for (std::size_t i = 0; i < listed.size(); ++i) texts[i] = listed[i] + kTextShare * texts[i];
  return texts;
}

}  // namespace

Judged judge(const Reading& reading, std::span<const double> outputs) {
  Judged judged;
  judged.listed = read_scores(reading.lists, outputs);
  judged.raw = read_scores(reading.weighings, outputs);
  if (!reading.contrast.empty()) {
    judged.raw = against(judged.raw, read_scores(reading.contrast, outputs));
  }
  judged.baseline = reading.baseline.weighings.empty()
                        ? reading.baseline.known
                        : read_scores(reading.baseline.weighings, outputs);
  judged.scores = add(judged.listed, gain(judged.raw, judged.baseline));
  return judged;
}

std::vector<double> mix_channel(std::span<const double> scores, const ChannelReading& reading,
                                std::size_t n_candidates, double share,
                                std::span<const double> outputs, std::vector<double>& channel) {
  channel.assign(n_candidates, std::numeric_limits<double>::quiet_NaN());
  double worst = std::numeric_limits<double>::infinity();
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < reading.candidates.size(); ++i) {
    const double sum = sum_of(reading.outputs[i], outputs);
    channel[reading.candidates[i]] = sum;
    worst = std::min(worst, sum);
    best = std::max(best, sum);
  }
  std::vector<double> mixed(scores.begin(), scores.end());
  mixed.resize(n_candidates, 0.0);
  if (reading.candidates.empty()) return mixed;
  for (std::size_t i = 0; i < n_candidates; ++i) {
    mixed[i] += share * ((std::isnan(channel[i]) ? worst : channel[i]) - best);
  }
  return mixed;
}

std::vector<double> mix_leaders(std::span<const double> texts, std::span<const std::size_t> leaders,
                                std::span<const double> listed) {
  std::vector<double> all(texts.size(), *std::min_element(listed.begin(), listed.end()));
  for (std::size_t i = 0; i < leaders.size(); ++i) all[leaders[i]] = listed[i];
  return add(all, {texts.begin(), texts.end()});
}

double channel_decline_log_odds(std::span<const double> mixed, const ChannelReading& reading,
                                double share, std::span<const double> outputs) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Spelling& reads : reading.outputs) best = std::max(best, sum_of(reads, outputs));
  const double mean = log_sum_exp(mixed) - std::log(static_cast<double>(mixed.size()));
  return share * (sum_of(reading.decline, outputs) - best) - mean;
}

}  // namespace logit::pipeline
