// `ask`: one request, one reply; entry: add_ask. Tested by tests/cli/program_test.sh.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ask_request.h"
#include "command.h"
#include "draw_reply.h"
#include "eval/read_file.h"
#include "interrupt.h"
#include "logit/wire.h"
#include "open_classifier.h"

namespace logit::cli {
namespace {

constexpr std::size_t kLargestRequest = std::size_t{32} << 20;

constexpr const char* kHelp =
    "Questions as flags are answered in the order given, as q1, q2, ...\n"
    "  --choice \"refund|bug: something is broken|other\"   options; text after \": \" describes\n"
    "  --score \"calm|annoyed|furious\"                     levels, low to high\n"
    "  --noul \"The customer asks for money back.\"         yes or no\n"
    "  --instructions \"Which desk?\"                       of the choice or score before it\n"
    "A backslash before | or : makes it part of the text.";

struct AskArguments {
  std::string file;
  std::optional<std::string> state;
  std::string state_file;
  std::vector<AskItem> items;
  DiagnosticsDetail diagnostics = DiagnosticsDetail::kNone;
  // Bars for people, at a terminal or not.
  bool is_drawn = false;
};

Error bad_use(const std::string& where, const std::string& message) {
  return {ErrorCode::kConfig, message, where, {}};
}

Result<Request> request_from_file(const AskArguments& arguments) {
  if (arguments.state || !arguments.state_file.empty() || !arguments.items.empty()) {
    return bad_use(arguments.file,
                   "a request file has its own state and questions; leave the flags out");
  }
  Result<std::string> body = eval::read_file(arguments.file, kLargestRequest);
  if (!body) return std::move(body).error();
  return parse_request(*body);
}

// The last line break of a file is the editor's, not the writer's.
std::string without_last_break(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

Result<Request> request_from_flags(const AskArguments& arguments) {
  if (arguments.state && !arguments.state_file.empty()) {
    return bad_use("--state-file", "--state is given, too");
  }
  if (arguments.state) return build_request(*arguments.state, arguments.items);
  if (arguments.state_file.empty()) {
    return bad_use("ask", "give a request file, - for standard input, or --state with a question");
  }
  Result<std::string> text = eval::read_file(arguments.state_file, kLargestRequest);
  if (!text) return std::move(text).error();
  return build_request(without_last_break(std::string(eval::without_byte_order_mark(*text))),
                       arguments.items);
}

bool is_for_people(const AskArguments& arguments, const Context& context) {
  if (arguments.is_drawn) return true;
  return context.out.is_interactive && context.format == Format::kText &&
         arguments.diagnostics == DiagnosticsDetail::kNone;
}

Result<Output> ask(const AskArguments& arguments, const Context& context) {
  if (arguments.is_drawn &&
      (context.format == Format::kJson || arguments.diagnostics == DiagnosticsDetail::kFull)) {
    return bad_use("--draw", "a drawing has no JSON form; leave out --json and --diagnostics");
  }
  Result<Settings> settings = resolve_settings(context.flags, context.environment);
  if (!settings) return std::move(settings).error();
  Result<Request> request =
      arguments.file.empty() ? request_from_flags(arguments) : request_from_file(arguments);
  if (!request) return std::move(request).error();
  const Interrupt interrupt;
  Result<Opened> opened = open_classifier(*settings, context, interrupt.token());
  if (!opened) return std::move(opened).error();
  const PriorSaver saver(opened->classifier);
  Result<Reply> reply = opened->classifier.classify(*request, interrupt.token());
  if (!reply) return std::move(reply).error();
  if (is_for_people(arguments, context)) return Output{draw_reply(*request, *reply, context.out)};
  const RenderOptions options{settings->extension_prefix, arguments.diagnostics};
  return Output{render_reply(*request, *reply, options) + "\n"};
}

// The parser keeps each flag's values and the order of all flags; an item needs both.
void collect_items(const CLI::App& command, std::vector<AskItem>& items) {
  struct Known {
    const char* name;
    AskFlag flag;
    std::size_t n_used = 0;
  };
  Known known[] = {{"--choice", AskFlag::kChoice},
                   {"--noul", AskFlag::kNoul},
                   {"--score", AskFlag::kScore},
                   {"--instructions", AskFlag::kInstructions}};
  for (const CLI::Option* option : command.parse_order()) {
    for (Known& candidate : known) {
      if (!option->check_lname(candidate.name + 2)) continue;
      items.push_back({candidate.flag, option->results().at(candidate.n_used++)});
    }
  }
}

}  // namespace

void add_ask(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("ask", "Answer a request");
  // Shared with the action, which runs after this function has returned.
  const auto arguments = std::make_shared<AskArguments>();
  command->add_option("file", arguments->file, "Request as JSON; - is standard input")
      ->type_name("FILE");
  command->add_option("--state", arguments->state, "What the questions are about");
  command->add_option("--state-file", arguments->state_file, "The same, as a text file");
  for (const char* flag : {"--choice", "--noul", "--score", "--instructions"}) {
    command->add_option(flag, "See below; may be repeated")
        ->type_name("TEXT")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  }
  add_json_flag(*command, context, "The wire reply, as without a terminal");
  command->add_flag("--draw", arguments->is_drawn, "Bars for people, as at a terminal");
  command->add_flag_callback(
      "--diagnostics", [arguments] { arguments->diagnostics = DiagnosticsDetail::kFull; },
      "The wire reply with what it cost and the numbers behind it");
  add_settings(*command, context);
  command->footer(kHelp);
  command->callback([command, arguments, &context] {
    collect_items(*command, arguments->items);
    context.action = [arguments, &context] { return ask(*arguments, context); };
  });
}

}  // namespace logit::cli
