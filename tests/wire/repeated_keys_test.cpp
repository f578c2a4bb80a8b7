// Keys that stand in an object more than once.
#include "wire/repeated_keys.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wire/json_reader.h"

namespace logit::wire {
namespace {

std::string resolved(std::string_view json) {
  auto content = read_json(json);
  if (!content) return content.error().message;
  keep_last_members(*content);
  return compact_json(*content);
}

TEST(KeepLastMembers, TheLastValueStandsAtTheFirstPlace) {
  EXPECT_EQ(resolved(R"({"k":1,"l":2,"k":3,"k":4})"), R"({"k":4,"l":2})");
  EXPECT_EQ(resolved(R"([{"a":{"b":1,"b":[{"c":1,"c":2}]}}])"), R"([{"a":{"b":[{"c":2}]}}])");
  EXPECT_EQ(resolved(R"({"k":1,"K":2,"k ":3})"), R"({"k":1,"K":2,"k ":3})");
}

TEST(RepeatedMembers, FlagsAllButTheFirst) {
  const auto content = read_json(R"({"a":1,"b":1,"a":2,"a":3,"c":0})");
  ASSERT_TRUE(content);
  const auto& members = std::get<Content::Object>(content->value);
  EXPECT_EQ(repeated_members(members), (std::vector<bool>{false, false, true, true, false}));
}

TEST(KeepLastMembers, IsFastForManyMembers) {
  std::string json = "{\"k\":0";
  for (int i = 0; i < 40'000; ++i) json += ",\"k" + std::to_string(i % 20'000) + "\":1";
  auto content = read_json(json + "}");
  ASSERT_TRUE(content);
  keep_last_members(*content);
  EXPECT_EQ(std::get<Content::Object>(content->value).size(), 20'001u);
}

}  // namespace
}  // namespace logit::wire
