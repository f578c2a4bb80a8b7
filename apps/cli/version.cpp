// `version`: the program and what it was built with; entry: add_version. Tested by
// tests/cli/program_test.sh. The macros come from CMakeLists.txt.
#include "command.h"

namespace logit::cli {

std::string version_text() {
  const std::string llama = LOGIT_LLAMA_VERSION;
  return "logit-classifier " LOGIT_VERSION "\nllama.cpp " +
         (llama.empty() ? std::string("unknown") : llama) + "\nbuild " LOGIT_BUILD_TYPE "\n";
}

void add_version(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("version", "Show versions");
  command->callback(
      [&context] { context.action = []() -> Result<Output> { return Output{version_text()}; }; });
}

}  // namespace logit::cli
