// What the lists of a label readout say besides the scores. Entries: label_mass, decline_log_odds,
// order_spread. Tested by tests/pipeline/orders_read_test.cpp.
#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/log_space.h"
#include "pipeline/stages.h"

namespace logit::pipeline {
namespace {

double total_variation(std::span<const double> a, std::span<const double> b) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < a.size(); ++i) distances.push_back(std::abs(a[i] - b[i]));
  return sum_ascending(std::move(distances)) / 2;
}

}  // namespace

double label_mass(const Reading& reading, std::span<const double> outputs) {
  std::vector<double> masses;
  for (const auto* lists : {&reading.lists, &reading.declines}) {
    for (const Weighing& list : *lists) {
      for (const Weight& label : list.candidates) {
        masses.push_back(std::exp(outputs[label.spellings[0][0]]));
      }
    }
  }
  const std::size_t n_lists = std::max(reading.lists.size(), reading.declines.size());
  return std::min(sum_ascending(std::move(masses)) / static_cast<double>(n_lists), 1.0);
}

double decline_log_odds(const Reading& reading, std::span<const double> listed,
                        std::span<const double> outputs) {
  return read_scores(reading.declines, outputs).front() - log_sum_exp(listed);
}

double order_spread(std::span<const Weighing> weighings, std::span<const double> outputs) {
  std::vector<std::vector<double>> each;
  for (const Weighing& list : weighings)
    each.push_back(normalise(read_scores({&list, 1}, outputs)));
  double sum = 0;
  std::size_t n_pairs = 0;
  for (std::size_t i = 0; i < each.size(); ++i) {
    for (std::size_t j = i + 1; j < each.size(); ++j, ++n_pairs) {
      sum += total_variation(each[i], each[j]);
    }
  }
  return sum / static_cast<double>(n_pairs);
}

}  // namespace logit::pipeline
