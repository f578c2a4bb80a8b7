// Comma-separated values: RFC 4180, and rows made of them.
#include "eval/csv.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/support.h"
#include "eval/dataset.h"

namespace logit::eval {
namespace {

// "line:cell|cell" for each record, or "where: message".
std::string records_of(const std::string& text, char separator = ',') {
  const auto records = parse_csv(text, separator, "f.csv");
  if (!records) return records.error().where + ": " + records.error().message;
  std::string all;
  for (const CsvRecord& record : *records) {
    all += std::to_string(record.line) + ":";
    for (const std::string& cell : record.cells) all += cell + "|";
    all += "\n";
  }
  return all;
}

TEST(Csv, CellsAndRecords) {
  struct Case {
    const char* text;
    const char* records;
  };
  const Case cases[] = {{"", ""},
                        {"a,b\nc,d\n", "1:a|b|\n2:c|d|\n"},
                        {"a,b\r\nc,d", "1:a|b|\n2:c|d|\n"},
                        {"a,\n,b\n,", "1:a||\n2:|b|\n3:||\n"},
                        {"\n\na\n\n", "3:a|\n"},
                        {"\"a,b\",\"c\"\"d\"\n", "1:a,b|c\"d|\n"},
                        {"\"two\r\nlines\",x\ny,z\n", "1:two\r\nlines|x|\n3:y|z|\n"},
                        {"\"\",\"\"\n", "1:||\n"},
                        {" a , b \n", "1: a | b |\n"},
                        {"a\rb,c\n", "1:a\rb|c|\n"}};
  for (const Case& c : cases) EXPECT_EQ(records_of(c.text), c.records) << c.text;
}

TEST(Csv, DamageIsNamedByItsLine) {
  EXPECT_EQ(records_of("a\n5\" pipe,b\n"), "f.csv:2: a quote inside a cell that is not quoted");
  EXPECT_EQ(records_of("a\n\"b\n\nc"), "f.csv:2: a quote is never closed");
  EXPECT_EQ(records_of("\"a\" b\n"), "f.csv:1: text behind a closing quote");
}

Question choice() {
  return parse_task(R"({"name":"t","question":{"type":"choice","criteria":{"a":null,"b":null}}})",
                    "t")
      ->question;
}
Question score(const char* levels) {
  const std::string task =
      std::string(R"({"name":"t","question":{"type":"score","criteria":)") + levels + "}}";
  return parse_task(task, "t")->question;
}
Question noul() {
  return parse_task(R"({"name":"t","question":{"type":"noul","instructions":"So?"}})", "t")
      ->question;
}

// C119: semicolons, a byte-order mark before a quoted header, line breaks and quotes in a cell, an
// empty state.
TEST(Csv, RowsOfASpreadsheetAreReadWhole) {
  const auto rows = parse_csv_rows(
      "\xef\xbb\xbf\"id\";\"text\";\"label\"\r\n\"1\";\"two\r\nlines; and \"\"quotes\"\"\";a\r\n"
      "2;plain;b\r\n3;;\r\n",
      "r.csv", choice());
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 3U);
  EXPECT_EQ(*(*rows)[0].state.text(), "two\r\nlines; and \"quotes\"");
  EXPECT_EQ((*rows)[0].label, 0U);
  EXPECT_EQ((*rows)[1].id, "2");
  EXPECT_EQ((*rows)[1].label, 1U);
  EXPECT_EQ(*(*rows)[2].state.text(), "");
  EXPECT_FALSE((*rows)[2].label);
}

TEST(Csv, WithoutAnIdColumnRowsAreNumbered) {
  const auto rows = parse_csv_rows("label\ttext\tnote\na\tx\t\nb\ty\t\n", "r.tsv", choice());
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ((*rows)[0].id, "1");
  EXPECT_EQ((*rows)[1].id, "2");
}

std::string fault_of(const std::string& text, const Question& question) {
  const auto rows = parse_csv_rows(text, "r.csv", question);
  if (rows) return "none";
  if (rows.error().faults.empty()) return rows.error().where + ": " + rows.error().message;
  std::string all;
  for (const Fault& fault : rows.error().faults) {
    all += std::get<std::string>(fault.loc.front()) + ": " + fault.msg + "\n";
  }
  return all;
}

TEST(Csv, BadRowsAreNamedByTheLineTheyBeginIn) {
  EXPECT_EQ(fault_of("text,label\n\"x\ny\",a\nz,c\nz\n", choice()),
            "r.csv:4: label 'c' is not one of the task's options\n"
            "r.csv:5: 1 cells, but the header has 2\n");
  EXPECT_NE(fault_of("text,label\n\xff,a\n", choice()).find("r.csv:2: "), std::string::npos);
  EXPECT_EQ(fault_of("text,label,id\nx,a,1\ny,a,1\n", choice()),
            "r.csv:3: id '1' was used by an earlier row\n");
}

TEST(Csv, AHeaderThatLacksAColumnIsRefused) {
  EXPECT_EQ(fault_of("", choice()), "r.csv: has no header line");
  EXPECT_EQ(fault_of("label\na\n", choice()), "r.csv: the header has no column text");
  EXPECT_EQ(fault_of("text\nx\n", choice()), "r.csv: the header has no column label");
  EXPECT_EQ(fault_of("text,label,text\nx,a,y\n", choice()), "r.csv: the column text stands twice");
  EXPECT_EQ(fault_of("text,label\n", choice()), "r.csv: has no rows");
}

TEST(Csv, LabelsAreSpelledAsPeopleSpellThem) {
  const auto label_of = [](const std::string& cell, const Question& question) {
    const auto rows = parse_csv_rows("text,label\nx," + cell + "\n", "r", question);
    return rows ? rows->front().label : std::optional<std::size_t>(99);
  };
  for (const char* yes : {"true", "TRUE", "1", "Yes"}) EXPECT_EQ(label_of(yes, noul()), 0U) << yes;
  for (const char* no : {"false", "False", "0", "no"}) EXPECT_EQ(label_of(no, noul()), 1U) << no;
  EXPECT_EQ(label_of("maybe", noul()), 99U);
  const Question mood = score(R"(["low","mid","high"])");
  EXPECT_EQ(label_of("2", mood), 2U);
  EXPECT_EQ(label_of("mid", mood), 1U);
  EXPECT_EQ(label_of("3", mood), 99U);
  EXPECT_FALSE(label_of("", mood));
  EXPECT_EQ(label_of("0", score(R"(["0","1"])")), 0U);  // index and text say the same
}

TEST(Csv, ALabelThatMeansTwoLevelsIsRefused) {
  EXPECT_EQ(fault_of("text,label\nx,1\n", score(R"(["1","2","3"])")),
            "r.csv:2: label '1' is one level's index and another's text\n");
  EXPECT_EQ(fault_of("text,label\nx,a\n", score(R"(["a","a"])")),
            "r.csv:2: label 'a' is the text of two levels\n");
}

TEST(Csv, TheFilesNameDecides) {
  const cli::testing::Folder folder;
  const std::string task =
      folder.write("t.json", R"({"name":"t","question":{"type":"noul","instructions":"So?"}})");
  const auto csv = load_dataset(task, folder.write("r.csv", "text,label\nx,yes\n"));
  ASSERT_TRUE(csv) << csv.error().message;
  EXPECT_EQ(csv->rows.front().label, 0U);
  EXPECT_FALSE(load_dataset(task, folder.write("r.jsonl", "text,label\nx,yes\n")));
}

}  // namespace
}  // namespace logit::eval
