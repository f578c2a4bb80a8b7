// `eval`: labelled rows through the model; entry: add_eval. Tested by tests/cli/program_test.sh.
#include <memory>
#include <optional>
#include <utility>

#include "command.h"
#include "eval/dataset.h"
#include "eval/report.h"
#include "eval/run.h"
#include "exit_code.h"
#include "interrupt.h"
#include "open_classifier.h"
#include "progress.h"
#include "streams.h"

namespace logit::cli {
namespace {

struct EvalArguments {
  std::string task;
  std::string rows;
  std::string limit;
};

Error bad_use(const std::string& where, const std::string& message) {
  return {ErrorCode::kConfig, message, where, {}};
}

Result<eval::Dataset> load(const EvalArguments& arguments) {
  if (arguments.task.empty()) return bad_use("--task", "give the task file");
  if (arguments.rows.empty()) return bad_use("--rows", "give the file of labelled rows");
  std::optional<std::size_t> limit;
  if (!arguments.limit.empty()) {
    limit = parse_count(arguments.limit);
    if (!limit || *limit == 0) {
      return bad_use("--limit", "'" + arguments.limit + "' is not a number of rows");
    }
  }
  return eval::load_dataset(arguments.task, arguments.rows, limit);
}

Result<eval::RunResult> run_with_bar(Classifier& classifier, const eval::Dataset& dataset,
                                     const Context& context, std::stop_token stop) {
  ProgressBar bar(dataset.task.name, context.err);
  bar.update(0, dataset.rows.size());
  return eval::run(
      classifier, dataset, {},
      [&bar](std::size_t done, std::size_t total) { bar.update(done, total); }, stop);
}

Result<Output> evaluate(const EvalArguments& arguments, const Context& context) {
  Result<Settings> settings = resolve_settings(context.flags, context.environment);
  if (!settings) return std::move(settings).error();
  Result<eval::Dataset> dataset = load(arguments);
  if (!dataset) return std::move(dataset).error();
  const Interrupt interrupt;
  Result<Opened> opened = open_classifier(*settings, context, interrupt.token());
  if (!opened) return std::move(opened).error();
  Result<eval::RunResult> run =
      run_with_bar(opened->classifier, *dataset, context, interrupt.token());
  if (!run) return std::move(run).error();
  const eval::Report report =
      eval::make_report(dataset->task, *std::move(run), opened->classifier.model());
  for (const std::string& failed : report.run.failed) warn(failed);
  for (const std::string& warning : report.run.warnings) warn(warning);
  Output output{context.format == Format::kJson ? compact_json(report_json(report)) + "\n"
                                                : report_text(report)};
  if (!report.run.failed.empty()) output.exit_code = exit_code(ErrorCode::kTooLong);
  return output;
}

}  // namespace

void add_eval(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("eval", "Measure the model on labelled rows");
  const auto arguments = std::make_shared<EvalArguments>();
  command->add_option("--task", arguments->task, R"(File: {"name": ..., "question": {...}})");
  command->add_option("--rows", arguments->rows,
                      R"(File, one row a line: {"id": ..., "text": ..., "label": ...})");
  command->add_option("--limit", arguments->limit, "Only the first rows");
  add_json_flag(*command, context, "The report as one JSON object");
  add_settings(*command, context);
  command->callback([arguments, &context] {
    context.action = [arguments, &context] { return evaluate(*arguments, context); };
  });
}

}  // namespace logit::cli
