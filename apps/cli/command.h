// What the sub-commands share: one file a command, each adds its flags and its action.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "logit/result.h"
#include "settings.h"
#include "terminal.h"

namespace logit::cli {

struct Output {
  std::string text;   // for standard output
  int exit_code = 0;  // other than 0 when some of the work failed
  // A file beside the output that could not be written: the output is written all the same, as it
  // may be of long work, then this is told and decides the exit code.
  std::optional<Error> not_written{};
};

enum class Format : unsigned char { kText, kJson };

// Filled while flags are read, then given to the action.
struct Context {
  Environment environment;
  std::filesystem::path program_dir;
  Terminal out;
  Terminal err;
  FlagValues flags;  // settings
  Format format = Format::kText;
  std::function<Result<Output>()> action;  // of the command that was called
};

// Each adds one sub-command to `app`. `context` must outlive it.
void add_ask(CLI::App& app, Context& context);
void add_info(CLI::App& app, Context& context);
void add_eval(CLI::App& app, Context& context);
void add_lint(CLI::App& app, Context& context);
void add_calibrate(CLI::App& app, Context& context);
void add_config(CLI::App& app, Context& context);
void add_version(CLI::App& app, Context& context);
void add_optimise(CLI::App& app, Context& context);
void add_selftest(CLI::App& app, Context& context);
void add_serve(CLI::App& app, Context& context);

// Parts of a command.
void add_settings(CLI::App& command, Context& context);
void add_serve_settings(CLI::App& command, Context& context);
void add_json_flag(CLI::App& command, Context& context, const std::string& help);
CLI::Option* add_text(CLI::App& command, const std::string& flag, std::string& target,
                      const std::string& help);

// "logit-classifier 0.1.0" and what it was built with, one line each.
std::string version_text();

}  // namespace logit::cli
