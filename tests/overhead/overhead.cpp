// Everything but the model's own work, N times: parse, plan, conclude and render one small request,
// on the scripted backend. Usage: logit_overhead N. Run by overhead_test.sh under callgrind.
#include <cstdlib>
#include <memory>
#include <string>

#include "logit/classifier.h"
#include "logit/wire.h"
#include "pipeline/sample_questions.h"
#include "support/scripted_backend.h"

namespace {

constexpr const char* kBody =
    R"({"state":"Charged twice, fix it now!","questions":{)"
    R"("a":{"type":"noul","instructions":"Is the writer angry?"},)"
    R"("b":{"type":"choice","instructions":"Which desk?","criteria":{"billing":"money",)"
    R"("technical":null,"sales":null}},)"
    R"("c":{"type":"score","criteria":["calm","cross","furious"]}}})";

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto backend = std::make_unique<logit::testing::ScriptedBackend>(
      logit::testing::Script{.unit = logit::testing::TextUnit::kWord});
  logit::ClassifierOptions options;
  options.profile = logit::testing::profile_of({logit::Readout::kText, logit::FrameKind::kPlain},
                                               backend->info().fingerprint);
  auto classifier = logit::Classifier::create(std::move(backend), std::move(options));
  if (!classifier) return 1;
  std::size_t n_bytes = 0;
  for (long i = std::strtol(argv[1], nullptr, 10); i > 0; --i) {
    const auto request = logit::parse_request(kBody);
    if (!request) return 1;
    const auto reply = classifier->classify(*request);
    if (!reply) return 1;
    n_bytes += logit::render_reply(*request, *reply, {}).size();
  }
  return n_bytes > 0 ? 0 : 1;
}
