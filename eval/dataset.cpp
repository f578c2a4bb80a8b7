// Reads task and row files; entry: load_dataset. Tested by tests/cli/dataset_test.cpp.
#include "eval/dataset.h"

#include <charconv>
#include <set>
#include <system_error>
#include <utility>

#include "eval/json_content.h"
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

Result<std::size_t> choice_label(const Content& label, const Question& question) {
  const std::string* name = label.text();
  if (name == nullptr) return schema_error("", "label must be an option's name or null");
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    if (question.options[i].name == *name) return i;
  }
  return schema_error("", "label " + compact_json(label) + " is not one of the task's options");
}

Result<std::size_t> score_label(const Content& label, const Question& question) {
  const std::string range = "a level's index, 0 to " + std::to_string(question.levels.size() - 1);
  const auto* number = std::get_if<Content::Number>(&label.value);
  if (number == nullptr) return schema_error("", "label must be " + range + ", or null");
  const std::string& digits = number->spelling;
  std::size_t index = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (fault != std::errc() || end != digits.data() + digits.size() ||
      index >= question.levels.size()) {
    return schema_error("", "label " + digits + " is not " + range);
  }
  return index;
}

Result<std::size_t> noul_label(const Content& label) {
  const bool* flag = std::get_if<bool>(&label.value);
  if (flag == nullptr) return schema_error("", "label must be true, false or null");
  return *flag ? std::size_t{0} : std::size_t{1};
}

Result<std::size_t> label_index(const Content& label, const Question& question) {
  switch (question.type) {
    case QuestionType::kChoice:
      return choice_label(label, question);
    case QuestionType::kScore:
      return score_label(label, question);
    case QuestionType::kNoul:
      break;
  }
  return noul_label(label);
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
  Row row{*id->text(), *text, {}};
  if (label->is_null()) return row;
  Result<std::size_t> index = label_index(*label, question);
  if (!index) return std::move(index).error();
  row.label = *index;
  return row;
}

Error bad_rows(std::vector<Fault> faults, const std::string& source) {
  const std::size_t n_faults = faults.size();
  if (n_faults > kMaxListedFaults) {
    faults.resize(kMaxListedFaults);
    faults.push_back(
        {"bad_row", {source}, std::to_string(n_faults - kMaxListedFaults) + " more lines are bad"});
  }
  Error error = schema_error(source, std::to_string(n_faults) + " bad lines");
  error.faults = std::move(faults);
  return error;
}

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
  std::vector<Row> rows;
  std::vector<Fault> faults;
  std::set<std::string> ids;
  text = without_byte_order_mark(text);
  for (std::size_t number = 1; !text.empty() && (!limit || rows.size() < *limit); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Result<Row> row = parse_row(line, question);
    if (row && !ids.insert(row->id).second) {
      row = schema_error("", "id '" + row->id + "' was used by an earlier row");
    }
    if (row) {
      rows.push_back(*std::move(row));
    } else {
      faults.push_back({"bad_row", {source + ":" + std::to_string(number)}, row.error().message});
    }
  }
  if (!faults.empty()) return bad_rows(std::move(faults), source);
  if (rows.empty()) return schema_error(source, "has no rows");
  return rows;
}

Result<Dataset> load_dataset(const std::string& task_path, const std::string& rows_path,
                             std::optional<std::size_t> limit) {
  Result<std::string> task_text = read_file(task_path);
  if (!task_text) return std::move(task_text).error();
  Result<Task> task = parse_task(*task_text, task_path);
  if (!task) return std::move(task).error();
  Result<std::string> rows_text = read_file(rows_path);
  if (!rows_text) return std::move(rows_text).error();
  Result<std::vector<Row>> rows = parse_rows(*rows_text, rows_path, task->question, limit);
  if (!rows) return std::move(rows).error();
  return Dataset{*std::move(task), *std::move(rows)};
}

}  // namespace logit::eval
