// Two runs on the same rows: what differs, and when they cannot be compared.
#include "eval/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace logit::eval {
namespace {

using Rows = std::vector<ComparableRow>;

Rows before() {
  return {{"t", "1", "h1", "\"a\"", "\"a\"", .9},
          {"t", "2", "h2", "\"b\"", "\"a\"", .2},
          {"t", "3", "h3", "\"a\"", "\"a\"", .6},
          {"t", "4", "h4", "\"b\"", "\"c\"", .1}};
}

Rows after() {
  return {{"t", "4", "h4", "\"b\"", "\"a\"", .15},
          {"t", "1", "h1", "\"a\"", "\"a\"", .8},
          {"t", "2", "h2", "\"b\"", "\"b\"", .7},
          {"t", "3", "h3", "\"a\"", "\"b\"", .1}};
}

TEST(Compare, RowsArePairedById) {
  const auto comparison = compare(before(), after());
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(comparison->accuracy.n, 4U);
  EXPECT_NEAR(comparison->accuracy.mean, 0, 1e-12);
  const double expected =
      (std::log(.9 / .8) + std::log(.2 / .7) + std::log(.6 / .1) + std::log(.1 / .15)) / 4;
  EXPECT_NEAR(comparison->log_loss.mean, expected, 1e-12);
  EXPECT_EQ(comparison->n_gained, 1U);
  EXPECT_EQ(comparison->n_lost, 1U);
}

TEST(Compare, ChangedRowsBeginWithTheWorst) {
  const auto comparison = compare(before(), after());
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->changed.size(), 3U);
  EXPECT_EQ(comparison->changed[0].id, "3");
  EXPECT_EQ(comparison->changed[1].id, "4");
  EXPECT_EQ(comparison->changed[2].id, "2");
}

TEST(Compare, ARunWithItselfDiffersInNothing) {
  const auto comparison = compare(before(), before());
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->accuracy.p, 1);
  EXPECT_EQ(comparison->log_loss.mean, 0);
  EXPECT_TRUE(comparison->changed.empty());
}

TEST(Compare, OtherRowsAreRefusedAndNamed) {
  Rows fewer = after();
  fewer.pop_back();
  EXPECT_NE(compare(before(), fewer).error().message.find("t 3 is in the first only"),
            std::string::npos);
  EXPECT_NE(compare(fewer, before()).error().message.find("t 3 is in the second only"),
            std::string::npos);
  Rows edited = after();
  edited[1].state_hash = "other";
  edited[2].label = "\"c\"";
  const auto refused = compare(before(), edited);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConfig);
  EXPECT_NE(refused.error().message.find("t 1 has another text"), std::string::npos);
  EXPECT_NE(refused.error().message.find("t 2 has another label"), std::string::npos);
}

TEST(Compare, PeopleSeeABoundedListAndMachinesAll) {
  const Comparison comparison = *compare(before(), after());
  const std::string text = comparison_text(comparison, 1);
  EXPECT_NE(text.find("3 predictions changed: 1 became right, 1 became wrong"), std::string::npos);
  EXPECT_NE(text.find("t 3, label \"a\": \"a\" -> \"b\", p(label) 0.6000 -> 0.1000"),
            std::string::npos);
  EXPECT_EQ(text.find("t 4,"), std::string::npos);
  EXPECT_NE(text.find("and 2 more"), std::string::npos);
  const std::string json = compact_json(comparison_json(comparison));
  EXPECT_NE(json.find(R"("id":"2","label":"b","before":"a","after":"b")"), std::string::npos);
}

constexpr const char* kPrediction =
    R"({"task":"t","id":"1","state_hash":"h","label":true,"predicted":false,"p_label":0.25})"
    "\n";

TEST(Compare, APredictionsFileIsRead) {
  const std::string text =
      std::string("\xef\xbb\xbf") + kPrediction +
      R"({"task":"t","id":"2","state_hash":"h","label":null,"predicted":true,"p_label":null})" +
      "\r\n" + R"({"task":"t","id":"1","removed":"a","is_gold":true})" + "\n";
  const auto rows = parse_comparable_rows(text, "p.jsonl");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->front().label, "true");
  EXPECT_EQ(rows->front().p_label, .25);
}

TEST(Compare, AReportIsReadAloneAndAmongOthers) {
  const std::string report =
      R"({"task":"t","rows":{"id":["1"],"state_hash":["h"],"label":["a"],"predicted":["b"],"p_label":[0.5]}})";
  const std::string other =
      R"({"task":"u","rows":{"id":["1"],"state_hash":["h"],"label":[3],"predicted":[3],"p_label":[1.0]}})";
  ASSERT_TRUE(parse_comparable_rows(report + "\n", "r.json"));
  const auto both =
      parse_comparable_rows(R"({"reports":[)" + report + "," + other + "]}", "r.json");
  ASSERT_TRUE(both) << both.error().message;
  ASSERT_EQ(both->size(), 2U);
  EXPECT_EQ((*both)[1].label, "3");
  EXPECT_TRUE((*both)[1].is_right());
}

TEST(Compare, FilesThatAreNoRunsAreRefused) {
  const std::string twice = std::string(kPrediction) + kPrediction;
  const std::string variants =
      R"({"task":"t","variant":"x","id":"1","state_hash":"h","label":1,"predicted":1,"p_label":1})"
      "\n"
      R"({"task":"t","variant":"y","id":"1","state_hash":"h","label":1,"predicted":1,"p_label":1})";
  for (const std::string& text :
       {std::string(), std::string("not json"), std::string("{}"), std::string("[1]"), twice,
        variants,
        std::string(
            R"({"task":"t","id":"1","state_hash":"h","label":1,"predicted":1,"p_label":7.5})"),
        std::string(R"({"task":"t","rows":{"id":["1"]}})"),
        std::string(R"({"task":"t","rows":{"id":["1"],"state_hash":["h"],"label":["a"],)"
                    R"("predicted":["b"],"p_label":[]}})")}) {
    const auto rows = parse_comparable_rows(text, "p.jsonl");
    ASSERT_FALSE(rows) << text;
    EXPECT_EQ(rows.error().where.substr(0, 7), "p.jsonl") << text;
  }
}

}  // namespace
}  // namespace logit::eval
