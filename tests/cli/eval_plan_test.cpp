// Which sets and variants flags ask for.
#include "eval_plan.h"

#include <gtest/gtest.h>

#include "cli/support.h"

namespace logit::cli {
namespace {

TEST(EvalPlan, TasksAndRowsArePaired) {
  EvalArguments arguments;
  arguments.tasks = {"a.json", "b.json"};
  arguments.rows = {"a.jsonl", "b.csv"};
  const auto files = set_files(arguments);
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ((*files)[1].task, "b.json");
  EXPECT_EQ((*files)[1].rows, "b.csv");
}

TEST(EvalPlan, AFolderHasItsSets) {
  const testing::Folder folder;
  folder.write("a.test.jsonl", "");
  folder.write("b.test.csv", "");
  folder.write("b.fit.jsonl", "");
  EvalArguments arguments;
  arguments.data = folder.path().string();
  arguments.sets = "a, b";
  const auto files = set_files(arguments);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ((*files)[0].rows, (folder.path() / "a.test.jsonl").string());
  EXPECT_EQ((*files)[1].rows, (folder.path() / "b.test.csv").string());
  EXPECT_EQ((*files)[1].task, (folder.path() / "b.task.json").string());
  arguments.split = "fit";
  EXPECT_EQ(set_files(arguments).error().where, "--set");
}

TEST(EvalPlan, WhatIsMissingIsNamed) {
  struct Case {
    EvalArguments arguments;
    const char* flag;
  };
  Case cases[6];
  cases[0].flag = "--task";
  cases[1].arguments.tasks = {"a"};
  cases[1].flag = "--rows";
  cases[2].arguments.rows = {"a"};
  cases[2].flag = "--task";
  cases[3].arguments.data = "d";
  cases[3].flag = "--set";
  cases[4].arguments.sets = "a";
  cases[4].flag = "--data";
  cases[5].arguments.split = "fit";
  cases[5].flag = "--split";
  for (const Case& c : cases) EXPECT_EQ(set_files(c.arguments).error().where, c.flag);
}

TEST(EvalPlan, AVariantsFlagsStandOverTheCommands) {
  const auto variants =
      read_variants({"texts: --readout text --model '/a b/c.gguf'", "sharp: --temperature=0.5"},
                    {{"readout", "label"}, {"threads", "1"}});
  ASSERT_TRUE(variants) << variants.error().message;
  ASSERT_EQ(variants->size(), 2U);
  EXPECT_EQ((*variants)[0].name, "texts");
  EXPECT_EQ((*variants)[0].flags,
            (FlagValues{{"readout", "text"}, {"threads", "1"}, {"model", "/a b/c.gguf"}}));
  EXPECT_EQ((*variants)[1].flags,
            (FlagValues{{"readout", "label"}, {"threads", "1"}, {"temperature", "0.5"}}));
}

TEST(EvalPlan, WithoutVariantsThereIsOneWithoutAName) {
  const auto variants = read_variants({}, {{"threads", "1"}});
  ASSERT_TRUE(variants);
  ASSERT_EQ(variants->size(), 1U);
  EXPECT_EQ(variants->front().name, "");
  EXPECT_EQ(variants->front().flags.size(), 1U);
}

TEST(EvalPlan, AVariantMayBeThePlainSettings) {
  const auto variants = read_variants({"as it is:", "other: --readout text"}, {});
  ASSERT_TRUE(variants);
  EXPECT_TRUE((*variants)[0].flags.empty());
}

TEST(EvalPlan, BadVariantsAreRefused) {
  for (const char* text :
       {"", "name", ": --readout text", "--readout text", "a: text", "a: --limit 3", "a: --readout",
        "a: --readout text --readout label", "a: --model 'x", "a: -r text"}) {
    const auto variants = read_variants({text}, {});
    ASSERT_FALSE(variants) << text;
    EXPECT_EQ(variants.error().where, "--variant") << text;
  }
  EXPECT_FALSE(read_variants({"a: --readout text", "a: --readout label"}, {}));
}

}  // namespace
}  // namespace logit::cli
