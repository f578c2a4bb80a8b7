// `calibrate`: rows to a calibration file; entry: add_calibrate. Tested by
// tests/calibration/calibrate_test.sh.
#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "ask_scores.h"
#include "calibration_page.h"
#include "check_outputs.h"
#include "command.h"
#include "describe_calibration.h"
#include "eval/write_file.h"
#include "interrupt.h"
#include "logit/fit.h"
#include "open_classifier.h"
#include "profile_store.h"
#include "progress.h"
#include "score_cache.h"
#include "streams.h"

namespace logit::cli {
namespace {

struct CalibrateArguments {
  std::vector<std::string> tasks;
  std::vector<std::string> rows;        // one a task; empty: none
  std::vector<std::string> unlabelled;  // one a task; empty: none
  std::string output;
  std::vector<std::string> risks;
  std::vector<std::string> coverages;
  bool has_kinds = false;
  bool has_only_kinds = false;
  std::string html;
  std::string show;
  std::vector<std::string> merge;
};

Error bad_use(const std::string& where, const std::string& message) {
  return {ErrorCode::kConfig, message, where, {}};
}

Result<std::vector<double>> shares(const std::vector<std::string>& texts, const char* flag) {
  std::vector<double> values;
  for (const std::string& text : texts) {
    const std::optional<double> value = parse_number(text);
    if (!value || !(*value > 0 && *value < 1)) {
      return bad_use(flag, "'" + text + "' is not a number above 0 and below 1");
    }
    values.push_back(*value);
  }
  return values;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[24];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// A state that is in both files is one row.
void drop_labelled(const std::string& source, FitTask& task) {
  std::set<std::string> labelled;
  for (const eval::Row& row : task.labelled) labelled.insert(compact_json(row.state));
  const std::size_t n_dropped = std::erase_if(task.unlabelled, [&](const Content& state) {
    return labelled.contains(compact_json(state));
  });
  if (n_dropped == 0) return;
  warn(source + ": " + std::to_string(n_dropped) +
       " rows are among the labelled ones too, and count once");
}

Result<FitTask> load_task(const std::string& task, const std::string& rows,
                          const std::string& unlabelled) {
  if (rows.empty() && unlabelled.empty()) {
    return bad_use("--rows", "task " + task + " has neither labelled nor unlabelled rows");
  }
  FitTask loaded;
  Result<eval::Task> parsed = eval::load_task(task);
  if (!parsed) return std::move(parsed).error();
  loaded.task = *std::move(parsed);
  if (!rows.empty()) {
    Result<std::vector<eval::Row>> labelled = eval::load_rows(rows, loaded.task.question);
    if (!labelled) return std::move(labelled).error();
    loaded.labelled = *std::move(labelled);
  }
  if (!unlabelled.empty()) {
    Result<std::vector<Content>> states = eval::load_states(unlabelled);
    if (!states) return std::move(states).error();
    loaded.unlabelled = *std::move(states);
    drop_labelled(unlabelled, loaded);
  }
  return loaded;
}

// Everything is read before the model is opened, so that a wrong path costs no wait.
Result<std::vector<FitTask>> load_tasks(const CalibrateArguments& arguments) {
  const std::size_t n = arguments.tasks.size();
  if (n == 0) return bad_use("--task", "give a task file");
  for (const auto& [flag, list] :
       {std::pair{"--rows", &arguments.rows}, std::pair{"--unlabelled", &arguments.unlabelled}}) {
    if (list->empty() || list->size() == n) continue;
    return bad_use(flag, "give as many as --task, in the same order ('' for none)");
  }
  std::vector<FitTask> tasks;
  for (std::size_t i = 0; i < n; ++i) {
    Result<FitTask> task =
        load_task(arguments.tasks[i], arguments.rows.empty() ? "" : arguments.rows[i],
                  arguments.unlabelled.empty() ? "" : arguments.unlabelled[i]);
    if (!task) return std::move(task).error();
    tasks.push_back(*std::move(task));
  }
  return tasks;
}

// Errors: the first task's, where nothing can be fitted for any.
Result<Done> check_enough_rows(const std::vector<FitTask>& tasks) {
  std::optional<Error> first;
  for (const FitTask& task : tasks) {
    const auto n_outside = static_cast<std::size_t>(std::count_if(
        task.labelled.begin(), task.labelled.end(), [](const auto& row) { return !row.label; }));
    const Result<Done> enough = check_enough(
        task.task.question, {task.labelled.size() - n_outside, n_outside, task.unlabelled.size()});
    if (enough) return Done{};
    if (!first) first = enough.error();
  }
  return *first;
}

Result<ScoreCache> open_cache(const Settings& settings, const Context& context,
                              const std::string& fingerprint) {
  const std::filesystem::path profiles = profile_folder(settings.cache_dir, context.environment);
  if (profiles.empty()) return ScoreCache::open({});
  std::string name = fingerprint;
  std::replace(name.begin(), name.end(), '/', '_');
  return ScoreCache::open(profiles.parent_path() / "scores" / (name + ".jsonl"));
}

Result<std::vector<AskedTask>> ask_all(const std::vector<FitTask>& tasks, Opened& opened,
                                       ScoreCache& cache, const Context& context,
                                       std::stop_token stop) {
  std::vector<AskedTask> asked;
  std::vector<std::string> warnings;
  for (const FitTask& task : tasks) {
    ProgressBar bar(task.task.name, context.err);
    Result<AskedTask> done = ask_scores(
        opened.classifier, task, cache, warnings,
        [&bar](std::size_t n, std::size_t total) { bar.update(n, total); }, stop);
    if (!done) return std::move(done).error();
    asked.push_back(*std::move(done));
  }
  for (const std::string& warning : warnings) warn(warning);
  for (const AskedTask& task : asked) {
    for (const std::string& failed : task.failed) warn(failed);
    if (task.n_read_otherwise > 0) {
      warn(task.rows.question.id + ": " + std::to_string(task.n_read_otherwise) +
           " rows are left out, because they were read in another way than the others");
    }
  }
  return asked;
}

constexpr const char* kNoKinds =
    "no kind was fitted: that takes a question of 30 labelled rows, and a map that lowers the log "
    "loss of held-out rows by more than its standard error";

struct Fitting {
  Calibration calibration;
  std::vector<std::string> names;    // of its questions
  std::vector<std::string> refused;  // tasks that nothing was fitted for, with the reason
};

// A refusal is noted, and kept as `first` if it is.
void fit_task(const AskedTask& task, FitOptions options, Fitting& fitting,
              std::optional<Error>& first) {
  options.before = task.before;
  Result<QuestionCalibration> known = fit_question(task.rows, options);
  const std::string& name = task.rows.question.id;
  if (known) {
    fitting.calibration.questions.push_back(*std::move(known));
    fitting.names.push_back(name);
    return;
  }
  fitting.refused.push_back(name + ": " + known.error().message);
  if (!first) first = std::move(known).error();
}

Result<Fitting> fit_all(const std::vector<AskedTask>& asked, const FitOptions& options,
                        const CalibrateArguments& arguments) {
  Fitting fitting;
  std::vector<ScoredRows> rows;
  std::vector<ScoreMap> befores;
  std::optional<Error> first;
  for (const AskedTask& task : asked) {
    if (!arguments.has_only_kinds) fit_task(task, options, fitting, first);
    fitting.calibration.sets.push_back(task.rows.question.id);
    rows.push_back(task.rows);
    befores.push_back(task.before);
  }
  if (arguments.has_kinds || arguments.has_only_kinds) {
    Result<std::vector<KindCalibration>> kinds = fit_kinds(rows, befores, options);
    if (!kinds) return std::move(kinds).error();
    fitting.calibration.kinds = *std::move(kinds);
  }
  if (fitting.calibration.questions.empty() && fitting.calibration.kinds.empty()) {
    return first.value_or(bad_use("--rows", kNoKinds));
  }
  return fitting;
}

// The page where one is wanted, and the text or the JSON.
Result<Output> present(const Calibration& calibration, const std::vector<std::string>& names,
                       const std::string& html, const Context& context) {
  Output output{context.format == Format::kJson ? calibration_json(calibration) + "\n"
                                                : calibration_text(calibration, names)};
  if (html.empty()) return output;
  Result<Done> written = eval::write_file(html, calibration_page(calibration, names));
  if (!written) output.not_written = std::move(written).error();
  return output;
}

Result<Output> show(const CalibrateArguments& arguments, const Context& context) {
  Result<Done> checked = check_outputs({{"--html", arguments.html}}, {{"--show", arguments.show}});
  if (!checked) return std::move(checked).error();
  Result<Calibration> calibration = load_calibration(arguments.show);
  if (!calibration) return std::move(calibration).error();
  return present(*calibration, {}, arguments.html, context);
}

Result<Output> merge_files(const CalibrateArguments& arguments, const Context& context) {
  if (arguments.output.empty()) return bad_use("--output", "give the file to write");
  // The merged file may take the place of one of the two; a page may not.
  Result<Done> checked =
      check_outputs({{"--html", arguments.html}}, {{"--output", arguments.output},
                                                   {"--merge", arguments.merge[0]},
                                                   {"--merge", arguments.merge[1]}});
  if (!checked) return std::move(checked).error();
  Result<Calibration> a = load_calibration(arguments.merge[0]);
  if (!a) return std::move(a).error();
  Result<Calibration> b = load_calibration(arguments.merge[1]);
  if (!b) return std::move(b).error();
  Result<Calibration> merged = merge(*a, *b);
  if (!merged) return std::move(merged).error();
  Result<Done> saved = save_calibration(arguments.output, *merged);
  if (!saved) return std::move(saved).error();
  return present(*merged, {}, arguments.html, context);
}

std::vector<NamedPath> inputs_of(const CalibrateArguments& arguments) {
  std::vector<NamedPath> inputs;
  for (const std::string& path : arguments.tasks) inputs.push_back({"--task", path});
  for (const std::string& path : arguments.rows) inputs.push_back({"--rows", path});
  for (const std::string& path : arguments.unlabelled) inputs.push_back({"--unlabelled", path});
  return inputs;
}

Result<FitOptions> fit_options(const CalibrateArguments& arguments) {
  Result<std::vector<double>> risks = shares(arguments.risks, "--risk");
  if (!risks) return std::move(risks).error();
  Result<std::vector<double>> coverages = shares(arguments.coverages, "--coverage");
  if (!coverages) return std::move(coverages).error();
  FitOptions options;
  options.risks = *std::move(risks);
  options.coverages = *std::move(coverages);
  return options;
}

// Flags that say something a fit cannot heed; variables that are set for other commands may stand.
Result<Done> check_flags(const CalibrateArguments& arguments, const Context& context) {
  for (const char* flag : {"calibration", "prior"}) {
    if (!context.flags.contains(flag)) continue;
    return bad_use(std::string("--") + flag, "a fit begins with what the model does by itself");
  }
  for (const auto& [flag, values] :
       {std::pair{"--risk", &arguments.risks}, std::pair{"--coverage", &arguments.coverages}}) {
    if (arguments.has_only_kinds && !values->empty()) {
      return bad_use(flag, "it belongs to one question, and --only-kinds fits nothing of the sort");
    }
  }
  return Done{};
}

Result<Output> fit(const CalibrateArguments& arguments, const Context& context) {
  if (Result<Done> checked = check_flags(arguments, context); !checked) return checked.error();
  Result<Settings> settings = resolve_settings(context.flags, context.environment);
  if (!settings) return std::move(settings).error();
  const Result<FitOptions> options = fit_options(arguments);
  if (!options) return options.error();
  if (arguments.output.empty()) return bad_use("--output", "give the file to write");
  Result<Done> writable = check_outputs(
      {{"--output", arguments.output}, {"--html", arguments.html}}, inputs_of(arguments));
  if (!writable) return std::move(writable).error();
  const Result<std::vector<FitTask>> tasks = load_tasks(arguments);
  if (!tasks) return tasks.error();
  if (Result<Done> enough = check_enough_rows(*tasks); !enough) return enough.error();
  // The fit starts from what the model does by itself.
  settings->calibration.clear();
  settings->classifier.prior = PriorSource::kNone;
  const Interrupt interrupt;
  Result<Opened> opened = open_classifier(*settings, context, interrupt.token());
  if (!opened) return std::move(opened).error();
  const std::string fingerprint = opened->classifier.model().fingerprint;
  Result<ScoreCache> cache = open_cache(*settings, context, fingerprint);
  if (!cache) return std::move(cache).error();
  const Result<std::vector<AskedTask>> asked =
      ask_all(*tasks, *opened, *cache, context, interrupt.token());
  if (!asked) return asked.error();
  Result<Fitting> fitting = fit_all(*asked, *options, arguments);
  if (!fitting) return std::move(fitting).error();
  Calibration& calibration = fitting->calibration;
  calibration.fingerprint = fingerprint;
  calibration.prompts = Profile::kVersion;
  calibration.created = utc_now();
  Result<Done> saved = save_calibration(arguments.output, calibration);
  if (!saved) return std::move(saved).error();
  for (const std::string& refused : fitting->refused) warn("nothing was fitted for " + refused);
  if (arguments.has_kinds && calibration.kinds.empty()) warn(std::string("--kinds: ") + kNoKinds);
  return present(calibration, fitting->names, arguments.html, context);
}

Result<Output> calibrate(const CalibrateArguments& arguments, const Context& context) {
  if (!arguments.show.empty()) return show(arguments, context);
  if (!arguments.merge.empty()) return merge_files(arguments, context);
  return fit(arguments, context);
}

}  // namespace

void add_calibrate(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("calibrate", "Fit probabilities to labelled rows");
  const auto arguments = std::make_shared<CalibrateArguments>();
  command
      ->add_option_function<std::string>(
          "model", [&context](const std::string& text) { context.flags["model"] = text; },
          "As --model")
      ->type_name("MODEL");
  command
      ->add_option("--task", arguments->tasks,
                   R"(File: {"name": ..., "question": {...}}; may be repeated)")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--rows", arguments->rows,
          R"(File of labelled rows for each task: {"id", "text", "label"} a line; or .csv, .tsv)")
      ->allow_extra_args(false);
  command
      ->add_option("--unlabelled", arguments->unlabelled,
                   R"(File of rows without labels for each task: {"text"} a line; or .csv, .tsv)")
      ->allow_extra_args(false);
  command->add_option("--output", arguments->output, "File to write");
  command->add_flag("--kinds", arguments->has_kinds,
                    "Also fit what all questions of one kind share");
  command->add_flag("--only-kinds", arguments->has_only_kinds,
                    "Fit nothing that belongs to one question");
  command
      ->add_option("--risk", arguments->risks,
                   "Find the threshold above which at most this share is wrong")
      ->allow_extra_args(false);
  command
      ->add_option("--coverage", arguments->coverages,
                   "Find the sets that hold the right candidate this often")
      ->allow_extra_args(false);
  command->add_option("--html", arguments->html,
                      "File to write: the fits on a page, with reliability diagrams");
  command->add_option("--show", arguments->show, "Describe a calibration file and stop");
  command->add_option("--merge", arguments->merge, "Put two calibration files into --output")
      ->expected(2);
  add_json_flag(*command, context, "The calibration as JSON");
  add_settings(*command, context);
  command->callback([arguments, &context] {
    context.action = [arguments, &context] { return calibrate(*arguments, context); };
  });
}

}  // namespace logit::cli
