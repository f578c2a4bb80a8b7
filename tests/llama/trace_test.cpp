// The tree that docs/design.md follows through the stages is the one that is planned.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "logit/llama_backend.h"
#include "logit/wire.h"
#include "pipeline/baseline_cache.h"
#include "pipeline/sample_questions.h"
#include "pipeline/stages.h"
#include "support/default_model.h"

namespace logit::testing {
namespace {

TEST(DesignTrace, TheDrawnTreeIsThePlannedOne) {
  LlamaOptions model;
  model.path = default_model_path();
  if (!std::filesystem::exists(model.path)) GTEST_SKIP() << "no model at " << model.path;
  const auto backend = open_llama_backend(model);
  ASSERT_TRUE(backend) << backend.error().message;
  const auto request = parse_request(
      R"({"state":"Charged twice!","questions":{"desk":{"type":"choice",)"
      R"("instructions":"Which desk?","criteria":{"billing":null,"tech support":null}}}})");
  ASSERT_TRUE(request);
  pipeline::BaselineCache cache(4);
  const pipeline::Plan plan = pipeline::plan(
      **backend, {},
      profile_of({Readout::kText, FrameKind::kPlain}, (*backend)->info().fingerprint), cache,
      std::span(&*request, 1));
  std::ifstream file(LOGIT_SOURCE_DIR "/docs/design.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(document.find(draw(plan.tree)), std::string::npos) << draw(plan.tree);
  EXPECT_NE(document.find(std::to_string(plan.requests[0]->input_tokens) + " of the request"),
            std::string::npos);
}

}  // namespace
}  // namespace logit::testing
