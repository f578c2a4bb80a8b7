// Finds thresholds that can be relied on; entries: find_acceptance, find_conformal,
// error_upper_bound. Tested by tests/calibration/guarantees_test.cpp.
#include "calibration/guarantees.h"

#include <algorithm>
#include <cmath>

#include "logit/fit.h"

namespace logit::calibration {
namespace {

constexpr double kAlpha = kDoubt / kThresholds;
constexpr std::size_t kMostRows = 1000000;  // needed; above it a note says "no number"

double as_double(std::size_t count) { return static_cast<double>(count); }

std::string digits(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string percent(double share) {
  return std::to_string(static_cast<long>(std::lround(100 * share))) + " %";
}

// Rows with a probability of at least `threshold`; `sorted` falls.
Acceptance accepted(std::span<const Prediction> sorted, double risk, double threshold) {
  Acceptance result{risk, threshold, 1, sorted.size(), 0, 0};
  while (result.n_accepted < sorted.size() && sorted[result.n_accepted].probability >= threshold) {
    result.n_errors += sorted[result.n_accepted].is_right ? 0U : 1U;
    ++result.n_accepted;
  }
  result.upper_bound = error_upper_bound(result.n_errors, result.n_accepted, kAlpha);
  return result;
}

// How many accepted rows with errors at `rate` make the bound meet the risk.
std::optional<std::size_t> accepted_needed(double rate, double risk) {
  for (std::size_t n = 10; n < kMostRows; n += std::max<std::size_t>(1, n / 50)) {
    const auto n_errors = static_cast<std::size_t>(std::ceil(rate * as_double(n)));
    if (error_upper_bound(n_errors, n, kAlpha) <= risk) return n;
  }
  return std::nullopt;
}

std::string why_none(const Acceptance& surest, double risk) {
  const double rate = as_double(surest.n_errors) / as_double(surest.n_accepted);
  const double share = as_double(surest.n_accepted) / as_double(surest.n);
  std::string note = "a risk of " + digits(risk) + " cannot be certified: of the surest ";
  note += percent(share) + " (" + std::to_string(surest.n_accepted) + " rows) " +
          std::to_string(surest.n_errors) + " are wrong";
  const std::optional<std::size_t> needed =
      rate < risk ? accepted_needed(rate, risk) : std::nullopt;
  if (!needed) return note + ", and more rows alone would not help";
  const auto rows = static_cast<std::size_t>(std::ceil(as_double(*needed) / share));
  return note + "; about " + std::to_string(rows) + " labelled rows are needed at that rate";
}

}  // namespace

std::optional<Acceptance> find_acceptance(std::span<const Prediction> held_out, double risk,
                                          std::string& note) {
  if (held_out.empty()) return std::nullopt;
  std::vector<Prediction> sorted(held_out.begin(), held_out.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  std::optional<Acceptance> found;
  std::optional<Acceptance> surest;  // of the fewest errors a row
  for (std::size_t part = 1; part <= kThresholds; ++part) {
    const std::size_t n = std::max<std::size_t>(1, part * sorted.size() / kThresholds);
    const Acceptance tried = accepted(sorted, risk, sorted[n - 1].probability);
    if (tried.upper_bound <= risk) found = tried;
    if (!surest || tried.n_errors * surest->n_accepted <= surest->n_errors * tried.n_accepted) {
      surest = tried;
    }
  }
  if (!found) note = why_none(*surest, risk);
  return found;
}

ConformalQuantile find_conformal(std::span<const double> of_the_right, double coverage,
                                 std::string& note) {
  std::vector<double> misfits;
  for (const double probability : of_the_right) misfits.push_back(1 - probability);
  std::sort(misfits.begin(), misfits.end());
  const auto rank =
      static_cast<std::size_t>(std::ceil((as_double(misfits.size()) + 1) * coverage - 1e-9));
  if (rank > misfits.size()) {
    note = "sets of coverage " + digits(coverage) + " hold every candidate: at least " +
           std::to_string(static_cast<std::size_t>(std::ceil(coverage / (1 - coverage) - 1e-9))) +
           " labelled rows are needed for smaller ones";
    return {coverage, 1};
  }
  return {coverage, misfits[rank - 1]};
}

}  // namespace logit::calibration

namespace logit {
namespace {

// P(at most n_errors of n) when each has probability p; added up in log space, so that a large n
// does not underflow.
double binomial_cdf(std::size_t n_errors, std::size_t n, double p) {
  double log_term = static_cast<double>(n) * std::log1p(-p);
  double log_sum = log_term;
  for (std::size_t k = 1; k <= n_errors; ++k) {
    log_term += std::log(static_cast<double>(n - k + 1) / static_cast<double>(k)) + std::log(p) -
                std::log1p(-p);
    const double top = std::max(log_sum, log_term);
    log_sum = top + std::log(std::exp(log_sum - top) + std::exp(log_term - top));
  }
  return std::exp(log_sum);
}

}  // namespace

double error_upper_bound(std::size_t n_errors, std::size_t n, double alpha) {
  if (n_errors >= n) return 1;
  double low = 0;
  double high = 1;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    if (binomial_cdf(n_errors, n, middle) > alpha) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high;
}

}  // namespace logit
