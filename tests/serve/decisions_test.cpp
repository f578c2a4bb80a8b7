#include "serve/decisions.h"

#include <gtest/gtest.h>

#include "logit/wire.h"
#include "serve/support.h"

namespace logit::serve {
namespace {

Result<Decisions> parsed(std::string_view body) { return parse_decisions(*parse_content(body)); }

std::string place(const std::vector<LocStep>& loc) {
  std::string out;
  for (const LocStep& step : loc) {
    const auto* key = std::get_if<std::string>(&step);
    out += "/" + (key != nullptr ? *key : std::to_string(std::get<std::size_t>(step)));
  }
  return out;
}

std::vector<std::string> places(std::string_view body) {
  const Result<Decisions> decisions = parsed(body);
  std::vector<std::string> out;
  if (decisions) return out;
  EXPECT_EQ(decisions.error().code, ErrorCode::kSchema);
  for (const Fault& fault : decisions.error().faults) out.push_back(place(fault.loc));
  return out;
}

constexpr const char* kThree = R"({"model":"m","input":"Charged twice!","questions":[
  {"type":"predicate","name":"angry","instructions":"Is the writer angry?"},
  {"type":"choice","instructions":"Which desk?",
   "choices":[{"value":"billing","description":"money"},{"value":"sales"}]},
  {"type":"score","name":"mood","levels":[{"label":"calm"},{"label":"cross","description":"loud"}]}]})";

TEST(Decisions, TheDialectIsKnownByItsInputOrItsArray) {
  EXPECT_TRUE(is_decisions_body(*parse_content(R"({"input":"x","questions":{}})")));
  EXPECT_TRUE(is_decisions_body(*parse_content(R"({"state":"x","questions":[]})")));
  EXPECT_FALSE(is_decisions_body(*parse_content(kAsk)));
  EXPECT_FALSE(is_decisions_body(*parse_content("[]")));
}

TEST(Decisions, EveryTypeIsRead) {
  const Result<Decisions> decisions = parsed(kThree);
  ASSERT_TRUE(decisions);
  const Request& request = decisions->request;
  EXPECT_EQ(request.model, "m");
  EXPECT_EQ(*request.state.text(), "Charged twice!");
  ASSERT_EQ(request.questions.size(), 3U);
  EXPECT_EQ(request.questions[0].type, QuestionType::kNoul);
  EXPECT_EQ(request.questions[1].options[0].name, "billing");
  EXPECT_EQ(*request.questions[1].options[0].description.text(), "money");
  EXPECT_EQ(*request.questions[2].levels[1].text(), "cross: loud");
}

TEST(Decisions, AnswersComeAsAnArrayInOrder) {
  const Result<Decisions> decisions = parsed(kThree);
  ASSERT_TRUE(decisions);
  const Result<Reply> reply = scripted_classifier()->classify(decisions->request);
  ASSERT_TRUE(reply);
  const std::string body = render_decisions(decisions->request, decisions->labels, *reply);
  EXPECT_TRUE(body.starts_with(R"({"model":"scripted","answers":[{"name":"angry","probability":)"))
      << body;
  EXPECT_TRUE(has(body, R"({"name":null,"choice":")")) << body;
  EXPECT_TRUE(has(body, R"("probabilities":[{"value":"billing","probability":)")) << body;
  EXPECT_TRUE(has(body, R"({"name":"mood","score":)")) << body;
  EXPECT_TRUE(has(body, R"({"value":1,"label":"cross","probability":)")) << body;
  EXPECT_TRUE(has(body, R"("output_tokens":0}})")) << body;
}

TEST(Decisions, UserMessagesBecomeOneText) {
  const Result<Decisions> decisions = parsed(
      R"({"input":[{"role":"user","content":"one"},{"role":"user","content":
        [{"type":"input_text","text":"two"}]}],"questions":[{"type":"predicate","instructions":"?"}]})");
  ASSERT_TRUE(decisions);
  EXPECT_EQ(*decisions->request.state.text(), "one\n\ntwo");
}

TEST(Decisions, PicturesAreRefused) {
  EXPECT_EQ(places(R"({"input":[{"role":"user","content":[{"type":"input_image","image_url":"x"}]}],
                       "questions":[{"type":"predicate","instructions":"?"}]})"),
            (std::vector<std::string>{"/input/0/content/0"}));
  EXPECT_EQ(places(R"({"input":"data:image/png;base64,AAAA",
                       "questions":[{"type":"predicate","instructions":"?"}]})"),
            (std::vector<std::string>{"/input"}));
  EXPECT_EQ(places(R"({"input":"x","images":["y"],
                       "questions":[{"type":"predicate","instructions":"?"}]})"),
            (std::vector<std::string>{"/images"}));
}

TEST(Decisions, EveryFaultIsListedAtItsPlaceInThisDialect) {
  EXPECT_EQ(places(R"({"input":"x","questions":[
      {"type":"predicate"},
      {"type":"choice","instructions":"?","choices":[]},
      {"type":"choice","choices":[{"value":"a"},{"value":"b","description":7}]},
      {"type":"score","levels":[{"label":3}]},
      {"type":"rank"}]})"),
            (std::vector<std::string>{"/questions/3/levels/0/label", "/questions/4/type",
                                      "/questions/0/instructions", "/questions/1/choices",
                                      "/questions/2/choices/1"}));
  EXPECT_EQ(places(R"({"input":"x"})"), (std::vector<std::string>{"/questions"}));
  EXPECT_EQ(places(R"({"questions":[{"type":"predicate","instructions":"?"}]})"),
            (std::vector<std::string>{"/input"}));
  EXPECT_EQ(places(R"({"input":7,"questions":[{"type":"predicate","instructions":"?"}]})"),
            (std::vector<std::string>{"/input"}));
  EXPECT_EQ(places(R"({"input":[{"role":"system","content":"s"}],
                       "questions":[{"type":"predicate","instructions":"?"}]})"),
            (std::vector<std::string>{"/input/0/role"}));
  EXPECT_EQ(places(R"({"input":"x","questions":{"q":{"type":"noul","instructions":"?"}}})"),
            (std::vector<std::string>{"/questions"}));
}

}  // namespace
}  // namespace logit::serve
