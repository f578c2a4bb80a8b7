// `eval`: labelled rows through the model; entry: add_eval. Tested by tests/cli/program_test.sh and
// tests/eval/eval_test.sh.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "check_outputs.h"
#include "command.h"
#include "compare_runs.h"
#include "describe_findings.h"
#include "eval/dataset.h"
#include "eval/html_report.h"
#include "eval/predictions.h"
#include "eval/report.h"
#include "eval/run.h"
#include "eval/write_file.h"
#include "eval_plan.h"
#include "exit_code.h"
#include "interrupt.h"
#include "logit/lint.h"
#include "open_classifier.h"
#include "progress.h"
#include "streams.h"

namespace logit::cli {
namespace {

constexpr const char* kHelp =
    "Several sets:  --task A.task.json --rows A.jsonl --task B.task.json --rows B.csv\n"
    "               --data eval/data --set banking10,clinc150 --split test\n"
    "Variants:      --variant \"labels: --readout label\" --variant \"texts: --readout text\"\n"
    "Two runs:      --compare before.json after.json   (files of --json or --predictions)\n"
    "docs/eval.md explains every measure.";

Error bad_use(const std::string& where, const std::string& message) {
  return {ErrorCode::kConfig, message, where, {}};
}

Result<std::optional<std::size_t>> count_of(const std::string& flag, const std::string& text) {
  if (text.empty()) return std::optional<std::size_t>();
  const std::optional<std::size_t> count = parse_count(text);
  if (count && *count > 0) return count;
  return bad_use(flag, "'" + text + "' is not a number above 0");
}

// Everything that can be wrong before the model is opened.
struct Plan {
  std::vector<eval::Dataset> datasets;
  std::vector<Variant> variants;
  std::vector<Settings> settings;  // of the variants
  eval::RunOptions options;
};

Result<std::vector<eval::Dataset>> load(const EvalArguments& arguments) {
  Result<std::vector<SetFiles>> files = set_files(arguments);
  if (!files) return std::move(files).error();
  Result<std::optional<std::size_t>> limit = count_of("--limit", arguments.limit);
  if (!limit) return std::move(limit).error();
  std::vector<eval::Dataset> datasets;
  for (const SetFiles& file : *files) {
    Result<eval::Dataset> dataset = eval::load_dataset(file.task, file.rows, *limit);
    if (!dataset) return std::move(dataset).error();
    for (const eval::Dataset& earlier : datasets) {
      if (earlier.task.name == dataset->task.name) {
        return bad_use(file.task, "an earlier set has the name '" + earlier.task.name + "', too");
      }
    }
    datasets.push_back(*std::move(dataset));
  }
  return datasets;
}

Result<Done> check_files(const EvalArguments& arguments) {
  const Result<std::vector<SetFiles>> files = set_files(arguments);
  if (!files) return files.error();
  std::vector<NamedPath> inputs;
  for (const SetFiles& file : *files) {
    inputs.push_back({"--task", file.task});
    inputs.push_back({"--rows", file.rows});
  }
  return check_outputs({{"--predictions", arguments.predictions}, {"--html", arguments.html}},
                       inputs);
}

Result<Plan> plan(const EvalArguments& arguments, const Context& context) {
  Plan plan;
  Result<std::vector<Variant>> variants = read_variants(arguments.variants, context.flags);
  if (!variants) return std::move(variants).error();
  plan.variants = *std::move(variants);
  for (const Variant& variant : plan.variants) {
    Result<Settings> settings = resolve_settings(variant.flags, context.environment);
    if (!settings) return std::move(settings).error();
    plan.settings.push_back(*std::move(settings));
  }
  Result<std::optional<std::size_t>> seed = count_of("--seed", arguments.seed);
  if (!seed) return std::move(seed).error();
  plan.options.seed = seed->value_or(plan.options.seed);
  plan.options.asks_reversed = arguments.asks_reversed;
  plan.options.asks_removed = arguments.asks_removed;
  Result<std::vector<eval::Dataset>> datasets = load(arguments);
  if (!datasets) return std::move(datasets).error();
  plan.datasets = *std::move(datasets);
  Result<Done> checked = check_files(arguments);
  if (!checked) return std::move(checked).error();
  return plan;
}

void warn_of_tasks(const Plan& plan) {
  for (const eval::Dataset& dataset : plan.datasets) {
    for (const Finding& finding : lint(dataset.task.question)) {
      if (finding.severity == Severity::kWarning) {
        warn(dataset.task.name + ": " + finding_line(finding));
      }
    }
  }
}

// What was set, without where things lie on this machine.
std::vector<std::pair<std::string, std::string>> set_values(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const SettingValue& value : settings.values) {
    const std::string_view name = value.spec->name;
    if (value.source == Source::kDefault || name == "model" || name.ends_with("-dir")) continue;
    values.emplace_back(name, value.text);
  }
  return values;
}

Result<eval::Report> run_set(Classifier& classifier, const eval::Dataset& dataset,
                             const Variant& variant, const Plan& plan, const Context& context,
                             std::stop_token stop) {
  ProgressBar bar(
      variant.name.empty() ? dataset.task.name : dataset.task.name + ", " + variant.name,
      context.err);
  bar.update(0, dataset.rows.size());
  Result<eval::RunResult> run = eval::run(
      classifier, dataset, plan.options,
      [&bar](std::size_t done, std::size_t total) { bar.update(done, total); }, stop);
  if (!run) return std::move(run).error();
  eval::Report report = eval::make_report(dataset.task, *std::move(run), classifier.model());
  report.variant = variant.name;
  return report;
}

// Set by set, the variants of each in the order given.
Result<std::vector<eval::Report>> run_all(const Plan& plan, const Context& context) {
  const Interrupt interrupt;
  const std::size_t n_variants = plan.variants.size();
  std::vector<eval::Report> reports(plan.datasets.size() * n_variants);
  for (std::size_t v = 0; v < n_variants; ++v) {
    // One model in memory at a time.
    Result<Opened> opened = open_classifier(plan.settings[v], context, interrupt.token());
    if (!opened) return std::move(opened).error();
    const PriorSaver saver(opened->classifier);
    for (std::size_t d = 0; d < plan.datasets.size(); ++d) {
      Result<eval::Report> report = run_set(opened->classifier, plan.datasets[d], plan.variants[v],
                                            plan, context, interrupt.token());
      if (!report) return std::move(report).error();
      report->settings = set_values(plan.settings[v]);
      reports[d * n_variants + v] = *std::move(report);
    }
  }
  return reports;
}

// Rows that failed under one of the variants leave nothing to compare; that is told, not an error.
void compare_variants(std::vector<eval::Report>& reports, std::size_t n_variants) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const eval::Report& first = reports[i - i % n_variants];
    if (i % n_variants == 0) continue;
    Result<eval::Comparison> comparison =
        eval::compare(eval::comparable_rows(first), eval::comparable_rows(reports[i]));
    if (comparison) {
      reports[i].against_first = *std::move(comparison);
    } else {
      warn(reports[i].task + ", " + reports[i].variant + ": " + comparison.error().message);
    }
  }
}

std::string name_of(const eval::Report& report) {
  return report.variant.empty() ? report.task : report.task + ", " + report.variant;
}

bool tell_warnings(const std::vector<eval::Report>& reports) {
  bool has_failed = false;
  for (const eval::Report& report : reports) {
    const std::string prefix = reports.size() == 1 ? "" : name_of(report) + ": ";
    for (const std::string& failed : report.run.failed) warn(prefix + failed);
    for (const std::string& warning : report.run.warnings) warn(prefix + warning);
    has_failed = has_failed || !report.run.failed.empty();
  }
  return has_failed;
}

Result<Done> write_files(const EvalArguments& arguments, const std::vector<eval::Report>& reports) {
  if (!arguments.predictions.empty()) {
    std::string lines;
    for (const eval::Report& report : reports) lines += eval::predictions_jsonl(report);
    Result<Done> written = eval::write_file(arguments.predictions, lines);
    if (!written) return written;
  }
  if (arguments.html.empty()) return Done{};
  return eval::write_file(arguments.html, eval::html_report(reports));
}

std::string text_of(const std::vector<eval::Report>& reports) {
  std::string text;
  for (const eval::Report& report : reports) text += eval::report_text(report) + "\n";
  return text + eval::reports_table(reports);
}

Result<Output> evaluate(const EvalArguments& arguments, const Context& context) {
  Result<Plan> made = plan(arguments, context);
  if (!made) return std::move(made).error();
  warn_of_tasks(*made);
  Result<std::vector<eval::Report>> reports = run_all(*made, context);
  if (!reports) return std::move(reports).error();
  compare_variants(*reports, made->variants.size());
  const bool has_failed = tell_warnings(*reports);
  Result<Done> written = write_files(arguments, *reports);
  Output output{context.format == Format::kJson ? compact_json(eval::reports_json(*reports)) + "\n"
                                                : text_of(*reports)};
  if (has_failed) output.exit_code = exit_code(ErrorCode::kTooLong);
  if (!written) output.not_written = std::move(written).error();
  return output;
}

Result<Output> compare(const std::vector<std::string>& files, const EvalArguments& arguments,
                       const Context& context) {
  if (arguments != EvalArguments() || !context.flags.empty()) {
    return bad_use("--compare", "takes two files and --json only: nothing is asked");
  }
  return compare_runs(files.front(), files.back(), context.format);
}

void add_each(CLI::App& command, const std::string& flag, std::vector<std::string>& target,
              const std::string& help) {
  command.add_option(flag, target, help)
      ->type_name("TEXT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

}  // namespace

void add_eval(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("eval", "Measure the model on labelled rows");
  const auto arguments = std::make_shared<EvalArguments>();
  const auto compared = std::make_shared<std::vector<std::string>>();
  add_each(*command, "--task", arguments->tasks,
           R"(File: {"name": ..., "question": {...}}; may be repeated)");
  add_each(*command, "--rows", arguments->rows,
           R"(Its rows, one a line: {"id": ..., "text": ..., "label": ...}; or .csv, .tsv)");
  command->add_option("--data", arguments->data, "Folder of SET.task.json and SET.SPLIT.jsonl");
  command->add_option("--set", arguments->sets, "Sets of that folder, with commas between");
  command->add_option("--split", arguments->split, "Which rows of a set (default test)");
  command->add_option("--limit", arguments->limit, "Only the first rows of each set");
  add_each(*command, "--variant", arguments->variants,
           "\"name: --flag value ...\": the same under these settings; may be repeated");
  command->add_flag("--reversal", arguments->asks_reversed,
                    "Ask again with options in reverse: flip rate; costs double");
  command->add_flag("--drop-gold", arguments->asks_removed,
                    "Ask again with one option removed: does it abstain when none is right?");
  command->add_option("--seed", arguments->seed, "Which option is removed (default 1)");
  command->add_option("--predictions", arguments->predictions, "Write every answer, JSON lines");
  command->add_option("--html", arguments->html, "Write a page with tables and diagrams");
  command->add_option("--compare", *compared, "Two files of earlier runs; asks nothing")
      ->type_name("BEFORE AFTER")
      ->expected(2);
  add_json_flag(*command, context, "The report as one JSON object");
  add_settings(*command, context);
  command->footer(kHelp);
  command->callback([arguments, compared, &context] {
    context.action = [arguments, compared, &context] {
      return compared->empty() ? evaluate(*arguments, context)
                               : compare(*compared, *arguments, context);
    };
  });
}

}  // namespace logit::cli
