// What must not reach an answer: the order of questions and their ids. Cases C130 and C131, as far
// as parsing goes.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "logit/wire.h"
#include "wire/bodies.h"

namespace logit {
namespace {

using test::parsed;

// Everything of a question that may become prompt text.
std::string shown(const Question& question) {
  std::string out = question_type_name(question.type);
  const auto add = [&out](const Content& content) {
    out.append("|").append(compact_json(content));
  };
  add(question.instructions);
  for (const Option& option : question.options) {
    out.append("|").append(option.name);
    add(option.description);
  }
  for (const Content& level : question.levels) add(level);
  add(question.when_true);
  add(question.when_false);
  return out;
}

std::map<std::string, std::string> shown_by_id(const Request& request) {
  std::map<std::string, std::string> out;
  for (const Question& question : request.questions) out[question.id] = shown(question);
  return out;
}

TEST(Questions, AreTheSameInAnyOrder) {
  const std::string refund = R"("refund":{"type":"noul","instructions":"Wants money back?"})";
  const std::string team = R"("team":{"type":"choice","criteria":{"billing":null,"tech":null}})";
  const std::string anger = R"("anger":{"type":"score","criteria":["calm","cross","furious"]})";
  const std::string head = R"({"state":"Charged twice, fix it now!","questions":{)";
  const Request one = parsed(head + refund + "," + team + "," + anger + "}}");
  const Request other = parsed(head + anger + "," + team + "," + refund + "}}");
  EXPECT_EQ(one.state, other.state);
  EXPECT_EQ(shown_by_id(one), shown_by_id(other));
  EXPECT_EQ(one.questions[0].id, "refund");
  EXPECT_EQ(other.questions[0].id, "anger");
}

TEST(Questions, DifferInNothingButTheirIdWhenOnlyThatDiffers) {
  const Request request = parsed(
      R"({"state":"Where is my parcel?","questions":{
          "the answer is billing":{"type":"choice","criteria":{"billing":null,"shipping":null}},
          "x":{"type":"choice","criteria":{"billing":null,"shipping":null}}}})");
  EXPECT_EQ(shown(request.questions[0]), shown(request.questions[1]));
}

}  // namespace
}  // namespace logit
