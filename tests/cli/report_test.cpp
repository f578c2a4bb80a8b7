// Reports for machines and for people.
#include "eval/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "eval/json_content.h"
#include "eval/metrics.h"
#include "eval/spell.h"

namespace logit::eval {
namespace {

Task task_of(QuestionType type) {
  Task task;
  task.name = "t";
  task.question.type = type;
  for (const char* name : {"a", "b"}) {
    if (type == QuestionType::kChoice) task.question.options.push_back({name, Content()});
    if (type == QuestionType::kScore) task.question.levels.emplace_back(name);
  }
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

Answer answer_of(std::vector<double> probabilities, std::optional<double> abstain) {
  Answer answer;
  answer.probabilities = std::move(probabilities);
  answer.best = first_maximum(answer.probabilities);
  answer.abstain = abstain;
  return answer;
}

TEST(Report, ReadoutsThatDifferAreCalledSeveral) {
  RunResult run = run_of(2);
  run.predictions = {{"1", 0, "", answer_of({.9, .1}, {}), 0, {}},
                     {"2", 1, "", answer_of({.4, .6}, {}), 0, {}}};
  const Task task = task_of(QuestionType::kChoice);
  EXPECT_EQ(make_report(task, run, model()).readout, "text");
  run.predictions[1].answer.readout = Readout::kLabel;
  EXPECT_EQ(make_report(task, run, model()).readout, "several");
  run.predictions[0].answer.readout = Readout::kLabel;
  EXPECT_EQ(make_report(task, run, model()).readout, "label");
  EXPECT_EQ(make_report(task, run_of(0), model()).readout, "none");
}

TEST(Report, WhatACalibrationAcceptsIsMeasured) {
  RunResult run = run_of(3);
  run.predictions = {{"1", 0, "", answer_of({.9, .1}, {}), 0, {}},
                     {"2", 1, "", answer_of({.8, .2}, {}), 0, {}},
                     {"3", 1, "", answer_of({.4, .6}, {}), 0, {}}};
  const Task task = task_of(QuestionType::kChoice);
  EXPECT_FALSE(make_report(task, run, model()).measure("accept_coverage"));
  run.predictions[0].answer.accept = true;
  run.predictions[1].answer.accept = true;
  run.predictions[2].answer.accept = false;
  EXPECT_NEAR(*make_report(task, run, model()).measure("accept_coverage"), 2.0 / 3, 1e-12);
  EXPECT_EQ(make_report(task, run, model()).measure("accept_risk"), 0.5);
  run.predictions[0].answer.accept = std::nullopt;  // read in a way that was not calibrated
  EXPECT_NEAR(*make_report(task, run, model()).measure("accept_coverage"), 1.0 / 3, 1e-12);
  EXPECT_EQ(make_report(task, run, model()).measure("accept_risk"), 1);
}

TEST(Report, AbstainIsMeasuredOnRowsOutOfScopeAndOnRemovedOptions) {
  RunResult run = run_of(4);
  run.predictions = {{"1", 0, "", answer_of({.9, .1}, .1), 0, {}},
                     {"2", 1, "", answer_of({.4, .6}, .4), 0, {}},
                     {"3", {}, "", answer_of({.8, .2}, .3), 0, {}},
                     {"4", {}, "", answer_of({.5, .5}, .9), 0, {}}};
  run.removals = {{"1", 0, true, answer_of({1}, {})}, {"2", 1, false, answer_of({1}, {})}};
  const Report report = make_report(task_of(QuestionType::kChoice), run, model());
  EXPECT_EQ(report.measure("abstain_auroc"), 0.75);   // .3 and .9 above .1, .9 above .4
  EXPECT_EQ(report.measure("distrust_auroc"), 0.75);  // .2 and .5 above .1, .5 above .4
  EXPECT_FALSE(report.measure("drop_gold_abstain_auroc"));
  EXPECT_EQ(report.measure("drop_gold_distrust_auroc"), 0.5);
  EXPECT_NE(json_of(report).find(R"("drop_gold_abstain_auroc":null)"), std::string::npos);
}

TEST(Report, FlipsAreCountedAmongRowsAskedTwice) {
  RunResult run = run_of(4);
  run.predictions = {{"1", 0, "", answer_of({.9, .1}, {}), 0, {.8, .2}},
                     {"2", 1, "", answer_of({.4, .6}, {}), 0, {.7, .3}},
                     {"3", 1, "", answer_of({.4, .6}, {}), 0, {}}};
  const Report report = make_report(task_of(QuestionType::kChoice), run, model());
  EXPECT_EQ(report.measure("flip_rate"), 0.5);
  EXPECT_EQ(report.measure("temperature"), 1);
  EXPECT_NEAR(*report.measure("order_distance"), (0.1 + 0.3) / 2, 1e-12);
  EXPECT_FALSE(
      make_report(task_of(QuestionType::kChoice), run_of(4), model()).measure("flip_rate"));
}

TEST(Report, SeveralReportsAreOneObjectAndOneTable) {
  std::vector<Report> reports;
  for (const char* variant : {"one", "other"}) {
    reports.push_back(make_report(task_of(QuestionType::kChoice), run_of(4), model()));
    reports.back().variant = variant;
  }
  EXPECT_EQ(compact_json(reports_json(std::span(reports).first(1))), json_of(reports.front()));
  const Content all = reports_json(reports);
  ASSERT_NE(find_member(all, "reports"), nullptr);
  EXPECT_NE(compact_json(all).find(R"("variant":"other")"), std::string::npos);
  reports[1].against_first = *compare({}, {});
  const std::string table = reports_table(reports);
  EXPECT_NE(table.find("set  variant  type    readout  n  of  accuracy"), std::string::npos)
      << table;
  EXPECT_NE(table.find("against the first"), std::string::npos);
}

TEST(Report, TheSettingsOfTheRunAreNamed) {
  Report report = make_report(task_of(QuestionType::kChoice), run_of(4), model());
  report.settings = {{"readout", "text"}, {"threads", "1"}};
  EXPECT_NE(json_of(report).find(R"("settings":{"readout":"text","threads":"1"})"),
            std::string::npos);
}

TEST(Report, NamesStayOnTheirLine) {
  Task task = task_of(QuestionType::kChoice);
  task.name = "a\nb\x1b[2J";
  const Report report = make_report(task, run_of(2), model());
  EXPECT_EQ(report_text(report).find("\x1b"), std::string::npos);
  EXPECT_NE(report_text(report).find("a?b?[2J: choice"), std::string::npos);
  EXPECT_NE(reports_table(std::span(&report, 1)).find("a?b?[2J"), std::string::npos);
}

TEST(Spell, NumbersAndNames) {
  EXPECT_EQ(fixed_text(0.12345, 2), "0.12");
  EXPECT_EQ(fixed_text(std::nullopt), "no data");
  EXPECT_EQ(fixed_text(std::nan("")), "no data");
  EXPECT_EQ(signed_text(0.5, 1), "+0.5");
  EXPECT_EQ(signed_text(-0.5, 1), "-0.5");
  EXPECT_EQ(cut_text("abc", 3), "abc");
  EXPECT_EQ(cut_text("a\xc3\xa9xyz", 2), "a...");
}

TEST(Report, PeopleSeeWhatWasLeftOut) {
  RunResult run = run_of(2);
  run.failed = {"row: too long"};
  const std::string text = report_text(make_report(task_of(QuestionType::kChoice), run, model()));
  EXPECT_NE(text.find("out of scope"), std::string::npos);
  EXPECT_NE(text.find("failed"), std::string::npos);
}

TEST(HashDigits, AreThoseOfFnv1a) {  // test vectors of the IETF draft draft-eastlake-fnv
  EXPECT_EQ(hash_digits(""), "cbf29ce484222325");
  EXPECT_EQ(hash_digits("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hash_digits("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace logit::eval
