// Asks a classifier for the scores of rows; entries: ask_scores, parse_states. Tested by
// tests/calibration/ask_scores_test.cpp.
#include "ask_scores.h"

#include <algorithm>
#include <span>
#include <utility>

#include "eval/json_content.h"
#include "eval/read_file.h"
#include "logit/wire.h"

namespace logit::cli {
namespace {

constexpr std::size_t kBlock = 16;  // rows a call

struct PendingRow {
  std::string id;
  const Content* state = nullptr;
  std::string key;
  std::vector<double> scores;  // empty: not known
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

// The frame a readout is read in: the one that is set, else the one the probe found best for it.
// As src/pipeline/choose_way.cpp decides it.
FrameKind frame_of(const Classifier& classifier, QuestionType type, Readout readout) {
  if (classifier.options().frame) return *classifier.options().frame;
  const TypeProfile& profile = classifier.profile().of(type);
  if (profile.best.readout == readout) return profile.best.frame;
  const WayResult* best = nullptr;
  for (const WayResult& result : profile.results) {
    if (result.way.readout != readout) continue;
    if (best == nullptr || result.n_right > best->n_right ||
        (result.n_right == best->n_right && result.log_loss < best->log_loss)) {
      best = &result;
    }
  }
  return best == nullptr ? FrameKind::kPlain : best->way.frame;
}

ScoreSource source_of(const Classifier& classifier, const Answer& answer) {
  ScoreSource source;
  source.readout = answer.readout;
  source.frame = frame_kind_name(frame_of(classifier, answer.type, answer.readout));
  if (answer.type == QuestionType::kScore &&
      classifier.options().score_method == ScoreMethod::kIndependent) {
    source.score_method = "independent";
  }
  return source;
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
  std::vector<std::pair<std::string, std::vector<double>>> fresh;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (replies[i]) {
      part[i]->scores = replies[i]->answers.front().scores;
      fresh.emplace_back(part[i]->key, part[i]->scores);
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

// Asks the first row that is not too long, for the way of reading and the temperature.
Result<Done> ask_first(Classifier& classifier, const Question& question,
                       const std::vector<PendingRow>& rows, AskedTask& asked,
                       std::stop_token stop) {
  for (const PendingRow& row : rows) {
    Result<Reply> reply = classifier.classify(request_of(row, question), stop);
    if (reply) {
      asked.rows.source = source_of(classifier, reply->answers.front());
      asked.before.temperature = reply->answers.front().temperature;
      return Done{};
    }
    if (reply.error().code != ErrorCode::kTooLong) return at_row(std::move(reply).error(), row);
  }
  return Error{ErrorCode::kTooLong, "every row is too long for the model", question.id, {}};
}

void take_scores(const FitTask& task, std::vector<PendingRow>& rows, ScoredRows& scored) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].scores.empty()) continue;
    if (i < task.labelled.size()) {
      scored.labelled.push_back({std::move(rows[i].scores), task.labelled[i].label, 0});
    } else {
      scored.unlabelled.push_back({std::move(rows[i].scores), {}, 0});
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
  Result<Done> done = ask_first(classifier, question, rows, asked, stop);
  if (!done) return std::move(done).error();
  std::vector<PendingRow*> unknown;
  for (PendingRow& row : rows) {
    row.key = score_key(*row.state, question, asked.rows.source, Profile::kVersion);
    const auto* known = cache.find(row.key, candidate_count(question));
    if (known != nullptr) row.scores = *known;
    if (known == nullptr) unknown.push_back(&row);
  }
  const std::size_t n_known = rows.size() - unknown.size();
  for (std::size_t at = 0; at < unknown.size();) {
    if (progress) progress(n_known + at, rows.size());
    const auto part = std::span(unknown).subspan(at, std::min(kBlock, unknown.size() - at));
    done = ask_block(classifier, question, part, asked, cache, warnings, stop);
    if (!done) return std::move(done).error();
    at += part.size();
  }
  if (progress) progress(rows.size(), rows.size());
  take_scores(task, rows, asked.rows);
  return asked;
}

Result<std::vector<Content>> parse_states(std::string_view text, const std::string& source) {
  std::vector<Content> states;
  text = eval::without_byte_order_mark(text);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Result<Content> row = parse_content(line);
    const Content* state = row ? eval::find_member(*row, "text") : nullptr;
    if (state == nullptr || state->is_null() || std::holds_alternative<bool>(state->value) ||
        std::holds_alternative<Content::Number>(state->value)) {
      return Error{ErrorCode::kSchema,
                   "a row needs a text: a string, an object or an array",
                   source + ":" + std::to_string(number),
                   {}};
    }
    states.push_back(*state);
  }
  if (states.empty()) return Error{ErrorCode::kSchema, "has no rows", source, {}};
  return states;
}

}  // namespace logit::cli
