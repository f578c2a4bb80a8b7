// Compares two files; entry: compare_runs. Tested by tests/eval/eval_test.sh.
#include "compare_runs.h"

#include <utility>
#include <vector>

#include "eval/compare.h"
#include "eval/read_file.h"

namespace logit::cli {
namespace {

Result<std::vector<eval::ComparableRow>> rows_of(const std::string& path) {
  Result<std::string> text = eval::read_file(path);
  if (!text) return std::move(text).error();
  return eval::parse_comparable_rows(*text, path);
}

}  // namespace

Result<Output> compare_runs(const std::string& before, const std::string& after, Format format) {
  Result<std::vector<eval::ComparableRow>> first = rows_of(before);
  if (!first) return std::move(first).error();
  Result<std::vector<eval::ComparableRow>> second = rows_of(after);
  if (!second) return std::move(second).error();
  Result<eval::Comparison> comparison = eval::compare(*first, *second);
  if (!comparison) {
    Error error = std::move(comparison).error();
    error.where = "--compare";
    return error;
  }
  if (format == Format::kText) return Output{eval::comparison_text(*comparison)};
  return Output{compact_json(eval::comparison_json(*comparison)) + "\n"};
}

}  // namespace logit::cli
