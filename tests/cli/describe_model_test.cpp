// What `info` says about a model.
#include "describe_model.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace logit::cli {
namespace {

struct Described {
  Described() {
    model.id = "small";
    model.architecture = "llama";
    model.kind = "dense";
    model.n_context = 4096;
    model.n_trained = 8192;
    model.labels = {{"A", 1}, {"B", 2}};
    model.notes = {"speaks no chat"};
    TypeProfile type;
    type.type = QuestionType::kNoul;
    type.chance = .5;
    type.at_chance = true;
    type.best = {Readout::kText, FrameKind::kPlain};
    type.results = {{{Readout::kLabel, FrameKind::kChat}, 12, 5, .75, .125},
                    {{Readout::kText, FrameKind::kPlain}, 12, 6, .7, 0}};
    profile.types = {type};
  }
  ModelDescription get() const {
    constexpr std::uint64_t kMib = std::uint64_t{1} << 20U;
    const MemoryPlan plan{4096, 10 * kMib, 200 * kMib, 30 * kMib, 4 * kMib};
    const MemoryPlan other{1024, 10 * kMib, 200 * kMib, 8 * kMib, 4 * kMib};
    return {model, frames, profile, "", true, {plan, other}, 256 * kMib, 999 * kMib};
  }

  ModelInfo model;
  std::vector<std::string> frames = {"plain", "chat"};
  Profile profile;
};

TEST(DescribeModel, PeopleSeeTheVerdictOfEveryWay) {
  const Described described;
  const std::string text = description_text(described.get(), Terminal{});
  for (const char* part :
       {"small", "labels        2\n", "plain, chat", "note          speaks no chat\n",
        "not kept (probed now)", "noul, guessing is right 50 % of the time\n",
        "  label        chat   5 of 12 right, log loss 0.750, label mass 0.125\n", "llama: dense\n",
        "context       4096 tokens of 8192\n",
        "memory        244 MiB at most: weights 200 MiB, context 30 MiB, compute 4 MiB, program 10",
        "and up to 256 MiB of saved prefixes; 999 MiB are available\n",
        "by context    4096 tokens: 244 MiB\n", "              1024 tokens: 222 MiB\n",
        "  text         plain  6 of 12 right, log loss 0.700  <- used\n",
        "no better than guessing"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(DescribeModel, MachinesSeeTheSame) {
  const Described described;
  const std::string text = compact_json(description_json(described.get()));
  for (const char* part :
       {R"("model":"small")", R"("labels":2)", R"("frames":["plain","chat"])", R"("kind":"dense")",
        R"("trained_context":8192)", R"("memory":{"total_bytes":255852544,)",
        R"("by_context":[{"context":4096,)", R"("at_chance":true)", R"("probed_now":true)",
        R"("label_mass":null)", R"("n_right":5)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace logit::cli
