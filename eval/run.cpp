// Classifies the rows of a dataset block by block; entry: run. Tested by tests/cli/run_test.cpp.
#include "eval/run.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace logit::eval {
namespace {

std::vector<const Row*> labelled_rows(const Dataset& dataset) {
  std::vector<const Row*> rows;
  for (const Row& row : dataset.rows) {
    if (row.label) rows.push_back(&row);
  }
  return rows;
}

std::vector<Request> requests_of(std::span<const Row* const> rows, const Question& question) {
  std::vector<Request> requests;
  for (const Row* row : rows) {
    Request& request = requests.emplace_back();
    request.state = row->state;
    request.questions.push_back(question);
  }
  return requests;
}

void add_answer(RunResult& result, const Row& row, const Reply& reply) {
  const Answer& answer = reply.answers.front();
  Outcomes& outcomes = result.outcomes;
  outcomes.probabilities.insert(outcomes.probabilities.end(), answer.probabilities.begin(),
                                answer.probabilities.end());
  outcomes.labels.push_back(*row.label);
  result.input_tokens += reply.usage.input_tokens;
  if (answer.readout == Readout::kLabel) ++result.n_label_readout;
  for (const std::string& warning : answer.warnings) {
    if (std::find(result.warnings.begin(), result.warnings.end(), warning) ==
        result.warnings.end()) {
      result.warnings.push_back(warning);
    }
  }
}

// Every reply of a call carries the call's totals, so one of them counts.
void add_cost(RunResult& result, const Diagnostics& call) {
  result.evaluated_tokens += call.evaluated_tokens;
  result.reused_tokens += call.reused_tokens;
}

Result<Done> add_block(RunResult& result, std::span<const Row* const> rows,
                       std::vector<Result<Reply>> replies) {
  bool is_cost_added = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (replies[i]) {
      if (!is_cost_added) add_cost(result, replies[i]->diagnostics);
      is_cost_added = true;
      add_answer(result, *rows[i], *replies[i]);
    } else if (replies[i].error().code == ErrorCode::kTooLong) {
      result.failed.push_back(rows[i]->id + ": " + replies[i].error().message);
    } else {
      Error error = std::move(replies[i]).error();
      error.where = "row " + rows[i]->id + (error.where.empty() ? "" : ": " + error.where);
      return error;
    }
  }
  return Done{};
}

}  // namespace

Result<RunResult> run(Classifier& classifier, const Dataset& dataset, const RunOptions& options,
                      const Progress& progress, std::stop_token stop) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<const Row*> rows = labelled_rows(dataset);
  RunResult result;
  result.outcomes.n_candidates = candidate_count(dataset.task.question);
  result.n_out_of_scope = dataset.rows.size() - rows.size();
  const std::size_t block = std::max<std::size_t>(options.block, 1);
  for (std::size_t done = 0; done < rows.size();) {
    const auto part = std::span(rows).subspan(done, std::min(block, rows.size() - done));
    const std::vector<Request> requests = requests_of(part, dataset.task.question);
    Result<Done> added =
        add_block(result, part, classifier.classify(std::span<const Request>(requests), stop));
    if (!added) return std::move(added).error();
    done += part.size();
    if (progress) progress(done, rows.size());
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace logit::eval
