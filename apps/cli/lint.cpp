// `lint`: what is likely to be answered badly; entry: add_lint. Tested by tests/eval/eval_test.sh.
#include "logit/lint.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "command.h"
#include "describe_findings.h"
#include "eval/compare.h"
#include "eval/dataset.h"
#include "eval/json_content.h"
#include "eval/read_file.h"
#include "exit_code.h"
#include "logit/wire.h"

namespace logit::cli {
namespace {

struct LintArguments {
  std::string file;
  std::string predictions;
  bool is_strict = false;
};

// An option's name out of a label's JSON; empty for what is no name.
std::string name_of(const std::string& label) {
  Result<Content> json = parse_content(label);
  return json && json->text() != nullptr ? *json->text() : "";
}

std::vector<Confusion> confusions_of(const std::vector<eval::ComparableRow>& rows) {
  std::map<std::string, std::size_t> n_rows;
  std::map<std::pair<std::string, std::string>, std::size_t> n_confused;
  for (const eval::ComparableRow& row : rows) {
    ++n_rows[row.label];
    if (!row.is_right()) ++n_confused[{row.label, row.predicted}];
  }
  std::vector<Confusion> confusions;
  for (const auto& [pair, n] : n_confused) {
    confusions.push_back({name_of(pair.first), name_of(pair.second), n, n_rows[pair.first]});
  }
  return confusions;
}

// Those of the file that are rows of this task, or all where `task` is null. Errors: kFile; kConfig
// for a file that is none of predictions, or has no row of the task.
Result<LintOptions> options_of(const std::string& predictions, const std::string* task) {
  LintOptions options;
  if (predictions.empty()) return options;
  Result<std::string> text = eval::read_file(predictions);
  if (!text) return std::move(text).error();
  Result<std::vector<eval::ComparableRow>> rows = eval::parse_comparable_rows(*text, predictions);
  if (!rows) return std::move(rows).error();
  std::erase_if(*rows, [&](const auto& row) { return task != nullptr && row.task != *task; });
  if (rows->empty()) {
    return Error{ErrorCode::kConfig, "has no row of task '" + *task + "'", predictions, {}};
  }
  options.confusions = confusions_of(*rows);
  return options;
}

// A task file has a `question`, a request `questions`.
Result<std::vector<Finding>> findings_of(const std::string& path, const std::string& predictions) {
  Result<std::string> text = eval::read_file(path);
  if (!text) return std::move(text).error();
  Result<Content> json = parse_content(eval::without_byte_order_mark(*text));
  if (!json || eval::find_member(*json, "question") == nullptr) {
    Result<Request> request = parse_request(*text);
    if (!request) return std::move(request).error();
    Result<LintOptions> options = options_of(predictions, nullptr);
    if (!options) return std::move(options).error();
    return lint(*request, *options);
  }
  Result<eval::Task> task = eval::parse_task(*text, path);
  if (!task) return std::move(task).error();
  Result<LintOptions> options = options_of(predictions, &task->name);
  if (!options) return std::move(options).error();
  std::vector<Finding> findings = lint(task->question, *options);
  for (Finding& finding : findings) finding.loc.insert(finding.loc.begin(), "question");
  return findings;
}

Result<Output> run_lint(const LintArguments& arguments, const Context& context) {
  Result<std::vector<Finding>> findings = findings_of(arguments.file, arguments.predictions);
  if (!findings) return std::move(findings).error();
  Output output{context.format == Format::kJson ? compact_json(findings_json(*findings)) + "\n"
                                                : findings_text(*findings)};
  if (arguments.is_strict && !findings->empty()) output.exit_code = kExitFindings;
  return output;
}

}  // namespace

void add_lint(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("lint", "Say what in a request or task is likely to be answered badly");
  const auto arguments = std::make_shared<LintArguments>();
  command->add_option("file", arguments->file, "Request or task as JSON; - is standard input")
      ->type_name("FILE")
      ->required();
  command->add_option("--predictions", arguments->predictions,
                      "File of eval --predictions: which options the model confuses");
  command->add_flag("--strict", arguments->is_strict, "Exit with 1 when anything is found");
  add_json_flag(*command, context, "The findings as one JSON object");
  command->callback([arguments, &context] {
    context.action = [arguments, &context] { return run_lint(*arguments, context); };
  });
}

}  // namespace logit::cli
