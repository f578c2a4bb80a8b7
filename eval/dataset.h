// Dataset: one question and labelled rows, read from a task file and a row file.
//
//   task file  {"name": "trec6", "question": {"type": "choice", "criteria": {...}}}
//   row file   {"id": "r1", "text": "What is a fungo?", "label": "entity"}       one a line
//   or, .csv   text,label,id                                                     a header line
//              What is a fungo?,entity,r1
//
// `text` is the state; `label` is an option's name, a level's index or text, true or false; null
// means that no answer is right (out of scope). labels.h has what a CSV cell may say. Other keys
// and columns are ignored.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logit/content.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit::eval {

struct Task {
  std::string name;
  Question question;
};

struct Row {
  std::string id;
  Content state;
  std::optional<std::size_t> label;  // index into Answer::probabilities (noul: 0 is true)
};

struct Dataset {
  Task task;
  std::vector<Row> rows;
};

// `source` names the text in errors. The question keeps the rules of a request's question.
// Errors: kSchema.
Result<Task> parse_task(std::string_view text, const std::string& source);

// Blank lines are skipped, a byte-order mark and CRLF line ends are accepted; at most `limit` rows
// are read. Errors: kSchema with a fault for each bad line (loc {"source:line"}), or when
// there is no row at all.
Result<std::vector<Row>> parse_rows(std::string_view text, const std::string& source,
                                    const Question& question,
                                    std::optional<std::size_t> limit = {});

// The same from comma-separated values (csv.h); semicolons or tabs where the header has them. The
// header names at least `text` and `label`; without an `id` column a row's id is its number, from
// 1. Errors: as parse_rows, and those of parse_csv.
Result<std::vector<Row>> parse_csv_rows(std::string_view text, const std::string& source,
                                        const Question& question,
                                        std::optional<std::size_t> limit = {});

// States of rows without labels: `text` alone is looked at, a key or a column. Errors: as above.
Result<std::vector<Content>> parse_states(std::string_view text, const std::string& source);
Result<std::vector<Content>> parse_csv_states(std::string_view text, const std::string& source);

// Files; rows are CSV when their file's name ends in .csv or .tsv. Errors: those above, kFile.
Result<Task> load_task(const std::string& path);
Result<std::vector<Row>> load_rows(const std::string& path, const Question& question,
                                   std::optional<std::size_t> limit = {});
Result<std::vector<Content>> load_states(const std::string& path);
Result<Dataset> load_dataset(const std::string& task_path, const std::string& rows_path,
                             std::optional<std::size_t> limit = {});

}  // namespace logit::eval
