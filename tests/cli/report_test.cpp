// Reports for machines and for people.
#include "eval/report.h"

#include <gtest/gtest.h>

#include <string>

#include "eval/json_content.h"

namespace logit::eval {
namespace {

Task task_of(QuestionType type) {
  Task task;
  task.name = "t";
  task.question.type = type;
  return task;
}

RunResult run_of(std::size_t n_rows) {
  RunResult run;
  run.outcomes.n_candidates = 2;
  for (std::size_t i = 0; i < n_rows; ++i) {
    run.outcomes.probabilities.insert(run.outcomes.probabilities.end(), {.75, .25});
    run.outcomes.labels.push_back(i % 2);
  }
  run.seconds = 2;
  run.n_out_of_scope = 1;
  run.evaluated_tokens = 30;
  return run;
}

ModelInfo model() {
  ModelInfo info;
  info.id = "m";
  return info;
}

std::string json_of(const Report& report) { return compact_json(report_json(report)); }

TEST(Report, MachinesFindWhatTheyLookFor) {
  const Report report = make_report(task_of(QuestionType::kChoice), run_of(4), model());
  const Content json = report_json(report);
  for (const char* key :
       {"task", "n", "accuracy", "log_loss", "majority", "ece", "rows_per_second",
        "tokens_evaluated", "readout", "model", "n_out_of_scope", "balanced_accuracy", "brier"}) {
    ASSERT_NE(find_member(json, key), nullptr) << key;
    EXPECT_FALSE(find_member(json, key)->is_null()) << key;
  }
  EXPECT_NE(json_of(report).find(R"("accuracy":0.5)"), std::string::npos);
  EXPECT_NE(json_of(report).find(R"("rows_per_second":2.0)"), std::string::npos);
  EXPECT_EQ(find_member(json, "auroc"), nullptr);
}

TEST(Report, TypesHaveTheirOwnMeasures) {
  EXPECT_NE(
      json_of(make_report(task_of(QuestionType::kNoul), run_of(4), model())).find(R"("auroc":0.5)"),
      std::string::npos);
  EXPECT_NE(
      json_of(make_report(task_of(QuestionType::kScore), run_of(4), model())).find(R"("mae":0.5)"),
      std::string::npos);
}

TEST(Report, NothingMeasuredIsNullAndNoDataNeverNan) {
  const Report report = make_report(task_of(QuestionType::kChoice), run_of(0), model());
  EXPECT_NE(json_of(report).find(R"("accuracy":null)"), std::string::npos);
  EXPECT_NE(report_text(report).find("no data"), std::string::npos);
  EXPECT_EQ(json_of(report).find("nan"), std::string::npos);
}

TEST(Report, ReadoutsThatDifferAreCalledMixed) {
  RunResult run = run_of(4);
  run.n_label_readout = 1;
  EXPECT_EQ(make_report(task_of(QuestionType::kChoice), run, model()).readout, "mixed");
  run.n_label_readout = 4;
  EXPECT_EQ(make_report(task_of(QuestionType::kChoice), run, model()).readout, "label");
}

TEST(Report, PeopleSeeWhatWasLeftOut) {
  RunResult run = run_of(2);
  run.failed = {"row: too long"};
  const std::string text = report_text(make_report(task_of(QuestionType::kChoice), run, model()));
  EXPECT_NE(text.find("out of scope"), std::string::npos);
  EXPECT_NE(text.find("failed"), std::string::npos);
}

}  // namespace
}  // namespace logit::eval
