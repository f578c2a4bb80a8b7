// Reads task and row files; entries: load_dataset, load_task, load_rows, load_states. Tested by
// tests/cli/dataset_test.cpp.
#include "eval/dataset.h"

#include <set>
#include <utility>

#include "eval/csv.h"
#include "eval/json_content.h"
#include "eval/labels.h"
#include "eval/read_file.h"
#include "logit/wire.h"

namespace logit::eval {
namespace {

constexpr std::size_t kMaxListedFaults = 20;

Error schema_error(const std::string& source, const std::string& message) {
  return {ErrorCode::kSchema, message, source, {}};
}

// The first fault of a parse error in one sentence, `skip` steps of its place left out.
std::string sentence(const Error& error, std::size_t skip) {
  if (error.faults.empty()) return error.message;
  const Fault& fault = error.faults.front();
  std::string place;
  for (std::size_t i = skip; i < fault.loc.size(); ++i) {
    const auto* key = std::get_if<std::string>(&fault.loc[i]);
    place += place.empty() ? "" : ".";
    place += key != nullptr ? *key : std::to_string(std::get<std::size_t>(fault.loc[i]));
  }
  return place.empty() ? fault.msg : place + ": " + fault.msg;
}

Result<Content> read_record(std::string_view json) {
  Result<Content> record = parse_record(json);
  if (record) return record;
  const std::vector<Fault>& faults = record.error().faults;
  const bool is_json = !faults.empty() && faults.front().type == "duplicate_key";
  return schema_error("", (is_json ? "" : "not JSON: ") + sentence(record.error(), 0));
}

// As a request takes it: of a key that its text gives twice the last one stays.
Result<Content> state_of(const Content* text) {
  if (text == nullptr) return schema_error("", "text is missing");
  if (text->text() != nullptr) return *text;
  if (!std::holds_alternative<Content::Array>(text->value) &&
      !std::holds_alternative<Content::Object>(text->value)) {
    return schema_error("", "text must be a string, an object or an array");
  }
  return parse_content(compact_json(*text));
}

Result<Row> parse_row(std::string_view line, const Question& question) {
  Result<Content> json = read_record(line);
  if (!json) return std::move(json).error();
  if (!std::holds_alternative<Content::Object>(json->value)) {
    return schema_error("", "a row must be an object");
  }
  const Content* id = find_member(*json, "id");
  const Content* text = find_member(*json, "text");
  const Content* label = find_member(*json, "label");
  if (id == nullptr) return schema_error("", "id is missing");
  if (id->text() == nullptr) return schema_error("", "id must be a string");
  Result<Content> state = state_of(text);
  if (!state) return state.error();
  if (label == nullptr) return schema_error("", "label is missing (null: no answer is right)");
  Result<std::optional<std::size_t>> index = parse_label(*label, question);
  if (!index) return std::move(index).error();
  return Row{*id->text(), *std::move(state), *index};
}

// What each line of a file says, and a fault for each that is bad.
template <class Line>
class LineList {
 public:
  explicit LineList(const std::string& source) : source_(source) {}

  std::size_t size() const { return rows_.size(); }

  void add(Result<Line> row, std::size_t line) {
    if (row) {
      rows_.push_back(*std::move(row));
    } else {
      faults_.push_back({"bad_row", {source_ + ":" + std::to_string(line)}, row.error().message});
    }
  }

  Result<std::vector<Line>> finish() && {
    if (!faults_.empty()) return bad_rows();
    if (rows_.empty()) return schema_error(source_, "has no rows");
    return std::move(rows_);
  }

 private:
  Error bad_rows() {
    const std::size_t n_faults = faults_.size();
    if (n_faults > kMaxListedFaults) {
      faults_.resize(kMaxListedFaults);
      faults_.push_back({"bad_row",
                         {source_},
                         std::to_string(n_faults - kMaxListedFaults) + " more lines are bad"});
    }
    Error error = schema_error(source_, std::to_string(n_faults) + " bad lines");
    error.faults = std::move(faults_);
    return error;
  }

  const std::string& source_;
  std::vector<Line> rows_;
  std::vector<Fault> faults_;
};

// Rows whose ids differ.
class RowList : public LineList<Row> {
 public:
  using LineList::LineList;

  void add(Result<Row> row, std::size_t line) {
    if (row && !ids_.insert(row->id).second) {
      row = schema_error("", "id '" + row->id + "' was used by an earlier row");
    }
    LineList::add(std::move(row), line);
  }

 private:
  std::set<std::string> ids_;
};

// Calls `take(line, number)` for each line that is not blank, until it returns false.
template <class Take>
void each_line(std::string_view text, const Take& take) {
  text = without_byte_order_mark(text);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (!take(line, number)) return;
  }
}

// Where the header has each column.
struct Columns {
  std::size_t n = 0;
  std::optional<std::size_t> text;
  std::optional<std::size_t> label;
  std::optional<std::size_t> id;
};

Result<Columns> columns_of(const std::vector<std::string>& header) {
  Columns columns;
  columns.n = header.size();
  for (std::size_t i = 0; i < header.size(); ++i) {
    for (const auto& [name, column] :
         {std::pair("text", &columns.text), std::pair("label", &columns.label),
          std::pair("id", &columns.id)}) {
      if (header[i] != name) continue;
      if (*column) return schema_error("", std::string("the column ") + name + " stands twice");
      *column = i;
    }
  }
  if (!columns.text) return schema_error("", "the header has no column text");
  return columns;
}

// The one that the header line has outside names we know; a comma when there is none.
char separator_of(std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n'));
  for (const char separator : {',', ';', '\t'}) {
    if (header.find(separator) != std::string_view::npos) return separator;
  }
  return ',';
}

struct Table {
  std::vector<CsvRecord> records;  // the first is the header
  Columns columns;
};

Result<Table> read_table(std::string_view text, const std::string& source) {
  text = without_byte_order_mark(text);
  Result<std::vector<CsvRecord>> records = parse_csv(text, separator_of(text), source);
  if (!records) return std::move(records).error();
  if (records->empty()) return schema_error(source, "has no header line");
  Result<Columns> columns = columns_of(records->front().cells);
  if (!columns) return schema_error(source, columns.error().message);
  return Table{*std::move(records), *columns};
}

Result<Done> check_width(const CsvRecord& record, const Columns& columns) {
  if (record.cells.size() == columns.n) return Done{};
  return schema_error("", std::to_string(record.cells.size()) + " cells, but the header has " +
                              std::to_string(columns.n));
}

// A cell is whatever bytes the file has; a request takes UTF-8 only.
Result<Content> text_of(const std::string& cell) {
  std::string json;
  append_json_string(json, cell);
  Result<Content> text = parse_content(json);
  if (!text) return schema_error("", sentence(text.error(), 0));
  return text;
}

Result<Row> row_of(const CsvRecord& record, const Columns& columns, std::size_t number,
                   const Question& question) {
  if (Result<Done> checked = check_width(record, columns); !checked) return checked.error();
  const std::string id = columns.id ? record.cells[*columns.id] : std::to_string(number);
  if (id.empty()) return schema_error("", "id is empty");
  for (const std::string& cell : {id, record.cells[*columns.label]}) {
    Result<Content> checked = text_of(cell);
    if (!checked) return std::move(checked).error();
  }
  Result<Content> text = text_of(record.cells[*columns.text]);
  if (!text) return std::move(text).error();
  Result<std::optional<std::size_t>> label =
      parse_label_text(record.cells[*columns.label], question);
  if (!label) return std::move(label).error();
  return Row{id, *std::move(text), *label};
}

bool is_csv(const std::string& path) { return path.ends_with(".csv") || path.ends_with(".tsv"); }

}  // namespace

Result<Task> parse_task(std::string_view text, const std::string& source) {
  Result<Content> json = read_record(without_byte_order_mark(text));
  if (!json) return schema_error(source, json.error().message);
  const Content* name = find_member(*json, "name");
  const Content* question = find_member(*json, "question");
  if (name == nullptr || name->text() == nullptr || name->text()->empty()) {
    return schema_error(source, "a task needs a name, a string that is not empty");
  }
  if (question == nullptr) return schema_error(source, "a task needs a question");
  // Through a request's text, so that a task's question keeps exactly a request's rules.
  Result<Request> request =
      parse_request(R"({"state":"","questions":{"q":)" + compact_json(*question) + "}}");
  if (!request) return schema_error(source, "question: " + sentence(request.error(), 2));
  return Task{*name->text(), std::move(request->questions.front())};
}

Result<std::vector<Row>> parse_rows(std::string_view text, const std::string& source,
                                    const Question& question, std::optional<std::size_t> limit) {
  RowList rows(source);
  each_line(text, [&](std::string_view line, std::size_t number) {
    if (limit && rows.size() >= *limit) return false;
    rows.add(parse_row(line, question), number);
    return true;
  });
  return std::move(rows).finish();
}

Result<std::vector<Content>> parse_states(std::string_view text, const std::string& source) {
  LineList<Content> states(source);
  each_line(text, [&](std::string_view line, std::size_t number) {
    Result<Content> row = read_record(line);
    states.add(row ? state_of(find_member(*row, "text")) : std::move(row), number);
    return true;
  });
  return std::move(states).finish();
}

Result<std::vector<Content>> parse_csv_states(std::string_view text, const std::string& source) {
  Result<Table> table = read_table(text, source);
  if (!table) return std::move(table).error();
  LineList<Content> states(source);
  for (std::size_t i = 1; i < table->records.size(); ++i) {
    const CsvRecord& record = table->records[i];
    Result<Done> checked = check_width(record, table->columns);
    states.add(checked ? text_of(record.cells[*table->columns.text]) : checked.error(),
               record.line);
  }
  return std::move(states).finish();
}

Result<std::vector<Row>> parse_csv_rows(std::string_view text, const std::string& source,
                                        const Question& question,
                                        std::optional<std::size_t> limit) {
  Result<Table> table = read_table(text, source);
  if (!table) return std::move(table).error();
  const auto& [records, columns] = *table;
  if (!columns.label) return schema_error(source, "the header has no column label");
  RowList rows(source);
  for (std::size_t i = 1; i < records.size() && (!limit || rows.size() < *limit); ++i) {
    rows.add(row_of(records[i], columns, i, question), records[i].line);
  }
  return std::move(rows).finish();
}

Result<Task> load_task(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) return std::move(text).error();
  return parse_task(*text, path);
}

Result<std::vector<Row>> load_rows(const std::string& path, const Question& question,
                                   std::optional<std::size_t> limit) {
  Result<std::string> text = read_file(path);
  if (!text) return std::move(text).error();
  return (is_csv(path) ? parse_csv_rows : parse_rows)(*text, path, question, limit);
}

Result<std::vector<Content>> load_states(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) return std::move(text).error();
  return (is_csv(path) ? parse_csv_states : parse_states)(*text, path);
}

Result<Dataset> load_dataset(const std::string& task_path, const std::string& rows_path,
                             std::optional<std::size_t> limit) {
  Result<Task> task = load_task(task_path);
  if (!task) return std::move(task).error();
  Result<std::vector<Row>> rows = load_rows(rows_path, task->question, limit);
  if (!rows) return std::move(rows).error();
  return Dataset{*std::move(task), *std::move(rows)};
}

}  // namespace logit::eval
