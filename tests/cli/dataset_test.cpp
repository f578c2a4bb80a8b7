// Task and row files: what is read, and that every bad line is named.
#include "eval/dataset.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/support.h"
#include "eval/read_file.h"

namespace logit::eval {
namespace {

constexpr const char* kChoice =
    R"({"name":"desk","note":"kept out","question":{"type":"choice","criteria":{"a":null,"b":"bee"}}})";
constexpr const char* kScore =
    R"({"name":"mood","question":{"type":"score","criteria":["low","mid","high"]}})";
constexpr const char* kNoul = R"({"name":"yes","question":{"type":"noul","instructions":"So?"}})";

Question question_of(const char* task) { return parse_task(task, "t.json")->question; }

// The faults of a row file as "place: message", one a line.
std::string faults_of(const std::string& rows, const char* task = kChoice) {
  const Result<std::vector<Row>> read = parse_rows(rows, "r.jsonl", question_of(task));
  if (read) return "none";
  std::string all;
  for (const Fault& fault : read.error().faults) {
    all += std::get<std::string>(fault.loc.front()) + ": " + fault.msg + "\n";
  }
  return all.empty() ? read.error().where + ": " + read.error().message : all;
}

std::string row(const std::string& id, const std::string& label) {
  return R"({"id":")" + id + R"(","text":"t","label":)" + label + "}\n";
}

TEST(Dataset, ATaskKeepsItsNameAndQuestion) {
  const Result<Task> task = parse_task(kChoice, "t.json");
  ASSERT_TRUE(task);
  EXPECT_EQ(task->name, "desk");
  ASSERT_EQ(task->question.options.size(), 2U);
  EXPECT_EQ(task->question.options[1].name, "b");
}

TEST(Dataset, LabelsBecomeIndicesOfProbabilities) {
  struct Case {
    const char* task;
    const char* label;
    std::optional<std::size_t> index;
  };
  const Case cases[] = {{kChoice, "\"a\"", 0}, {kChoice, "\"b\"", 1},  {kScore, "0", 0},
                        {kScore, "2", 2},      {kScore, "\"mid\"", 1}, {kNoul, "true", 0},
                        {kNoul, "false", 1},   {kNoul, "null", {}},    {kChoice, "null", {}}};
  for (const Case& c : cases) {
    const auto rows = parse_rows(row("r", c.label), "r.jsonl", question_of(c.task));
    ASSERT_TRUE(rows) << c.label;
    EXPECT_EQ(rows->front().label, c.index) << c.label;
  }
}

TEST(Dataset, AByteOrderMarkCrlfAndBlankLinesAreFine) {
  std::string text = "\xef\xbb\xbf" + row("1", "\"a\"") + "\r\n" + row("2", "\"b\"");
  text.insert(text.size() - 1, "\r");
  const auto rows = parse_rows(text, "r.jsonl", question_of(kChoice));
  ASSERT_TRUE(rows) << faults_of(text);
  EXPECT_EQ(rows->size(), 2U);
}

TEST(Dataset, EveryBadLineIsNamedWithItsNumber) {
  const std::string text = row("1", "\"a\"") + "[1]\nnull\n{}\n" + row("5", "\"c\"");
  EXPECT_EQ(faults_of(text),
            "r.jsonl:2: a row must be an object\n"
            "r.jsonl:3: a row must be an object\n"
            "r.jsonl:4: id is missing\n"
            "r.jsonl:5: label \"c\" is not one of the task's options\n");
}

TEST(Dataset, BadRowsSayWhatIsWrong) {
  struct Case {
    const char* task;
    std::string row;
    const char* message;
  };
  const Case cases[] = {
      {kChoice, row("1", "3"), "label must be an option's name or null"},
      {kScore, row("1", "3"), "label 3 is not a level's index, 0 to 2"},
      {kScore, row("1", "-1"), "label -1 is not a level's index, 0 to 2"},
      {kScore, row("1", "1.0"), "label 1.0 is not a level's index, 0 to 2"},
      {kScore, row("1", "\"none\""),
       "label \"none\" is not a level's index, 0 to 2, or a level's text"},
      {kScore, row("1", "true"), "label must be a level's index, 0 to 2, a level's text, or null"},
      {kNoul, row("1", "\"true\""), "label must be true, false or null"},
      {kNoul, row("1", "1"), "label must be true, false or null"},
      {kNoul, R"({"id":"1","text":"t"})", "label is missing (null: no answer is right)"},
      {kNoul, R"({"id":"1","text":7,"label":true})",
       "text must be a string, an object or an array"},
      {kNoul, row("1", "true") + row("1", "true"), "id '1' was used by an earlier row"}};
  for (const Case& c : cases) {
    EXPECT_NE(faults_of(c.row, c.task).find(c.message), std::string::npos)
        << faults_of(c.row, c.task);
  }
  EXPECT_NE(faults_of("{\"id\":\n").find("r.jsonl:1: not JSON"), std::string::npos);
}

TEST(Dataset, OnlySomeOfManyFaultsAreListedAndTheRestIsCounted) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "[]\n";
  EXPECT_NE(faults_of(text).find("80 more lines are bad"), std::string::npos);
}

TEST(Dataset, NoRowsAreAnError) {
  EXPECT_EQ(faults_of(""), "r.jsonl: has no rows");
  EXPECT_EQ(faults_of("\n \n"), "r.jsonl: has no rows");
}

TEST(Dataset, ALimitReadsTheFirstRowsOnly) {
  const auto rows =
      parse_rows(row("1", "\"a\"") + row("2", "\"b\"") + "bad\n", "r", question_of(kChoice), 2);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->size(), 2U);
}

TEST(Dataset, ATaskKeepsTheRulesOfARequest) {
  for (const char* text :
       {"[]", "{}", "not json", R"({"name":"x"})", R"({"name":1,"question":{"type":"noul"}})",
        R"({"name":"x","question":{"type":"essay"}})",
        R"({"name":"x","question":{"type":"choice","criteria":{}}})",
        R"({"name":"x","question":{"type":"score","criteria":{"0":"a"}}})"}) {
    const Result<Task> task = parse_task(text, "t.json");
    ASSERT_FALSE(task) << text;
    EXPECT_EQ(task.error().code, ErrorCode::kSchema) << text;
    EXPECT_EQ(task.error().where, "t.json") << text;
  }
}

TEST(Dataset, AKeyGivenTwiceIsRefusedButInsideAText) {
  for (const auto& [text, why] :
       {std::pair(R"({"name":"x","name":"y","question":{"type":"noul"}})", "name"),
        std::pair(R"({"name":"x","question":{"type":"noul","type":"noul"}})", "type"),
        std::pair(R"({"name":"x","question":{"type":"choice","criteria":{"a":null,"a":null}}})",
                  "criteria.a")}) {
    const Result<Task> task = parse_task(text, "t.json");
    ASSERT_FALSE(task) << text;
    EXPECT_NE(task.error().message.find(why), std::string::npos) << task.error().message;
    EXPECT_NE(task.error().message.find("more than once"), std::string::npos);
  }
  EXPECT_EQ(faults_of(R"({"id":"1","text":"t","label":"a","label":"b"})"),
            "r.jsonl:1: label: this key stands here more than once\n");
  const auto rows =
      parse_rows(R"({"id":"1","text":{"k":1,"k":2},"label":"a"})", "r.jsonl", question_of(kChoice));
  ASSERT_TRUE(rows);
  EXPECT_EQ(compact_json(rows->front().state), R"({"k":2})");
}

TEST(Dataset, ATaskWithoutANameAndARowWithoutAnIdAreRefused) {
  EXPECT_FALSE(parse_task(R"({"name":"","question":{"type":"noul"}})", "t.json"));
  EXPECT_EQ(faults_of(R"({"text":"t","label":"a"})"), "r.jsonl:1: id is missing\n");
  EXPECT_EQ(faults_of(R"({"id":3,"text":"t","label":"a"})"), "r.jsonl:1: id must be a string\n");
}

TEST(States, AreTextsAndBadLinesAreNamed) {
  const auto states =
      parse_states("\xEF\xBB\xBF{\"text\":\"a\"}\r\n\n{\"text\":{\"k\":1},\"x\":2}\n", "u.jsonl");
  ASSERT_TRUE(states);
  EXPECT_EQ(states->size(), 2U);
  for (const char* bad : {"{\"text\":\"a\"}\n{\"label\":1}", "{\"text\":\"a\"}\n{\"text\":3}",
                          "{\"text\":\"a\"}\nnot json"}) {
    const auto refused = parse_states(bad, "u.jsonl");
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(std::get<std::string>(refused.error().faults.at(0).loc.at(0)), "u.jsonl:2") << bad;
  }
  EXPECT_EQ(parse_states("\n", "u.jsonl").error().message, "has no rows");
}

TEST(States, OfATableNeedNoLabels) {
  const auto states = parse_csv_states("note,text\n1,a\n2,\"b, c\"\n", "u.csv");
  ASSERT_TRUE(states);
  ASSERT_EQ(states->size(), 2U);
  EXPECT_EQ(*states->back().text(), "b, c");
  EXPECT_FALSE(parse_csv_states("note\n1\n", "u.csv"));
  EXPECT_FALSE(parse_csv_states("note,text\n1\n", "u.csv"));
  EXPECT_FALSE(parse_csv_rows("text\na\n", "r.csv", question_of(kChoice)));
}

TEST(Dataset, AFileThatCannotBeReadIsAFileError) {
  const cli::testing::Folder folder;
  const std::string task = folder.write("t.json", kNoul);
  for (const std::string& rows : {folder.path().string(), task + ".missing"}) {
    const Result<Dataset> dataset = load_dataset(task, rows);
    ASSERT_FALSE(dataset);
    EXPECT_EQ(dataset.error().code, ErrorCode::kFile);
    EXPECT_EQ(dataset.error().where, rows);
  }
}

TEST(Dataset, BothFilesTogether) {
  const cli::testing::Folder folder;
  const Result<Dataset> dataset = load_dataset(
      folder.write("t.json", kNoul), folder.write("r.jsonl", row("1", "true") + row("2", "null")));
  ASSERT_TRUE(dataset);
  EXPECT_EQ(dataset->rows.size(), 2U);
}

TEST(ReadFile, ALongFileIsRefusedNotCut) {
  const cli::testing::Folder folder;
  const std::string path = folder.write("f", "12345");
  EXPECT_TRUE(read_file(path, 5));
  EXPECT_EQ(read_file(path, 4).error().code, ErrorCode::kTooLong);
}

}  // namespace
}  // namespace logit::eval
