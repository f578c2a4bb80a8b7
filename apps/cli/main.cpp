// The program: flags to a command, its result to streams and an exit code; entry: main. Tested by
// tests/cli/program_test.sh.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "exit_code.h"
#include "logit/wire.h"
#include "model_path.h"
#include "spin_less.h"
#include "streams.h"

namespace logit::cli {
namespace {

constexpr const char* kFooter =
    "Every setting has a flag and a LOGIT_* variable; the flag wins. See them with config.\n"
    "Exit codes:\n"
    "  0    done\n"
    "  1    a bug in this program; selftest: a check failed; lint --strict: a finding\n"
    "  2    a bad request, flag or setting, or a request that is too long\n"
    "  3    the model cannot be used\n"
    "  4    the model failed\n"
    "  5    a file cannot be read or written\n"
    "  130  cancelled";

// The arguments behind the program's name. "--flag=" is parted into "--flag" and "", because the
// parser would take the next argument as the value otherwise.
std::vector<std::string> split_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool is_empty_value = argument.size() > 3 && argument.starts_with("--") &&
                                argument.find('=') == argument.size() - 1;
    arguments.push_back(argument.substr(0, argument.size() - (is_empty_value ? 1 : 0)));
    if (is_empty_value) arguments.emplace_back();
  }
  return arguments;
}

bool has(const std::vector<std::string>& arguments, std::string_view wanted) {
  return std::find(arguments.begin(), arguments.end(), wanted) != arguments.end();
}

int fail(const Error& error, Format format) {
  write_stderr(error_lines(error));
  if (format == Format::kJson) {
    // The exit code already tells of a failure; one of standard output adds nothing.
    [[maybe_unused]] const Result<Done> written = write_stdout(render_error(error) + "\n");
  }
  return exit_code(error.code);
}

Error flag_error(const std::string& where, const std::string& message) {
  return {ErrorCode::kConfig, message, where, {}};
}

// The parser lists what it did not know in its own order; the first flag is what is meant.
Error unknown_argument(const CLI::App& app) {
  std::vector<std::string> unknown = app.remaining(true);
  const auto flag = std::find_if(unknown.begin(), unknown.end(),
                                 [](const std::string& text) { return text.starts_with("-"); });
  if (flag != unknown.end()) return flag_error(*flag, "unknown flag");
  return flag_error(unknown.empty() ? "" : unknown.front(), "unexpected argument");
}

std::optional<Error> unknown_command(const CLI::App& app,
                                     const std::vector<std::string>& arguments) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!arguments.empty() && command->get_name() == arguments.front()) return std::nullopt;
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  if (arguments.empty()) return flag_error("", "give a command: " + names + " (or --help)");
  if (arguments.front().starts_with("-")) return std::nullopt;
  return flag_error(arguments.front(), "unknown command; there are " + names);
}

int finish(const Context& context) {
  Result<Output> output = context.action();
  if (!output) return fail(output.error(), context.format);
  Result<Done> written = write_stdout(output->text);
  if (!written) return fail(written.error(), Format::kText);
  return output->not_written ? fail(*output->not_written, Format::kText) : output->exit_code;
}

void add_commands(CLI::App& app, Context& context) {
  app.name("logit-classifier");
  app.footer(kFooter);
  app.set_version_flag("--version", version_text());
  add_ask(app, context);
  add_info(app, context);
  add_eval(app, context);
  add_lint(app, context);
  add_calibrate(app, context);
  add_config(app, context);
  add_version(app, context);
  add_optimise(app, context);
  add_selftest(app, context);
  add_serve(app, context);
}

// Flags to context.action; an exit code when the work is done or cannot start.
std::optional<int> parse(CLI::App& app, Context& context, std::vector<std::string> arguments) {
  // Asked for even when parsing fails before the flag is reached.
  if (has(arguments, "--json")) context.format = Format::kJson;
  if (const std::optional<Error> error = unknown_command(app, arguments)) {
    return fail(*error, context.format);
  }
  std::reverse(arguments.begin(), arguments.end());  // the order in which the parser takes them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ExtrasError&) {
    return fail(unknown_argument(app), context.format);
  } catch (const CLI::Success& wish) {  // --help, --version
    std::ostringstream text;
    app.exit(wish, text, text);
    return write_stdout(text.str()) ? kExitOk : kExitFile;
  } catch (const CLI::ParseError& error) {
    return fail(flag_error("", error.what()), context.format);
  }
  if (!context.action) return fail(flag_error("", "give a command, or --help"), context.format);
  return std::nullopt;
}

int run(int argc, char** argv) {
  Context context;
  context.environment = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  context.program_dir = running_program_folder();
  context.out = inspect_terminal(STDOUT_FILENO, context.environment);
  context.err = inspect_terminal(STDERR_FILENO, context.environment);
  CLI::App app("Typed decisions with calibrated probabilities from any GGUF model, on a CPU");
  add_commands(app, context);
  const std::optional<int> code = parse(app, context, split_arguments(argc, argv));
  return code ? *code : finish(context);
}

}  // namespace
}  // namespace logit::cli

int main(int argc, char** argv) {
  logit::cli::spin_less(argv);
  logit::cli::prepare_streams();
  try {
    return logit::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    logit::cli::write_stderr("error: out of memory\n");
  } catch (const std::exception& error) {
    logit::cli::write_stderr(std::string("error: ") + error.what() + "\n");
  }
  return logit::cli::kExitInternal;
}
