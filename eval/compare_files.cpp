// Reads the rows of two runs from their files; entry: parse_comparable_rows. Tested by
// tests/cli/compare_test.cpp.
#include <set>
#include <utility>

#include "eval/compare.h"
#include "eval/json_content.h"
#include "eval/read_file.h"
#include "logit/wire.h"

namespace logit::eval {
namespace {

Error bad_file(const std::string& where, const std::string& message) {
  return {ErrorCode::kSchema, message, where, {}};
}

const std::string* text_at(const Content& object, std::string_view key) {
  const Content* member = find_member(object, key);
  return member == nullptr ? nullptr : member->text();
}

std::string text_or_empty(const Content& object, std::string_view key) {
  const std::string* text = text_at(object, key);
  return text == nullptr ? "" : *text;
}

const Content::Array* array_at(const Content& object, std::string_view key) {
  const Content* member = find_member(object, key);
  return member == nullptr ? nullptr : std::get_if<Content::Array>(&member->value);
}

class Collector {
 public:
  explicit Collector(const std::string& source) : source_(source) {}

  Result<Done> add_report(const Content& report) {
    variants_.insert(text_or_empty(report, "variant"));
    const Content* rows = find_member(report, "rows");
    const std::string* task = text_at(report, "task");
    if (rows == nullptr || task == nullptr) return bad_file(source_, "is no report with rows");
    const Content::Array* columns[] = {array_at(*rows, "id"), array_at(*rows, "state_hash"),
                                       array_at(*rows, "label"), array_at(*rows, "predicted"),
                                       array_at(*rows, "p_label")};
    for (const Content::Array* column : columns) {
      if (column == nullptr || column->size() != columns[0]->size()) {
        return bad_file(source_, "the report's rows are damaged");
      }
    }
    for (std::size_t i = 0; i < columns[0]->size(); ++i) {
      Result<Done> added = add(*task, (*columns[0])[i], (*columns[1])[i], (*columns[2])[i],
                               (*columns[3])[i], (*columns[4])[i], source_);
      if (!added) return added;
    }
    return Done{};
  }

  Result<Done> add_prediction(const Content& line, const std::string& where) {
    if (find_member(line, "removed") != nullptr) return Done{};  // of --drop-gold
    const std::string* task = text_at(line, "task");
    const Content* values[] = {find_member(line, "id"), find_member(line, "state_hash"),
                               find_member(line, "label"), find_member(line, "predicted"),
                               find_member(line, "p_label")};
    for (const Content* value : values) {
      if (value == nullptr || task == nullptr) return bad_file(where, "is no prediction");
    }
    if (values[2]->is_null()) return Done{};  // out of scope: no answer is right
    variants_.insert(text_or_empty(line, "variant"));
    return add(*task, *values[0], *values[1], *values[2], *values[3], *values[4], where);
  }

  Result<std::vector<ComparableRow>> finish() && {
    if (variants_.size() > 1) {
      return Error{
          ErrorCode::kConfig, "has several variants; their own table compares them", source_, {}};
    }
    if (rows_.empty()) return Error{ErrorCode::kConfig, "has no row with a label", source_, {}};
    return std::move(rows_);
  }

 private:
  Result<Done> add(const std::string& task, const Content& id, const Content& hash,
                   const Content& label, const Content& predicted, const Content& p_label,
                   const std::string& where) {
    const std::optional<double> p = number_of(p_label);
    if (id.text() == nullptr || hash.text() == nullptr || !p || !(*p >= 0 && *p <= 1)) {
      return bad_file(where, "a row's id, state_hash or p_label is damaged");
    }
    if (!keys_.emplace(task, *id.text()).second) {
      return bad_file(where, "has row '" + *id.text() + "' twice");
    }
    rows_.push_back(
        {task, *id.text(), *hash.text(), compact_json(label), compact_json(predicted), *p});
    return Done{};
  }

  const std::string& source_;
  std::vector<ComparableRow> rows_;
  std::set<std::string> variants_;
  std::set<std::pair<std::string, std::string>> keys_;
};

Result<Done> add_reports(Collector& collector, const Content& json) {
  const Content::Array* reports = array_at(json, "reports");
  if (reports == nullptr) return collector.add_report(json);
  for (const Content& report : *reports) {
    Result<Done> added = collector.add_report(report);
    if (!added) return added;
  }
  return Done{};
}

}  // namespace

Result<std::vector<ComparableRow>> parse_comparable_rows(std::string_view text,
                                                         const std::string& source) {
  Collector collector(source);
  text = without_byte_order_mark(text);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string where = source + ":" + std::to_string(number);
    Result<Content> json = parse_content(line);
    if (!json) return bad_file(where, "is not JSON; give a report of --json or predictions");
    const bool is_report =
        find_member(*json, "rows") != nullptr || find_member(*json, "reports") != nullptr;
    Result<Done> added =
        is_report ? add_reports(collector, *json) : collector.add_prediction(*json, where);
    if (!added) return std::move(added).error();
  }
  return std::move(collector).finish();
}

}  // namespace logit::eval
