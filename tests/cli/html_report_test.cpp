// The page: what is on it, and that nothing from rows or names becomes markup.
#include "eval/html_report.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "eval/confusion.h"
#include "eval/html_text.h"
#include "eval/plots.h"
#include "eval/svg.h"

namespace logit::eval {
namespace {

constexpr const char* kEvil = "<script>alert('x')</script>\"&\n";

RunResult run_of(std::size_t n_rows) {
  RunResult run;
  run.outcomes.n_candidates = 3;
  for (std::size_t i = 0; i < n_rows; ++i) {
    Answer answer;
    answer.probabilities = {.5 + .01 * static_cast<double>(i), .3,
                            .2 - .01 * static_cast<double>(i)};
    run.outcomes.probabilities.insert(run.outcomes.probabilities.end(),
                                      answer.probabilities.begin(), answer.probabilities.end());
    run.outcomes.labels.push_back(i % 3);
    run.predictions.push_back({kEvil + std::to_string(i), i % 3, "h", answer, 5, {}});
  }
  run.seconds = 1;
  run.warnings = {kEvil};
  run.failed = {kEvil};
  return run;
}

Report report(QuestionType type, std::size_t n_rows = 12) {
  Task task;
  task.name = kEvil;
  task.question.type = type;
  for (const char* name : {kEvil, "b", "c"}) {
    if (type == QuestionType::kChoice) task.question.options.push_back({name, Content()});
    if (type == QuestionType::kScore) task.question.levels.emplace_back(name);
  }
  ModelInfo model;
  model.id = kEvil;
  model.fingerprint = kEvil;
  Report made = make_report(task, run_of(n_rows), model);
  made.variant = kEvil;
  return made;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(HtmlReport, NothingFromOutsideBecomesMarkup) {
  const std::string page =
      html_report(std::vector<Report>{report(QuestionType::kChoice), report(QuestionType::kScore)});
  EXPECT_EQ(page.find("<script"), page.npos);
  EXPECT_EQ(page.find("alert('"), page.npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(&#39;x&#39;)"), page.npos);
}

TEST(HtmlReport, NothingIsFetched) {
  const std::string page = html_report(std::vector<Report>{report(QuestionType::kChoice)});
  for (const char* word : {"http:", "https:", "src=", "href=", "url(", "@import"}) {
    EXPECT_EQ(page.find(word), page.npos) << word;
  }
  EXPECT_NE(page.find("default-src 'none'"), page.npos);
  EXPECT_NE(page.find("prefers-color-scheme: dark"), page.npos);
}

TEST(HtmlReport, AScoreHasItsLevelsToo) {
  EXPECT_EQ(count(html_report(std::vector<Report>{report(QuestionType::kChoice)}), "<svg"), 2U);
  EXPECT_EQ(count(html_report(std::vector<Report>{report(QuestionType::kScore)}), "<svg"), 3U);
}

TEST(HtmlReport, EveryElementThatOpensCloses) {
  const std::string page = html_report(
      std::vector<Report>{report(QuestionType::kChoice), report(QuestionType::kScore, 0)});
  for (const char* name : {"table", "tr", "td", "th", "div", "figure", "section", "svg", "text",
                           "p", "span", "details", "body", "html"}) {
    const std::string open = std::string("<") + name;
    EXPECT_EQ(count(page, open + ">") + count(page, open + " "),
              count(page, std::string("</") + name + ">"))
        << name;
  }
}

TEST(HtmlReport, NoRowsAreToldNotDrawn) {
  const std::string page = html_report(std::vector<Report>{report(QuestionType::kScore, 0)});
  EXPECT_NE(page.find("No row was measured."), page.npos);
  EXPECT_EQ(page.find("<svg"), page.npos);
  EXPECT_EQ(page.find("nan"), page.npos);
  EXPECT_NE(html_report({}).find("</html>"), std::string::npos);
}

TEST(HtmlReport, VariantsAreSetAgainstTheFirst) {
  std::vector<Report> reports{report(QuestionType::kChoice), report(QuestionType::kChoice)};
  EXPECT_EQ(html_report(reports).find("Against the first"), std::string::npos);
  reports[1].against_first = *compare(comparable_rows(reports[0]), comparable_rows(reports[1]));
  EXPECT_NE(html_report(reports).find("Against the first"), std::string::npos);
}

TEST(Confusion, TheWorstPairsComeFirst) {
  const std::vector<ConfusedPair> pairs =
      worst_pairs({3, {.6, .4, 0, .7, .3, 0, .2, .8, 0, .1, 0, .9, .9, .1, 0}, {1, 1, 0, 0, 0}}, 2);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].label, 1U);
  EXPECT_EQ(pairs[0].predicted, 0U);
  EXPECT_EQ(pairs[0].n, 2U);
  EXPECT_EQ(pairs[0].n_label, 2U);
  EXPECT_NEAR(pairs[0].mean_confidence, .65, 1e-12);
  EXPECT_EQ(pairs[1].predicted, 2U);  // of the two errors of one row, the more certain one
  EXPECT_EQ(pairs[1].n_label, 3U);
}

TEST(Plots, BinsAndPointsLieWhereTheyBelong) {
  const Frame2d frame;
  EXPECT_EQ(frame.at(0, 0).y, frame.lower);
  EXPECT_EQ(frame.at(1, 1).x, frame.right);
  EXPECT_EQ(frame.at(1, 1).y, frame.upper);
  Judged rows{std::vector<double>(10, .5), std::vector<char>(10, 1)};
  rows.confidence.insert(rows.confidence.end(), 10, .9);
  rows.right.insert(rows.right.end(), 10, 0);
  const std::string plot = reliability_plot(rows);
  EXPECT_EQ(count(plot, "class=\"dot\""), 2U);
  EXPECT_NE(plot.find("10 rows: said 0.900, right 0.000 [0.000, 0.278]"), plot.npos);
  EXPECT_NE(risk_coverage_plot({{.5, .9}, {1, 0}}).find("all rows: 0.500 wrong"),
            std::string::npos);
}

TEST(Plots, ALevelThatIsNeverChosenIsAnEmptyBar) {
  const std::string plot = level_plot({2, {.9, .1, .8, .2}, {0, 1}}, {"low", "high"});
  EXPECT_NE(plot.find("0, low: predicted for 2"), plot.npos);
  EXPECT_NE(plot.find("1, high: predicted for 0"), plot.npos);
}

TEST(HtmlText, MarkupAndControlCharactersAreNeutral) {
  EXPECT_EQ(escaped("a<b>&\"'\n\x7f\xc3\xa9"), "a&lt;b&gt;&amp;&quot;&#39;  \xc3\xa9");
}

}  // namespace
}  // namespace logit::eval
