// Cuts text into records and cells; entry: parse_csv. Tested by tests/cli/csv_test.cpp.
#include "eval/csv.h"

#include <utility>

namespace logit::eval {
namespace {

class Reader {
 public:
  Reader(std::string_view text, char separator, const std::string& source)
      : text_(text), separator_(separator), source_(source) {}

  Result<std::vector<CsvRecord>> read_all() {
    std::vector<CsvRecord> records;
    while (at_ < text_.size()) {
      if (is_line_end()) {
        take_line_end();
        continue;
      }
      Result<CsvRecord> record = read_record();
      if (!record) return std::move(record).error();
      records.push_back(*std::move(record));
    }
    return records;
  }

 private:
  bool is_line_end() const {
    return at_ == text_.size() || text_[at_] == '\n' || text_.substr(at_, 2) == "\r\n" ||
           (text_[at_] == '\r' && at_ + 1 == text_.size());
  }

  void take_line_end() {
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    ++line_;
  }

  Error fault(std::size_t line, const std::string& message) const {
    return {ErrorCode::kSchema, message, source_ + ":" + std::to_string(line), {}};
  }

  Result<CsvRecord> read_record() {
    CsvRecord record;
    record.line = line_;
    while (true) {
      Result<std::string> cell = at_ < text_.size() && text_[at_] == '"' ? quoted() : plain();
      if (!cell) return std::move(cell).error();
      record.cells.push_back(*std::move(cell));
      if (is_line_end()) break;
      ++at_;  // the separator
    }
    take_line_end();
    return record;
  }

  Result<std::string> plain() {
    std::string cell;
    while (!is_line_end() && text_[at_] != separator_) {
      if (text_[at_] == '"') return fault(line_, "a quote inside a cell that is not quoted");
      cell += text_[at_++];
    }
    return cell;
  }

  Result<std::string> quoted() {
    const std::size_t first_line = line_;
    std::string cell;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (text_.substr(at_, 2) != "\"\"") break;
        ++at_;
      }
      if (text_[at_] == '\n') ++line_;
      cell += text_[at_];
    }
    if (at_ == text_.size()) return fault(first_line, "a quote is never closed");
    ++at_;
    if (is_line_end() || text_[at_] == separator_) return cell;
    return fault(line_, "text behind a closing quote");
  }

  std::string_view text_;
  char separator_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

Result<std::vector<CsvRecord>> parse_csv(std::string_view text, char separator,
                                         const std::string& source) {
  return Reader(text, separator, source).read_all();
}

}  // namespace logit::eval
