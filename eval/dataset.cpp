// Reads task and row files; entry: load_dataset. Tested by tests/cli/dataset_test.cpp.
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

bool can_be_state(const Content& value) {
  return value.text() != nullptr || std::holds_alternative<Content::Array>(value.value) ||
         std::holds_alternative<Content::Object>(value.value);
}

Result<Row> parse_row(std::string_view line, const Question& question) {
  Result<Content> json = parse_content(line);
  if (!json) return schema_error("", "not JSON: " + sentence(json.error(), 0));
  if (!std::holds_alternative<Content::Object>(json->value)) {
    return schema_error("", "a row must be an object");
  }
  const Content* id = find_member(*json, "id");
  const Content* text = find_member(*json, "text");
  const Content* label = find_member(*json, "label");
  if (id == nullptr || id->text() == nullptr) return schema_error("", "id must be a string");
  if (text == nullptr || !can_be_state(*text)) {
    return schema_error("", "text must be a string, an object or an array");
  }
  if (label == nullptr) return schema_error("", "label is missing (null: no answer is right)");
  Result<std::optional<std::size_t>> index = parse_label(*label, question);
  if (!index) return std::move(index).error();
  return Row{*id->text(), *text, *index};
}

// Rows as they are read, and a fault for each that is bad.
class RowList {
 public:
  explicit RowList(const std::string& source) : source_(source) {}

  std::size_t size() const { return rows_.size(); }

  void add(Result<Row> row, std::size_t line) {
    if (row && !ids_.insert(row->id).second) {
      row = schema_error("", "id '" + row->id + "' was used by an earlier row");
    }
    if (row) {
      rows_.push_back(*std::move(row));
    } else {
      faults_.push_back({"bad_row", {source_ + ":" + std::to_string(line)}, row.error().message});
    }
  }

  Result<std::vector<Row>> finish() && {
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
  std::vector<Row> rows_;
  std::vector<Fault> faults_;
  std::set<std::string> ids_;
};

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
  if (!columns.label) return schema_error("", "the header has no column label");
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
  if (record.cells.size() != columns.n) {
    return schema_error("", std::to_string(record.cells.size()) + " cells, but the header has " +
                                std::to_string(columns.n));
  }
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
  Result<Content> json = parse_content(without_byte_order_mark(text));
  if (!json) return schema_error(source, "not JSON: " + sentence(json.error(), 0));
  const Content* name = find_member(*json, "name");
  const Content* question = find_member(*json, "question");
  if (name == nullptr || name->text() == nullptr) {
    return schema_error(source, "a task needs a name, a string");
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
  text = without_byte_order_mark(text);
  for (std::size_t number = 1; !text.empty() && (!limit || rows.size() < *limit); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    rows.add(parse_row(line, question), number);
  }
  return std::move(rows).finish();
}

Result<std::vector<Row>> parse_csv_rows(std::string_view text, const std::string& source,
                                        const Question& question,
                                        std::optional<std::size_t> limit) {
  text = without_byte_order_mark(text);
  Result<std::vector<CsvRecord>> records = parse_csv(text, separator_of(text), source);
  if (!records) return std::move(records).error();
  if (records->empty()) return schema_error(source, "has no header line");
  Result<Columns> columns = columns_of(records->front().cells);
  if (!columns) return schema_error(source, columns.error().message);
  RowList rows(source);
  for (std::size_t i = 1; i < records->size() && (!limit || rows.size() < *limit); ++i) {
    const CsvRecord& record = (*records)[i];
    rows.add(row_of(record, *columns, i, question), record.line);
  }
  return std::move(rows).finish();
}

Result<Dataset> load_dataset(const std::string& task_path, const std::string& rows_path,
                             std::optional<std::size_t> limit) {
  Result<std::string> task_text = read_file(task_path);
  if (!task_text) return std::move(task_text).error();
  Result<Task> task = parse_task(*task_text, task_path);
  if (!task) return std::move(task).error();
  Result<std::string> rows_text = read_file(rows_path);
  if (!rows_text) return std::move(rows_text).error();
  Result<std::vector<Row>> rows = (is_csv(rows_path) ? parse_csv_rows : parse_rows)(
      *rows_text, rows_path, task->question, limit);
  if (!rows) return std::move(rows).error();
  return Dataset{*std::move(task), *std::move(rows)};
}

}  // namespace logit::eval
