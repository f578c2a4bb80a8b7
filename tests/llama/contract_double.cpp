// The contract tests on the scripted double: what the double says of others holds for itself.
#include "support/contract.h"
#include "support/scripted_backend.h"

namespace logit::testing {
namespace {

BackendCase scripted(const std::string& name, const Script& script) {
  return {name,
          [script](std::size_t) -> Result<std::unique_ptr<Backend>> {
            return std::unique_ptr<Backend>(std::make_unique<ScriptedBackend>(script));
          },
          0};
}

INSTANTIATE_TEST_SUITE_P(Scripted, BackendContract,
                         ::testing::Values(scripted("Bytes", Script{}),
                                           scripted("Words", Script{.unit = TextUnit::kWord})),
                         case_name);

}  // namespace
}  // namespace logit::testing
