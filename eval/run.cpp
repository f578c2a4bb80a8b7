// Asks a dataset's rows, and what is asked a second time; entry: run. Tested by
// tests/cli/run_test.cpp.
#include "eval/run.h"

#include <algorithm>
#include <utility>

#include "eval/ask_rows.h"
#include "eval/bootstrap.h"
#include "eval/spell.h"

namespace logit::eval {
namespace {

constexpr std::size_t kLeastOptionsForRemoval = 3;

// A dataset's run under way. `progress` counts all passes together.
class Run {
 public:
  Run(Classifier& classifier, const Dataset& dataset, const RunOptions& options,
      const Progress& progress, std::stop_token stop)
      : classifier_(classifier),
        dataset_(dataset),
        options_(options),
        progress_(progress),
        stop_(std::move(stop)) {
    result_.outcomes.n_candidates = candidate_count(dataset.task.question);
  }

  Result<RunResult> finish() {
    for (const auto pass :
         {&Run::ask_labelled, &Run::ask_out_of_scope, &Run::ask_reversed, &Run::ask_removed}) {
      Result<Done> done = (this->*pass)();
      if (!done) return std::move(done).error();
    }
    return std::move(result_);
  }

 private:
  const Question& question() const { return dataset_.task.question; }

  std::vector<Item> items(bool is_labelled) const {
    std::vector<Item> found;
    for (const Row& row : dataset_.rows) {
      if (row.label.has_value() == is_labelled) found.push_back({&row, &dataset_.task.question});
    }
    return found;
  }

  Result<Asked> ask(std::span<const Item> items, const std::string& what,
                    const std::function<void(std::size_t, const Reply&)>& take) {
    AskOptions options{options_.block, what, {}, stop_};
    options.progress = [&](std::size_t done, std::size_t) {
      if (progress_) progress_(n_done_ + done, std::max(n_planned_, n_done_ + items.size()));
    };
    Result<Asked> asked = ask_rows(classifier_, items, options, take);
    n_done_ += items.size();
    if (asked) {
      result_.failed.insert(result_.failed.end(), asked->failed.begin(), asked->failed.end());
    }
    return asked;
  }

  void add_warning(const std::string& warning) {
    std::vector<std::string>& all = result_.warnings;
    if (std::find(all.begin(), all.end(), warning) == all.end()) all.push_back(warning);
  }

  const Answer& add_prediction(const Row& row, const Reply& reply) {
    const Answer& answer = reply.answers.front();
    for (const std::string& warning : answer.warnings) add_warning(warning);
    result_.predictions.push_back(
        {row.id, row.label, state_hash(row.state), answer, reply.usage.input_tokens, {}});
    return answer;
  }

  void add_labelled(const Row& row, const Reply& reply) {
    const Answer& answer = add_prediction(row, reply);
    Outcomes& outcomes = result_.outcomes;
    outcomes.probabilities.insert(outcomes.probabilities.end(), answer.probabilities.begin(),
                                  answer.probabilities.end());
    outcomes.labels.push_back(*row.label);
    result_.input_tokens += reply.usage.input_tokens;
    has_abstain_ = has_abstain_ || answer.abstain.has_value();
    answered_.push_back(&row);
  }

  Result<Done> ask_labelled() {
    const std::vector<Item> rows = items(true);
    result_.n_out_of_scope = dataset_.rows.size() - rows.size();
    const std::size_t n_passes = 1U + (can_reverse() ? 1U : 0U) + (can_remove() ? 1U : 0U);
    n_planned_ = rows.size() * n_passes;
    Result<Asked> asked = ask(
        rows, "", [&](std::size_t i, const Reply& reply) { add_labelled(*rows[i].row, reply); });
    if (!asked) return std::move(asked).error();
    result_.seconds = asked->seconds;
    result_.evaluated_tokens = asked->evaluated_tokens;
    result_.reused_tokens = asked->reused_tokens;
    return Done{};
  }

  Result<Done> ask_out_of_scope() {
    if (!has_abstain_) return Done{};
    const std::vector<Item> rows = items(false);
    n_planned_ += rows.size();
    Result<Asked> asked = ask(
        rows, "", [&](std::size_t i, const Reply& reply) { add_prediction(*rows[i].row, reply); });
    if (!asked) return std::move(asked).error();
    return Done{};
  }

  bool can_reverse() const {
    return options_.asks_reversed && question().type != QuestionType::kNoul;
  }

  Result<Done> ask_reversed() {
    if (options_.asks_reversed && !can_reverse()) {
      add_warning("a noul question has no order of options, so none was reversed");
    }
    if (!can_reverse()) return Done{};
    Question reversed = question();
    std::reverse(reversed.options.begin(), reversed.options.end());
    std::reverse(reversed.levels.begin(), reversed.levels.end());
    std::vector<Item> rows;
    for (const Row* row : answered_) rows.push_back({row, &reversed});
    Result<Asked> asked = ask(rows, "reversed", [&](std::size_t i, const Reply& reply) {
      const std::vector<double>& probabilities = reply.answers.front().probabilities;
      result_.predictions[i].reversed.assign(probabilities.rbegin(), probabilities.rend());
    });
    if (!asked) return std::move(asked).error();
    return Done{};
  }

  bool can_remove() const {
    return options_.asks_removed && question().options.size() >= kLeastOptionsForRemoval;
  }

  // Whether the calibration that is in use was fitted to this very question.
  bool is_calibrated() const {
    const std::optional<Calibration>& calibration = classifier_.options().calibration;
    return calibration && std::any_of(result_.predictions.begin(), result_.predictions.end(),
                                      [&](const Prediction& row) {
                                        const ScoreSource source = source_of(row.answer);
                                        return calibration->find(question(), source) != nullptr;
                                      });
  }

  // The right option, or one of the others: the same number of options is left in both cases, so
  // that the number cannot give away which it was.
  std::vector<Removal> draw_removals() const {
    std::vector<Removal> removals;
    Random random(options_.seed);
    for (const Row* row : answered_) {
      const bool is_gold = random.below(2) == 0;
      std::size_t removed = *row->label;
      if (!is_gold) {
        removed += 1 + random.below(question().options.size() - 1);
        removed %= question().options.size();
      }
      removals.push_back({row->id, removed, is_gold, {}});
    }
    return removals;
  }

  Result<Done> ask_removed() {
    if (options_.asks_removed && !can_remove()) {
      add_warning("no option was removed: that needs a choice of at least 3");
    }
    if (!can_remove()) return Done{};
    if (is_calibrated()) {
      add_warning(
          "with an option removed it is another question, which the calibration does not "
          "know: drop_gold_* are measured without what was fitted to this one");
    }
    std::vector<Removal> removals = draw_removals();
    std::vector<Question> questions(question().options.size(), question());
    for (std::size_t k = 0; k < questions.size(); ++k) {
      questions[k].options.erase(questions[k].options.begin() + static_cast<std::ptrdiff_t>(k));
    }
    // Rows of the same question beside each other share its tokens.
    std::vector<std::size_t> order(removals.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return removals[a].removed < removals[b].removed;
    });
    std::vector<Item> rows;
    for (const std::size_t i : order)
      rows.push_back({answered_[i], &questions[removals[i].removed]});
    Result<Asked> asked = ask(rows, "one option removed", [&](std::size_t i, const Reply& reply) {
      Removal& removal = removals[order[i]];
      removal.answer = reply.answers.front();
      result_.removals.push_back(std::move(removal));
    });
    if (!asked) return std::move(asked).error();
    return Done{};
  }

  Classifier& classifier_;
  const Dataset& dataset_;
  const RunOptions& options_;
  const Progress& progress_;
  std::stop_token stop_;
  RunResult result_;
  std::vector<const Row*> answered_;  // with a label, as in result_.outcomes
  std::size_t n_done_ = 0;
  std::size_t n_planned_ = 0;
  bool has_abstain_ = false;
};

}  // namespace

Result<RunResult> run(Classifier& classifier, const Dataset& dataset, const RunOptions& options,
                      const Progress& progress, std::stop_token stop) {
  return Run(classifier, dataset, options, progress, std::move(stop)).finish();
}

std::string state_hash(const Content& state) { return hash_digits(compact_json(state)); }

}  // namespace logit::eval
