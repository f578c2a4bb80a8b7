// Answers as lines of JSON, and files that are replaced whole.
#include "eval/predictions.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/support.h"
#include "eval/read_file.h"
#include "eval/write_file.h"

namespace logit::eval {
namespace {

Report report() {
  Report report;
  report.task = "desk";
  report.variant = "v";
  report.question.type = QuestionType::kChoice;
  report.question.options = {{"a\"b", Content()}, {"c", Content()}};
  Answer answer;
  answer.probabilities = {.25, .75};
  answer.scores = {-1.5, 2};
  answer.raw = {-3, -4};
  answer.best = 1;
  answer.abstain = .125;
  answer.accept = true;
  answer.temperature = .8;
  report.run.predictions = {{"r1", 0, "00ff", answer, 12, {}}, {"r2", {}, "00fe", answer, 9, {}}};
  report.run.removals = {{"r1", 1, false, answer}};
  return report;
}

TEST(Predictions, EveryAnswerIsALineWithItsArithmetic) {
  const std::string numbers =
      R"("probabilities":[0.25,0.75],"scores":[-1.5,2.0],"raw":[-3.0,-4.0],"baseline":[],)"
      R"("temperature":0.8,"readout":"text","abstain":0.125,"label_mass":null,)"
      R"("order_spread":null,"accept":true)";
  EXPECT_EQ(predictions_jsonl(report()),
            R"({"task":"desk","variant":"v","id":"r1","state_hash":"00ff","label":"a\"b",)"
            R"("predicted":"c","p_label":0.25,)" +
                numbers + R"(,"reversed":[],"input_tokens":12})" + "\n" +
                R"({"task":"desk","variant":"v","id":"r2","state_hash":"00fe","label":null,)"
                R"("predicted":"c","p_label":null,)" +
                numbers + R"(,"reversed":[],"input_tokens":9})" + "\n" +
                R"({"task":"desk","variant":"v","id":"r1","removed":"c","is_gold":false,)" +
                numbers + "}\n");
}

TEST(Predictions, TheyCanBeReadBackForComparison) {
  const auto rows = parse_comparable_rows(predictions_jsonl(report()), "p");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 1U);
  const ComparableRow own = comparable_rows(report()).front();
  EXPECT_EQ(rows->front().label, own.label);
  EXPECT_EQ(rows->front().predicted, own.predicted);
  EXPECT_EQ(rows->front().p_label, own.p_label);
  EXPECT_EQ(rows->front().state_hash, own.state_hash);
}

TEST(WriteFile, AFileIsReplacedWhole) {
  const cli::testing::Folder folder;
  const std::string path = folder.write("f", "old and long");
  ASSERT_TRUE(check_writable(path));
  EXPECT_EQ(*read_file(path), "old and long");
  ASSERT_TRUE(write_file(path, "new"));
  EXPECT_EQ(*read_file(path), "new");
  std::size_t n_files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    ++n_files;
  }
  EXPECT_EQ(n_files, 1U);
}

TEST(WriteFile, WhatIsInTheWayStays) {
  const cli::testing::Folder folder;
  for (const std::string& path :
       {folder.path().string(), (folder.path() / "no/f").string(), std::string("/dev/null")}) {
    for (const auto& result : {check_writable(path), write_file(path, "x")}) {
      ASSERT_FALSE(result) << path;
      EXPECT_EQ(result.error().code, ErrorCode::kFile);
      EXPECT_EQ(result.error().where, path);
    }
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace logit::eval
