// Asks a classifier for the scores of rows; entry: ask_scores. Tested by
// tests/calibration/ask_scores_test.cpp.
#include "ask_scores.h"

#include <algorithm>
#include <span>
#include <utility>

namespace logit::cli {
namespace {

constexpr std::size_t kBlock = 16;  // rows a call

struct PendingRow {
  std::string id;
  const Content* state = nullptr;
  std::string key;
  CachedScores cached;  // without scores: not known
};

std::vector<PendingRow> pending_rows(const FitTask& task) {
  std::vector<PendingRow> rows;
  for (const eval::Row& row : task.labelled) rows.push_back({row.id, &row.state, {}, {}});
  for (std::size_t i = 0; i < task.unlabelled.size(); ++i) {
    rows.push_back({"unlabelled " + std::to_string(i + 1), &task.unlabelled[i], {}, {}});
  }
  return rows;
}

Request request_of(const PendingRow& row, const Question& question) {
  Request request;
  request.state = *row.state;
  request.questions.push_back(question);
  return request;
}

Error at_row(Error error, const PendingRow& row) {
  error.where = "row " + row.id + (error.where.empty() ? "" : ": " + error.where);
  return error;
}

// Takes over what the model says of `part`. Rows that are too long stay without scores.
Result<Done> ask_block(Classifier& classifier, const Question& question,
                       std::span<PendingRow* const> part, AskedTask& asked, ScoreCache& cache,
                       std::vector<std::string>& warnings, std::stop_token stop) {
  std::vector<Request> requests;
  for (const PendingRow* row : part) requests.push_back(request_of(*row, question));
  std::vector<Result<Reply>> replies =
      classifier.classify(std::span<const Request>(requests), stop);
  std::vector<std::pair<std::string, CachedScores>> fresh;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (replies[i]) {
      const Answer& answer = replies[i]->answers.front();
      part[i]->cached = {source_of(answer), answer.temperature,
                         answer.tilt,       answer.decline_log_odds.value_or(0),
                         answer.scores,     answer.listed};
      fresh.emplace_back(part[i]->key, part[i]->cached);
    } else if (replies[i].error().code == ErrorCode::kTooLong) {
      asked.failed.push_back(part[i]->id + ": " + replies[i].error().message);
    } else {
      return at_row(std::move(replies[i]).error(), *part[i]);
    }
  }
  asked.n_asked += fresh.size();
  Result<Done> kept = cache.add(std::move(fresh));
  if (!kept && warnings.empty()) {
    warnings.push_back("the scores are not kept: " + kept.error().where + " " +
                       kept.error().message);
  }
  return Done{};
}

// The way in which most rows were read, the first of equally many. Null when none was answered.
const CachedScores* most_common(const std::vector<PendingRow>& rows) {
  const CachedScores* best = nullptr;
  std::ptrdiff_t most = 0;
  for (const PendingRow& row : rows) {
    if (row.cached.scores.empty() || (best != nullptr && row.cached.source == best->source)) {
      continue;
    }
    const auto n = std::count_if(rows.begin(), rows.end(), [&](const PendingRow& other) {
      return !other.cached.scores.empty() && other.cached.source == row.cached.source;
    });
    if (n <= most) continue;
    most = n;
    best = &row.cached;
  }
  return best;
}

void take_scores(const FitTask& task, std::vector<PendingRow>& rows, AskedTask& asked) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CachedScores& cached = rows[i].cached;
    if (cached.scores.empty()) continue;
    if (!(cached.source == asked.rows.source)) {
      ++asked.n_read_otherwise;
      continue;
    }
    ScoredRow scored{
        std::move(cached.scores), {}, cached.decline_log_odds, std::move(cached.listed)};
    if (i < task.labelled.size()) {
      scored.label = task.labelled[i].label;
      asked.rows.labelled.push_back(std::move(scored));
    } else {
      asked.rows.unlabelled.push_back(std::move(scored));
    }
  }
}

}  // namespace

Result<AskedTask> ask_scores(Classifier& classifier, const FitTask& task, ScoreCache& cache,
                             std::vector<std::string>& warnings, const Progress& progress,
                             std::stop_token stop) {
  const Question& question = task.task.question;
  AskedTask asked;
  asked.rows.question = question;
  asked.rows.question.id = task.task.name;
  std::vector<PendingRow> rows = pending_rows(task);
  const std::string settings = reading_settings(classifier);
  std::vector<PendingRow*> unknown;
  for (PendingRow& row : rows) {
    row.key = score_key(*row.state, question, settings);
    const auto* known = cache.find(row.key, candidate_count(question));
    if (known != nullptr) row.cached = *known;
    if (known == nullptr) unknown.push_back(&row);
  }
  const std::size_t n_known = rows.size() - unknown.size();
  for (std::size_t at = 0; at < unknown.size();) {
    if (progress) progress(n_known + at, rows.size());
    const auto part = std::span(unknown).subspan(at, std::min(kBlock, unknown.size() - at));
    Result<Done> done = ask_block(classifier, question, part, asked, cache, warnings, stop);
    if (!done) return std::move(done).error();
    at += part.size();
  }
  if (progress) progress(rows.size(), rows.size());
  const CachedScores* common = most_common(rows);
  if (common == nullptr) {
    return Error{ErrorCode::kTooLong, "every row is too long for the model", task.task.name, {}};
  }
  asked.rows.source = common->source;
  asked.before.temperature = common->temperature;
  asked.before.tilt = common->tilt;
  take_scores(task, rows, asked);
  return asked;
}

}  // namespace logit::cli
