#include <gtest/gtest.h>

#include <map>

#include "logit/profile.h"
#include "pipeline/orders.h"
#include "pipeline/prompt.h"
#include "probe/items.h"
#include "support/scripted_backend.h"

namespace logit {
namespace {

using testing::ScriptedBackend;

// After every list of the question behind `before`, the label of its right answer has 0.9.
void say_label(ScriptedBackend& backend, const std::string& before, const Question& question,
               std::size_t right) {
  const pipeline::QuestionText text = pipeline::question_text(question);
  for (const pipeline::Order& order : pipeline::list_orders(text, question.type, 2)) {
    std::string prompt = before + text.heading + text.instructions;
    std::string label;
    for (std::size_t place = 0; place < order.size(); ++place) {
      const std::string& own = backend.info().labels[place].text;
      prompt += "\n(" + own + ") " + pipeline::listed_text(text.candidates[order[place]]);
      if (order[place] == right) label = own;
    }
    backend.say(prompt + "\n\nAnswer: (", label, 0.9);
  }
}

TEST(ProbeItems, RightAnswersAreBalanced) {
  for (QuestionType type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    for (const auto& series : probe_items::series_of(type)) {
      std::map<std::size_t, std::size_t> counts;
      for (const auto& item : series.items) ++counts[item.right];
      EXPECT_EQ(counts.size(), candidate_count(series.question));
      for (const auto& [right, n] : counts) EXPECT_EQ(n, counts.begin()->second) << right;
    }
  }
}

TEST(Probe, AModelWithoutASenseOfTheTextIsAtChanceOnEveryType) {
  ScriptedBackend backend;
  const auto profile = probe(backend);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->fingerprint, backend.info().fingerprint);
  for (const TypeProfile& type : profile->types) {
    EXPECT_TRUE(type.at_chance) << question_type_name(type.type);
    // Two readouts in two frames, texts with the channel, labels with texts; then each readout in
    // its better frame.
    const std::size_t n[] = {3, 6, 4};
    EXPECT_EQ(type.results.size(), n[static_cast<std::size_t>(type.type)]);
  }
}

TEST(Probe, FindsTheWayInWhichTheModelAnswers) {
  ScriptedBackend backend;
  for (QuestionType type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    for (const auto& series : probe_items::series_of(type)) {
      for (const auto& item : series.items) {
        // A model that binds labels in the plain frame and nowhere else.
        say_label(backend, "<bos>Text: \"" + std::string(item.state) + "\"\n\n", series.question,
                  item.right);
      }
    }
  }
  const auto profile = probe(backend);
  ASSERT_TRUE(profile);
  for (const TypeProfile& type : profile->types) {
    const bool is_noul = type.type == QuestionType::kNoul;
    EXPECT_EQ(type.best, (Way{is_noul ? Readout::kLabel : Readout::kLabelText, FrameKind::kPlain}))
        << question_type_name(type.type);
    EXPECT_FALSE(type.at_chance);
  }
}

// A model that is right in every way: after a label prompt and after a text prompt.
void know_everything(ScriptedBackend& backend) {
  for (QuestionType type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    for (const auto& series : probe_items::series_of(type)) {
      const pipeline::QuestionText text = pipeline::question_text(series.question);
      for (const auto& item : series.items) {
        const std::string state = "Text: \"" + std::string(item.state) + "\"\n\n";
        say_label(backend, state, series.question, item.right);
        const std::string name = " " + text.candidates[item.right].name;
        std::string ending = state + text.heading + text.instructions + "\nAnswer:";
        for (char c : name) {
          backend.say(ending, std::string(1, c), 0.9);
          ending += c;
        }
      }
    }
  }
}

TEST(Probe, WhereBothReadoutsWorkTheOneThatLabelledRowsFavourIsTaken) {
  ScriptedBackend backend({.has_chat_frame = false});
  know_everything(backend);
  const auto profile = probe(backend);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->of(QuestionType::kNoul).best.readout, Readout::kLabel);
  EXPECT_EQ(profile->of(QuestionType::kChoice).best.readout, Readout::kLabelText);
  EXPECT_EQ(profile->of(QuestionType::kScore).best.readout, Readout::kLabelText);
}

TEST(Probe, ReportsProgressToTheEnd) {
  ScriptedBackend backend;
  std::size_t last = 0;
  std::size_t total = 0;
  ASSERT_TRUE(probe(backend, [&](std::size_t done, std::size_t of) {
    last = done;
    total = of;
  }));
  EXPECT_EQ(last, total);
  EXPECT_EQ(total, 13U);
}

TEST(Probe, AFailureOfTheModelIsReported) {
  ScriptedBackend backend;
  backend.fail_at(0, {ErrorCode::kCancelled, "stopped"});
  const auto profile = probe(backend);
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace logit
