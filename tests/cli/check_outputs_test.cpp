// A command's files: none overwrites another, and all can be written.
#include "check_outputs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/support.h"

namespace logit::cli {
namespace {

TEST(CheckOutputs, OneFileHasOneFlag) {
  const testing::Folder folder;
  const std::string rows = folder.write("rows.jsonl", "{}");
  const std::string same = folder.path().string() + "/./rows.jsonl";
  const Result<Done> input = check_outputs({{"--output", same}}, {{"--rows", rows}});
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().code, ErrorCode::kConfig);
  EXPECT_EQ(input.error().where, "--output");
  EXPECT_NE(input.error().message.find("--rows"), std::string::npos);
  const std::string page = folder.path().string() + "/page";
  const Result<Done> twice = check_outputs({{"--output", page}, {"--html", page}}, {});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().where, "--html");
  std::filesystem::create_symlink(rows, page);
  EXPECT_FALSE(check_outputs({{"--html", page}}, {{"--rows", rows}}));
}

TEST(CheckOutputs, WhatCannotBeWrittenIsFoundOutAtOnce) {
  const testing::Folder folder;
  const std::string missing = folder.path().string() + "/none/out.json";
  EXPECT_EQ(check_outputs({{"--output", missing}}, {}).error().code, ErrorCode::kFile);
  const std::string fine = folder.path().string() + "/out.json";
  EXPECT_TRUE(check_outputs({{"--output", fine}, {"--html", ""}}, {{"--rows", ""}}));
  EXPECT_FALSE(std::filesystem::exists(fine));
}

}  // namespace
}  // namespace logit::cli
