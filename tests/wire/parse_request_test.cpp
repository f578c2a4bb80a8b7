// The schema of a request: each rule of the format, kept and broken. Cases C01, C02, C04, C05, C07,
// C08, C13, C14, C16, C20, C125, C128, C137 and the table of decisions.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "logit/wire.h"
#include "wire/bodies.h"

namespace logit {
namespace {

using test::faults_of;
using test::parsed;
using test::with_question;
using test::with_state;
using Faults = std::vector<std::string>;

struct Refused {
  std::string body;
  Faults faults;
};

void expect_faults(const std::vector<Refused>& cases) {
  for (const Refused& each : cases) EXPECT_EQ(faults_of(each.body), each.faults) << each.body;
}

TEST(ParseRequest, ThePublishedShapeIsAccepted) {
  const Request request = parsed(R"({
    "state": {"subject": "Refund", "n": 3}, "model": "jev-latest",
    "questions": {
      "team":  {"type": "choice", "instructions": {"ask": "Which desk?"},
                "criteria": {"billing": "invoices", "other": null}},
      "anger": {"type": "score", "criteria": ["calm", {"label": "cross"}, ["furious"]]},
      "money": {"type": "noul", "instructions": "Wants money back?",
                "criteria": {"true": "asks for it", "false": null}}}})");
  EXPECT_EQ(request.model, "jev-latest");
  EXPECT_EQ(compact_json(request.state), R"({"subject":"Refund","n":3})");
  ASSERT_EQ(request.questions.size(), 3u);
  const Question& team = request.questions[0];
  EXPECT_EQ(team.id, "team");
  EXPECT_EQ(team.type, QuestionType::kChoice);
  EXPECT_EQ(compact_json(team.instructions), R"({"ask":"Which desk?"})");
  ASSERT_EQ(team.options.size(), 2u);
  EXPECT_EQ(team.options[0].description, Content("invoices"));
  EXPECT_TRUE(team.options[1].description.is_null());
  const Question& anger = request.questions[1];
  EXPECT_EQ(anger.type, QuestionType::kScore);
  EXPECT_TRUE(anger.instructions.is_null());
  ASSERT_EQ(anger.levels.size(), 3u);
  EXPECT_EQ(compact_json(anger.levels[1]), R"({"label":"cross"})");
  const Question& money = request.questions[2];
  EXPECT_EQ(money.type, QuestionType::kNoul);
  EXPECT_EQ(money.when_true, Content("asks for it"));
  EXPECT_TRUE(money.when_false.is_null());
}

TEST(ParseRequest, UnknownFieldsAreIgnored) {
  const Request request = parsed(
      R"({"x_nonce":"7","seed":[{}],"state":"","seen":null,
          "questions":{"q":{"type":"noul","instructions":"?","weight":3,"note":{"a":[1]}}}})");
  EXPECT_EQ(request.questions.size(), 1u);
  EXPECT_EQ(request.model, "");
}

TEST(ParseRequest, AnyModelNameIsAccepted) {
  for (const std::string name : {"jev-latest", "jev-1.13.0", "typesafe/jev-latest",
                                 "~typesafe/jev-latest", "no-such-model", ""}) {
    const Request request =
        parsed(R"({"model":")" + name + R"(",)" + with_state("\"hi\"").substr(1));
    EXPECT_EQ(request.model, name);
  }
  for (const std::string model : {"null", "1", "[]"}) {
    EXPECT_EQ(faults_of(R"({"model":)" + model + "," + with_state("\"hi\"").substr(1)),
              Faults{"wrong_type at model"});
  }
}

TEST(ParseRequest, StateIsTextOrStructure) {
  for (const std::string state : {"\"\"", "\"x\"", "{}", "[]", "[null]"}) parsed(with_state(state));
  for (const std::string state : {"1", "true", "null", "-0.5"}) {
    EXPECT_EQ(faults_of(with_state(state)), Faults{"wrong_type at state"}) << state;
  }
}

TEST(ParseRequest, StructuredTextIsAcceptedEverywhere) {
  const Request request = parsed(R"({"state":{"msg":"I want my money back"},"questions":{
    "q":{"type":"choice","instructions":{"ask":"Which desk?","rule":["first match wins"]},
         "criteria":{"refunds":["money back","chargeback"],"other":{"k":1}}},
    "n":{"type":"noul","instructions":["a"],"criteria":{"true":{"a":1},"false":["b"]}}}})");
  EXPECT_EQ(compact_json(request.questions[0].options[1].description), R"({"k":1})");
  EXPECT_EQ(compact_json(request.questions[1].when_false), R"(["b"])");
}

TEST(ParseRequest, ANoulMayDescribeOneSideOrNone) {
  for (const char* criteria : {R"({"true":"thanks us"})", R"({"false":"complains"})", "null", "{}",
                               R"({"true":null,"false":null})"}) {
    parsed(with_question(R"({"type":"noul","instructions":"Satisfied?","criteria":)" +
                         std::string(criteria) + "}"));
  }
  parsed(with_question(R"({"type":"noul","criteria":{"true":"The customer threatens"}})"));
  parsed(with_question(R"({"type":"noul","instructions":null,"criteria":{"false":"calm"}})"));
}

TEST(ParseRequest, ANoulThatAsksNothingIsRefusedAtItsInstructions) {
  for (const char* question :
       {R"({"type":"noul"})", R"({"type":"noul","instructions":null})",
        R"({"type":"noul","criteria":null})", R"({"type":"noul","criteria":{}})",
        R"({"type":"noul","criteria":{"true":null,"false":null}})"}) {
    EXPECT_EQ(faults_of(with_question(question)), Faults{"missing at questions.q.instructions"});
  }
}

TEST(ParseRequest, WhatIsMissingIsNamed) {
  expect_faults({
      {"{}", {"missing at state", "missing at questions"}},
      {R"({"state":"x"})", {"missing at questions"}},
      {R"({"questions":{"q":{"type":"noul","instructions":"?"}}})", {"missing at state"}},
      {R"({"state":"x","questions":{}})", {"too_few at questions"}},
      {R"({"state":"x","questions":[]})", {"wrong_type at questions"}},
      {R"({"state":"x","questions":null})", {"wrong_type at questions"}},
      {"[]", {"wrong_type at "}},
      {"\"x\"", {"wrong_type at "}},
      {"null", {"wrong_type at "}},
      {"", {"invalid_json at "}},
      {with_question("{}"), {"missing at questions.q.type"}},
      {with_question("3"), {"wrong_type at questions.q"}},
      {with_question(R"({"type":"choice"})"), {"missing at questions.q.criteria"}},
      {with_question(R"({"type":"score"})"), {"missing at questions.q.criteria"}},
  });
}

TEST(ParseRequest, TypesAreTheThreeOfTheFormat) {
  expect_faults({
      {with_question(R"({"type":"bool"})"), {"unknown_type at questions.q.type"}},
      {with_question(R"({"type":"Noul"})"), {"unknown_type at questions.q.type"}},
      {with_question(R"({"type":null})"), {"wrong_type at questions.q.type"}},
      {with_question(R"({"type":"box","instructions":"Where?"})"),
       {"unsupported at questions.q.type"}},
  });
  const auto box = parse_request(with_question(R"({"type":"box"})"));
  ASSERT_FALSE(box);
  EXPECT_NE(box.error().message.find("not supported"), std::string::npos);
}

TEST(ParseRequest, InstructionsAndDescriptionsAreTextOrStructure) {
  expect_faults({
      {with_question(R"({"type":"noul","instructions":5})"),
       {"wrong_type at questions.q.instructions"}},
      {with_question(R"({"type":"noul","instructions":false})"),
       {"wrong_type at questions.q.instructions"}},
      {with_question(R"({"type":"noul","instructions":"?","criteria":{"true":1,"false":true}})"),
       {"wrong_type at questions.q.criteria.true", "wrong_type at questions.q.criteria.false"}},
      {with_question(R"({"type":"noul","instructions":"?","criteria":{"yes":"a"}})"),
       {"unknown_key at questions.q.criteria.yes"}},
      {with_question(R"({"type":"noul","criteria":["a","b"]})"),
       {"wrong_type at questions.q.criteria"}},
      {with_question(R"({"type":"choice","criteria":["a","b"]})"),
       {"wrong_type at questions.q.criteria"}},
      {with_question(R"({"type":"choice","criteria":null})"),
       {"wrong_type at questions.q.criteria"}},
      {with_question(R"({"type":"choice","criteria":{"a":1,"b":null,"c.d":true}})"),
       {"wrong_type at questions.q.criteria.a", R"(wrong_type at questions.q.criteria."c.d")"}},
  });
}

TEST(ParseRequest, LevelsMustBeAList) {
  const auto map = parse_request(
      R"({"state":"x","questions":{"s":{"type":"score","criteria":{"1":"Angry","0":"Calm"}}}})");
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().message, "levels must be a list");
  EXPECT_EQ(map.error().where, "questions.s.criteria");
  EXPECT_EQ(faults_of(with_question(R"({"type":"score","criteria":null})")),
            Faults{"wrong_type at questions.q.criteria"});
}

TEST(ParseRequest, ANullLevelIsRefusedAtItsIndex) {
  const auto request =
      parse_request(with_question(R"({"type":"score","criteria":["Calm",null,"Angry",3]})"));
  ASSERT_FALSE(request);
  ASSERT_EQ(request.error().faults.size(), 2u);
  const std::vector<LocStep> loc = {"questions", "q", "criteria", std::size_t{1}};
  EXPECT_EQ(request.error().faults[0].loc, loc);
}

std::string choice_of(int n) {
  std::string criteria;
  for (int i = 0; i < n; ++i) {
    criteria += (i == 0 ? "\"o" : ",\"o") + std::to_string(i) + "\":null";
  }
  return with_question(R"({"type":"choice","criteria":{)" + criteria + "}}");
}

std::string score_of(int n) {
  std::string levels;
  for (int i = 0; i < n; ++i) levels += i == 0 ? "\"l\"" : ",\"l\"";
  return with_question(R"({"type":"score","criteria":[)" + levels + "]}");
}

std::string questions_of(int n) {
  std::string questions;
  for (int i = 0; i < n; ++i) {
    questions +=
        (i == 0 ? "\"q" : ",\"q") + std::to_string(i) + R"(":{"type":"noul","instructions":"?"})";
  }
  return R"({"state":"x","questions":{)" + questions + "}}";
}

TEST(ParseRequest, CountsAreLimitedOnBothSides) {
  for (const int n : {1, 2, 26, 255}) {
    EXPECT_EQ(parsed(choice_of(n)).questions[0].options.size(), static_cast<std::size_t>(n));
  }
  for (const int n : {1, 2, 10}) {
    EXPECT_EQ(parsed(score_of(n)).questions[0].levels.size(), static_cast<std::size_t>(n));
  }
  EXPECT_EQ(parsed(questions_of(256)).questions.size(), 256u);
  expect_faults({
      {choice_of(0), {"too_few at questions.q.criteria"}},
      {choice_of(256), {"too_many at questions.q.criteria"}},
      {score_of(0), {"too_few at questions.q.criteria"}},
      {score_of(11), {"too_many at questions.q.criteria"}},
      {questions_of(257), {"too_many at questions"}},
  });
}

TEST(ParseRequest, EveryFaultIsListed) {
  expect_faults({{R"({"model":1,"questions":{"a":{"type":"choice","criteria":{}},
                     "a.b":{"instructions":4,"type":"score","criteria":[null]},"b":[]},"images":[]})",
                  {"wrong_type at model", "too_few at questions.a.criteria",
                   R"(wrong_type at questions."a.b".instructions)",
                   R"(wrong_type at questions."a.b".criteria[0])", "wrong_type at questions.b",
                   "unsupported at images", "missing at state"}}});
}

TEST(ParseRequest, RepeatedKeysAreRefusedWhereTheyDecide) {
  expect_faults({
      {with_question(R"({"type":"choice","criteria":{"a":"first","a":"second","b":null}})"),
       {"duplicate_key at questions.q.criteria.a"}},
      {R"({"state":{"k":1,"k":2},"questions":{"q":{"type":"noul","instructions":"?"}},
           "questions":{"z":{"type":"noul","instructions":"?"}}})",
       {"duplicate_key at questions"}},
      {R"({"state":"x","questions":{"q":{"type":"noul","instructions":"?"},
           "q":{"type":"noul","instructions":"?"}}})",
       {"duplicate_key at questions.q"}},
      {with_question(R"({"type":"noul","type":"noul","instructions":"?"})"),
       {"duplicate_key at questions.q.type"}},
      {with_question(R"({"type":"noul","criteria":{"true":"a","true":"b"}})"),
       {"duplicate_key at questions.q.criteria.true"}},
      {R"({"state":"x",)" + with_state("\"y\"").substr(1), {"duplicate_key at state"}},
  });
}

TEST(ParseRequest, TheLastRepeatedKeyWinsInsideStructuredText) {
  const Request request = parsed(R"({"state":{"k":1,"k":{"j":2,"j":3}},"questions":{"q":{
    "type":"choice","instructions":{"i":1,"i":2},"criteria":{"a":{"d":1,"d":2}}}}})");
  EXPECT_EQ(compact_json(request.state), R"({"k":{"j":3}})");
  EXPECT_EQ(compact_json(request.questions[0].instructions), R"({"i":2})");
  EXPECT_EQ(compact_json(request.questions[0].options[0].description), R"({"d":2})");
}

TEST(ParseRequest, IdsAndOptionNamesAreFreeText) {
  const Request request = parsed(
      "{\"state\":\"x\",\"questions\":{\"a.b\":{\"type\":\"noul\",\"instructions\":\"?\"},"
      "\" \":{\"type\":\"noul\",\"instructions\":\"?\"},"
      "\"\xf0\x9f\x99\x82\":{\"type\":\"noul\",\"instructions\":\"?\"},"
      "\"__proto__\":{\"type\":\"noul\",\"instructions\":\"?\"},"
      "\"\":{\"type\":\"score\",\"criteria\":[\"one\",\"two\"]}}}");
  Faults ids;
  for (const Question& question : request.questions) ids.push_back(question.id);
  EXPECT_EQ(ids, (Faults{"a.b", " ", "\xf0\x9f\x99\x82", "__proto__", ""}));
  const Request blank = parsed(with_question(
      R"({"type":"choice","criteria":{"a":null,"a ":null," ":null,"":null,"A":null,"1":null}})"));
  EXPECT_EQ(blank.questions[0].options.size(), 6u);
}

TEST(ParseRequest, NumbersInTheStateKeepTheirSpelling) {
  const std::string state =
      R"({"a":-0,"b":1.0,"c":1e2,"d":12345678901234567890,"e":0.1000000000000000055511})";
  EXPECT_EQ(compact_json(parsed(with_state(state)).state), state);
}

TEST(ParseRequest, PicturesAreRefusedNeverDropped) {
  expect_faults({
      {R"({"state":{"photo":"img-1"},"assets":{"img-1":{"type":"image","format":"png",
           "data_base64":"iVBORw0KGgo="}},"questions":{"c":{"type":"noul","instructions":"?"}}})",
       {"unsupported at assets"}},
      {R"({"images":[],"files":["x"],"assets":{},)" + with_state("\"\"").substr(1),
       {"unsupported at images", "unsupported at files", "unsupported at assets"}},
      {with_state(R"("data:image/png;base64,iVBO")"), {"unsupported at state"}},
      {with_state(R"({"a":{"b":["ok","see DATA:image/PNG;charset=utf-8;BASE64,iV here"]}})"),
       {"unsupported at state.a.b[1]"}},
      {with_state(R"(["data:image/png; base64 ,iVBO"])"), {"unsupported at state[0]"}},
      {with_state(R"({"data:image/svg+xml;base64,PHN2":1})"),
       {R"(unsupported at state."data:image/svg+xml;base64,PHN2")"}},
      {with_question(R"({"type":"noul","instructions":["data:image/gif;base64,R0"],
                         "criteria":{"true":"data:image/webp;base64,UklG"}})"),
       {"unsupported at questions.q.instructions[0]", "unsupported at questions.q.criteria.true"}},
      {with_question(R"({"type":"choice","criteria":{"data:image/png;base64,":null}})"),
       {R"(unsupported at questions.q.criteria."data:image/png;base64,")"}},
      {with_question(R"({"type":"score","criteria":["a","data:image/png;base64,AA"]})"),
       {"unsupported at questions.q.criteria[1]"}},
  });
  parsed(R"({"images":null,"files":null,"assets":null,)" + with_state("\"\"").substr(1));
  parsed(with_state(R"("the format data:image/ and ;base64, are words; data: x, data:image/png")"));
}

TEST(ParseRequest, DeepJsonIsRefusedFastWhereverItStands) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(faults_of(with_state(deep)).front().substr(0, 18), "too_deep at state[");
  EXPECT_EQ(faults_of("{\"zzz\":" + deep + "," + with_state("\"\"").substr(1)).size(), 1u);
  EXPECT_EQ(faults_of(with_question(R"({"type":"noul","instructions":)" + deep + "}")).size(), 1u);
  EXPECT_EQ(faults_of(with_question(R"({"type":"choice","criteria":)" + deep + "}")).size(), 1u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(ParseRecord, RefusesAKeyOfItsOwnGivenTwice) {
  const auto twice = parse_record(R"({"label":1,"text":"a","label":2})");
  ASSERT_FALSE(twice);
  ASSERT_EQ(twice.error().faults.size(), 1U);
  EXPECT_EQ(twice.error().faults[0].type, "duplicate_key");
  EXPECT_EQ(std::get<std::string>(twice.error().faults[0].loc.front()), "label");
  const auto below = parse_record(R"({"text":{"a":1,"a":2}})");
  ASSERT_TRUE(below);
  EXPECT_EQ(compact_json(*below), R"({"text":{"a":1,"a":2}})");
  EXPECT_TRUE(parse_record("[1]"));
  EXPECT_FALSE(parse_record("{"));
}

TEST(ParseContent, FollowsTheSameRules) {
  const auto content = parse_content(R"({"a":1,"a":2})");
  ASSERT_TRUE(content);
  EXPECT_EQ(compact_json(*content), R"({"a":2})");
  EXPECT_FALSE(parse_content("[NaN]"));
  EXPECT_FALSE(parse_content(""));
}

}  // namespace
}  // namespace logit
