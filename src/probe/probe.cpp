// Finds the best way to read each question type on a model. Entry: probe.
// Tested by tests/pipeline/probe_test.cpp.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "logit/classifier.h"
#include "logit/profile.h"
#include "pipeline/answer.h"
#include "pipeline/baseline_cache.h"
#include "probe/items.h"

namespace logit {
namespace {

// Chance is ruled out at this level, shared by all the ways that were tried.
constexpr double kSignificance = 0.05;

struct Asked {
  std::vector<Request> requests;
  std::vector<std::size_t> right;
};

Asked ask_all(QuestionType type) {
  Asked asked;
  for (const probe_items::Series& series : probe_items::series_of(type)) {
    for (const probe_items::Item& item : series.items) {
      asked.requests.push_back({Content(std::string(item.state)), "", {series.question}});
      asked.right.push_back(item.right);
    }
  }
  return asked;
}

bool can_list(const Backend& backend) { return backend.info().labels.size() >= 2; }

// The channel is read in the plain frame alone.
std::vector<Way> all_ways(const Backend& backend) {
  std::vector<Way> ways{{Readout::kTextChannel, FrameKind::kPlain}};
  for (const Frame& frame : backend.frames()) {
    ways.push_back({Readout::kText, frame.kind});
    if (can_list(backend)) ways.push_back({Readout::kLabel, frame.kind});
  }
  return ways;
}

// What options and a profile say when one way is forced.
Profile neutral_profile(const std::string& fingerprint) {
  Profile profile;
  profile.fingerprint = fingerprint;
  for (QuestionType type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    profile.types.push_back({type, {}, 0, false, {}});
  }
  return profile;
}

Result<WayResult> try_way(Backend& backend, Way way, const Asked& asked, std::stop_token stop) {
  ClassifierOptions options;
  options.readout = way.readout;
  options.frame = way.frame;
  options.abstain = Abstain::kOff;
  options.temperature = 1.0;
  const Profile profile = neutral_profile(backend.info().fingerprint);
  pipeline::BaselineCache baselines(8);
  const auto replies =
      pipeline::answer({backend, options, profile, baselines}, asked.requests, std::move(stop));
  WayResult result{way, asked.requests.size(), 0, 0, 0};
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (!replies[i]) return replies[i].error();
    const Answer& answer = replies[i]->answers.front();
    result.n_right += answer.best == asked.right[i];
    // A probability that rounds to 0 would make the mean infinite.
    result.log_loss -= std::log(std::max(answer.probabilities[asked.right[i]], 1e-12));
    result.label_mass += answer.label_mass.value_or(0);
  }
  result.log_loss /= static_cast<double>(result.n);
  result.label_mass /= static_cast<double>(result.n);
  return result;
}

// P(X >= k) for X ~ Binomial(n, p).
double binomial_tail(std::size_t n, std::size_t k, double p) {
  double tail = 0;
  for (std::size_t i = k; i <= n; ++i) {
    const double ways =
        std::lgamma(double(n) + 1) - std::lgamma(double(i) + 1) - std::lgamma(double(n - i) + 1);
    tail += std::exp(ways + double(i) * std::log(p) + double(n - i) * std::log1p(-p));
  }
  return tail;
}

// Easy items cannot tell good ways apart, labelled rows can (docs/measurements.md): where several
// readouts work, labels answer yes-or-no questions best, and labels together with texts everything
// else; where letters do not bind, texts together with the channel.
int preference(QuestionType type, Readout readout) {
  if (type == QuestionType::kNoul) return readout == Readout::kLabel ? 1 : 0;
  if (readout == Readout::kLabelText) return 2;
  return readout == Readout::kTextChannel ? 1 : 0;
}

// Of the ways that read one thing or a text and its channel; labels with texts follow from these.
std::size_t most_right(const std::vector<WayResult>& results) {
  std::size_t most = 0;
  for (const WayResult& result : results) {
    if (result.way.readout != Readout::kLabelText) most = std::max(most, result.n_right);
  }
  return most;
}

// Where letters alone fail, what they add to the texts is noise.
bool do_letters_bind(const std::vector<WayResult>& results, std::size_t most) {
  return std::any_of(results.begin(), results.end(), [most](const WayResult& result) {
    return result.way.readout == Readout::kLabel && result.n_right + 1 >= most;
  });
}

// Among the ways within one right answer of the most: the readout preferred for the type, then
// the smaller log loss.
const WayResult& best_of(const std::vector<WayResult>& results, QuestionType type) {
  const std::size_t most = most_right(results);
  const auto is_better = [type](const WayResult& a, const WayResult& b) {
    const int first = preference(type, a.way.readout);
    const int second = preference(type, b.way.readout);
    return first != second ? first > second : a.log_loss < b.log_loss;
  };
  const bool letters_bind = do_letters_bind(results, most);
  const WayResult* best = nullptr;
  for (const WayResult& result : results) {
    if (result.n_right + 1 < most) continue;
    if (result.way.readout == Readout::kLabelText && !letters_bind) continue;
    if (best == nullptr || is_better(result, *best)) best = &result;
  }
  return *best;
}

std::vector<Readout> readouts_of(const std::vector<Way>& ways) {
  std::vector<Readout> readouts;
  for (const Way& way : ways) {
    if (std::find(readouts.begin(), readouts.end(), way.readout) == readouts.end()) {
      readouts.push_back(way.readout);
    }
  }
  return readouts;
}

std::vector<Way> better_frames(const std::vector<WayResult>& results,
                               const std::vector<Readout>& readouts) {
  std::vector<Way> ways;
  for (Readout readout : readouts) {
    std::vector<WayResult> own;
    std::copy_if(results.begin(), results.end(), std::back_inserter(own),
                 [&](const WayResult& result) { return result.way.readout == readout; });
    ways.push_back(best_of(own, QuestionType::kChoice).way);
  }
  return ways;
}

FrameKind frame_of(const std::vector<Way>& ways, Readout readout) {
  return std::find_if(ways.begin(), ways.end(),
                      [&](const Way& way) { return way.readout == readout; })
      ->frame;
}

void judge(TypeProfile& type) {
  const WayResult& best = best_of(type.results, type.type);
  type.best = best.way;
  const double level = kSignificance / static_cast<double>(type.results.size());
  type.at_chance = binomial_tail(best.n, best.n_right, type.chance) > level;
}

// Tries ways on the items of one type and keeps the results.
class Trial {
 public:
  Trial(Backend& backend, TypeProfile& type, std::stop_token stop)
      : backend_(backend), type_(type), asked_(ask_all(type.type)), stop_(std::move(stop)) {
    const Question& question = asked_.requests.front().questions.front();
    type.chance = 1.0 / static_cast<double>(candidate_count(question));
  }

  Result<Done> run(const std::vector<Way>& ways, const std::function<void()>& tick) {
    for (const Way& way : ways) {
      Result<WayResult> result = try_way(backend_, way, asked_, stop_);
      if (!result) return result.error();
      type_.results.push_back(*result);
      tick();
    }
    return Done{};
  }

 private:
  Backend& backend_;
  TypeProfile& type_;
  Asked asked_;
  std::stop_token stop_;
};

TypeProfile& entry_of(Profile& profile, QuestionType type) {
  return *std::find_if(profile.types.begin(), profile.types.end(),
                       [&](const TypeProfile& one) { return one.type == type; });
}

}  // namespace

Result<Profile> probe(Backend& backend, const Progress& progress, std::stop_token stop) {
  Profile profile = neutral_profile(backend.info().fingerprint);
  // Choices are asked in every way; the other types in each readout's better frame.
  const std::vector<Way> single = all_ways(backend);
  const std::vector<Readout> readouts = readouts_of(single);
  const bool has_labels = can_list(backend);
  const std::size_t n_both = has_labels ? 2 : 0;  // labels with texts: choices and scores
  const std::size_t total = single.size() + 2 * readouts.size() + n_both;
  std::size_t done = 0;
  const auto tick = [&] {
    if (progress) progress(++done, total);
  };
  std::vector<Way> ways = single;
  for (QuestionType kind : {QuestionType::kChoice, QuestionType::kScore, QuestionType::kNoul}) {
    TypeProfile& type = entry_of(profile, kind);
    Trial trial(backend, type, stop);
    Result<Done> tried = trial.run(ways, tick);
    if (!tried) return tried.error();
    if (kind == QuestionType::kChoice) ways = better_frames(type.results, readouts);
    if (has_labels && kind != QuestionType::kNoul) {
      tried = trial.run({{Readout::kLabelText, frame_of(ways, Readout::kLabel)}}, tick);
    }
    if (!tried) return tried.error();
    judge(type);
  }
  return profile;
}

}  // namespace logit
