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
  ModelDescription get() const { return {model, frames, profile, "", true}; }

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
        "  label  chat   5 of 12 right, log loss 0.750, label mass 0.125\n",
        "  text   plain  6 of 12 right, log loss 0.700  <- used\n", "no better than guessing"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(DescribeModel, MachinesSeeTheSame) {
  const Described described;
  const std::string text = compact_json(description_json(described.get()));
  for (const char* part :
       {R"("model":"small")", R"("labels":2)", R"("frames":["plain","chat"])",
        R"("at_chance":true)", R"("probed_now":true)", R"("label_mass":null)", R"("n_right":5)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace logit::cli
