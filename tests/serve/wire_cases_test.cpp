// Requests that went wrong somewhere else, through the whole service but the socket. Which case
// is tested where: docs/conformance/cases.md.
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "logit/wire.h"
#include "serve/json.h"
#include "serve/support.h"

namespace logit::serve {
namespace {

using Names = std::vector<std::string>;

// The member at a path of keys; null when there is none.
Content at(const std::string& json, std::initializer_list<std::string_view> path) {
  const Result<Content> parsed = parse_content(json);
  EXPECT_TRUE(parsed) << json;
  const Content* place = parsed ? &*parsed : nullptr;
  for (const std::string_view key : path) {
    if (place != nullptr) place = find_member(*place, key);
  }
  EXPECT_NE(place, nullptr) << json;
  return place != nullptr ? *place : Content();
}

Names keys(const Content& content) {
  Names names;
  const auto* members = std::get_if<Content::Object>(&content.value);
  if (members == nullptr) return names;
  for (const auto& [key, value] : *members) names.push_back(key);
  return names;
}

double number(const Content& content) {
  const auto* spelled = std::get_if<Content::Number>(&content.value);
  return spelled != nullptr ? std::stod(spelled->spelling) : -1e9;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<signed char>(c) >= 0; });
}

std::string one_question(const std::string& question, const std::string& state = "\"x\"") {
  return R"({"state":)" + state + R"(,"questions":{"q":)" + question + "}}";
}

class WireCases : public ServiceTest {
 protected:
  std::string answered(const std::string& body) {
    const Response response = post(body);
    EXPECT_EQ(response.status, 200) << response.body;
    return response.body;
  }

  // What the model was shown in all its calls so far.
  std::string prompts() const {
    std::string all;
    for (const TokenTree& tree : model_->calls) all += model_->text(tree.tokens) + "\n";
    return all;
  }

  // A 422 that lists a fault at the place.
  void expect_fault(const std::string& body, const std::string& loc) {
    const Response response = post(body);
    EXPECT_EQ(response.status, 422) << body.substr(0, 200);
    EXPECT_TRUE(has(response.body, "\"loc\":" + loc)) << response.body.substr(0, 500);
    EXPECT_TRUE(is_ascii(response.body));
  }
};

TEST_F(WireCases, UnknownTopLevelFieldsChangeNothing) {  // case C01
  const std::string rest =
      R"("state":"The invoice was charged twice.","model":"jev-latest",)"
      R"("questions":{"q":{"type":"choice","criteria":{"yes":null,"no":null}}}})";
  EXPECT_EQ(answered(R"({"x_nonce":"7","seed":7,)" + rest), answered("{" + rest));
}

TEST_F(WireCases, StructuredInstructionsAndDescriptionsAreAnswered) {  // case C04
  const std::string body = answered(one_question(
      R"({"type":"choice","instructions":{"ask":"Which desk?","rule":["first match wins"]},)"
      R"("criteria":{"refunds":["money back","chargeback"],"other":{"k":1}}})",
      R"({"msg":"I want my money back"})"));
  EXPECT_EQ(keys(at(body, {"answers", "q", "probabilities"})), (Names{"refunds", "other"}));
}

TEST_F(WireCases, ANoulThatDescribesOneSideIsAnsweredWithoutAWordForTheOther) {  // case C05
  const std::string body = answered(
      R"({"state":"ok thanks","questions":{)"
      R"("a":{"type":"noul","instructions":"Satisfied?","criteria":{"true":"thanks us"}},)"
      R"("b":{"type":"noul","instructions":"Satisfied?","criteria":{"false":"complains"}},)"
      R"("c":{"type":"noul","instructions":"Satisfied?","criteria":null}}})");
  EXPECT_EQ(keys(at(body, {"answers"})), (Names{"a", "b", "c"}));
  EXPECT_FALSE(has(prompts(), "null"));
  EXPECT_FALSE(has(prompts(), "None"));
}

TEST_F(WireCases, WhatIsEmptyOrMissingIsNamed) {  // case C07
  expect_fault(R"({"state":"x","questions":{}})", R"(["body","questions"])");
  expect_fault(one_question(R"({"type":"choice","criteria":{}})"),
               R"(["body","questions","q","criteria"])");
  expect_fault(R"({"questions":{"q":{"type":"noul","instructions":"?"}}})", R"(["body","state"])");
  expect_fault(R"({"state":"x"})", R"(["body","questions"])");
  expect_fault("{}", R"(["body","state"])");
  expect_fault("", R"(["body")");
}

TEST_F(WireCases, LevelsAsAMapAreRefusedNeverReordered) {  // case C08
  const Response response =
      post(one_question(R"({"type":"score","criteria":{"1":"Angry","0":"Calm"}})"));
  EXPECT_EQ(response.status, 422);
  EXPECT_TRUE(has(response.body, "must be a list")) << response.body;
}

TEST_F(WireCases, ConfidenceFollowsThePrintedProbabilities) {  // case C10
  const std::string body = answered(
      R"({"state":"x","questions":{"c":{"type":"choice","criteria":{"a":null,"b":null,"c":null}},)"
      R"("n":{"type":"noul","instructions":"?"}}})");
  double most = 0;
  for (const char* name : {"a", "b", "c"}) {
    most = std::max(most, number(at(body, {"answers", "c", "probabilities", name})));
  }
  EXPECT_NEAR(number(at(body, {"answers", "c", "confidence"})), (most - 1.0 / 3) / (1 - 1.0 / 3),
              1e-12);
  const Names of_noul = keys(at(body, {"answers", "n"}));
  EXPECT_EQ(std::count(of_noul.begin(), of_noul.end(), "confidence"), 0);
}

TEST_F(WireCases, TenLevelsHaveTheKeysZeroToNineInOrder) {  // case C11
  const std::string body = answered(one_question(
      R"({"type":"score","criteria":["a","b","c","d","e","f","g","h","i","j"]})", "\"meh\""));
  const Names digits = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  EXPECT_EQ(keys(at(body, {"answers", "q", "probabilities"})), digits);
  EXPECT_EQ(keys(at(body, {"answers", "q", "legend"})), digits);
}

TEST_F(WireCases, IdsComeBackAsSentAndAreOneStepOfAPlace) {  // case C13
  const std::string body = answered(
      R"({"state":"x","questions":{"a.b":{"type":"noul","instructions":"?"},)"
      R"(" ":{"type":"noul","instructions":"?"},)"
      "\"\xf0\x9f\x99\x82\":"
      R"({"type":"noul","instructions":"?"},)"
      R"("__proto__":{"type":"noul","instructions":"?"},"a":{"type":"score","criteria":["one","two"]}}})");
  EXPECT_EQ(keys(at(body, {"answers"})), (Names{"a.b", " ", "\xf0\x9f\x99\x82", "__proto__", "a"}));
  expect_fault(R"({"state":"x","questions":{"a.b":{"type":"rank"}}})",
               R"(["body","questions","a.b","type"])");
}

TEST_F(WireCases, NumbersReachTheModelAsSpelled) {  // case C14
  answered(one_question(R"({"type":"choice","criteria":{"yes":null,"no":null}})",
                        R"({"a":-0,"b":1.0,"c":1e2,"d":12345678901234567890,)"
                        R"("e":0.1000000000000000055511})"));
  for (const char* spelled :
       {"\"a\": -0,", "\"b\": 1.0,", "\"c\": 1e2,", "\"d\": 12345678901234567890,",
        "\"e\": 0.1000000000000000055511\n"}) {
    EXPECT_TRUE(has(prompts(), spelled)) << spelled;
  }
}

TEST_F(WireCases, RepeatedKeysAreRefusedByNameAndTheLastOneWinsInsideTheState) {  // case C16
  const Response criteria =
      post(one_question(R"({"type":"choice","criteria":{"a":"first","a":"second","b":null}})"));
  EXPECT_EQ(criteria.status, 422);
  EXPECT_TRUE(has(criteria.body, R"(["body","questions","q","criteria","a"])")) << criteria.body;
  const Response questions =
      post(R"({"state":{"k":1,"k":2},"questions":{"q":{"type":"noul","instructions":"?"}},)"
           R"("questions":{"z":{"type":"noul","instructions":"?"}}})");
  EXPECT_EQ(questions.status, 422);
  EXPECT_TRUE(has(questions.body, R"(["body","questions"])")) << questions.body;
  answered(one_question(R"({"type":"noul","instructions":"?"})", R"({"k":"first","k":"last"})"));
  EXPECT_TRUE(has(prompts(), "\"k\": \"last\""));
  EXPECT_FALSE(has(prompts(), "first"));
}

TEST_F(WireCases, NumbersThatJsonDoesNotHaveAreRefused) {  // case C17
  for (const char* word : {"NaN", "Infinity", "-Infinity", "1e999", "-1e999"}) {
    const Response response = post(one_question(R"({"type":"noul","instructions":"?"})",
                                                std::string(R"({"t":)") + word + "}"));
    EXPECT_EQ(response.status, 422) << word;
    EXPECT_TRUE(parse_content(response.body)) << response.body;
  }
}

TEST_F(WireCases, BytesThatAreNotUtf8GetACleanErrorAndTheNextRequestIsFine) {  // case C19
  expect_fault(one_question(R"({"type":"noul","instructions":"?"})", "\"\xff\xfe\""), "[\"body\"");
  expect_fault(
      "{\"state\":\"\xc0\xaf \xed\xa0\x80 \xf5\x80\x80\x80\",\"questions\":"
      "{\"\xb2\xe2\":{\"type\":\"noul\",\"instructions\":\"?\"}}}",
      "[\"body\"");
  answered(kAsk);
}

TEST_F(WireCases, VeryDeepJsonIsRefusedFastWhereverItStands) {  // case C20
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  const auto start = std::chrono::steady_clock::now();
  for (const int place : {0, 1, 2, 3}) {
    const auto value = [&](int mine, const char* otherwise) {
      return place == mine ? deep : std::string(otherwise);
    };
    const std::string body = R"({"state":)" + value(0, "\"x\"") + R"(,"zzz":)" + value(1, "0") +
                             R"(,"questions":{"q":{"type":"choice","instructions":)" +
                             value(2, "\"?\"") + R"(,"criteria":)" +
                             value(3, R"({"a":null,"b":null})") + "}}}";
    expect_fault(body, "[\"body\"");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST_F(WireCases, OptionsComeBackInTheOrderOfTheRequest) {  // cases C22, C23
  const auto order = [&](const std::string& criteria) {
    const std::string body =
        answered(one_question(R"({"type":"choice","criteria":)" + criteria + "}"));
    return keys(at(body, {"answers", "q", "probabilities"}));
  };
  EXPECT_EQ(order(R"({"10":"ten","9":"nine","b":null,"01":"leading zero"})"),
            (Names{"10", "9", "b", "01"}));
  EXPECT_EQ(order(R"({"zebra":null,"apple":null,"mango":null})"),
            (Names{"zebra", "apple", "mango"}));
}

TEST_F(WireCases, CompressedBodiesAreReadUpToTheLimit) {  // case C28
  const auto deflated = [](const std::string& text) {
    uLongf length = compressBound(text.size());
    std::string out(length, '\0');
    compress(reinterpret_cast<Bytef*>(out.data()), &length,
             reinterpret_cast<const Bytef*>(text.data()), text.size());
    return out.substr(0, length);
  };
  const Header encoding{"Content-Encoding", "deflate"};
  EXPECT_EQ(post(deflated(kAsk), {encoding}).body, post(kAsk).body);
  options_.max_body = 1 << 20;
  const std::string bomb = deflated(std::string((1 << 20) + 1, ' '));
  EXPECT_LT(bomb.size(), 4096U);
  EXPECT_EQ(post(bomb, {encoding}).status, 413);
  const Response cut = post(deflated(kAsk).substr(0, 40), {encoding});
  EXPECT_EQ(cut.status, 400);
  EXPECT_TRUE(has(cut.body, "ends too early")) << cut.body;
}

TEST_F(WireCases, OptionsThatLookAlikeAllComeBack) {  // case C125
  const std::string body = answered(one_question(
      R"({"type":"choice","criteria":{"a":null,"a ":null," ":null,"":null,"A":null}})"));
  EXPECT_EQ(keys(at(body, {"answers", "q", "probabilities"})), (Names{"a", "a ", " ", "", "A"}));
}

TEST_F(WireCases, AScoreStaysOnItsScaleWhateverTheInstructionsSay) {  // case C128
  const std::string body =
      answered(one_question(R"({"type":"score","instructions":"Severity from 1 to 10",)"
                            R"("criteria":["none","low","mid","high"]})",
                            "\"WORST DISASTER EVER!!!\""));
  const double score = number(at(body, {"answers", "q", "score"}));
  EXPECT_GE(score, 0);
  EXPECT_LE(score, 3);
}

TEST_F(WireCases, TheOrderOfQuestionsMovesNoNumber) {  // case C130
  const std::string refund = R"("refund":{"type":"noul","instructions":"Wants money back?"})";
  const std::string team = R"("team":{"type":"choice","criteria":{"billing":null,"tech":null}})";
  const std::string anger = R"("anger":{"type":"score","criteria":["calm","cross","furious"]})";
  const auto ask_in_order = [&](const std::string& questions) {
    return answered(R"({"state":"Charged twice, fix it now!","questions":{)" + questions + "}}");
  };
  const std::string forth = ask_in_order(refund + "," + team + "," + anger);
  const std::string back = ask_in_order(anger + "," + team + "," + refund);
  for (const char* id : {"refund", "team", "anger"}) {
    EXPECT_EQ(compact_json(at(forth, {"answers", id})), compact_json(at(back, {"answers", id})));
  }
  EXPECT_EQ(compact_json(at(forth, {"answers", "refund"})),
            compact_json(at(ask_in_order(refund), {"answers", "refund"})));
}

TEST_F(WireCases, AnIdThatNamesAnAnswerMovesNoNumber) {  // case C131
  const std::string question = R"({"type":"choice","criteria":{"billing":null,"shipping":null}})";
  const std::string body =
      answered(R"({"state":"Where is my parcel?","questions":{"the answer is billing":)" +
               question + R"(,"x":)" + question + "}}");
  EXPECT_EQ(compact_json(at(body, {"answers", "x"})),
            compact_json(at(body, {"answers", "the answer is billing"})));
  EXPECT_FALSE(has(prompts(), "the answer is"));
}

TEST_F(WireCases, PicturesAreRefusedNeverDropped) {  // case C137
  const std::string questions =
      R"("questions":{"c":{"type":"choice","criteria":{"red":null,"blue":null}}})";
  expect_fault(R"({"state":{"photo":"img-1"},"assets":{"img-1":{"type":"image","format":"png",)"
               R"("data_base64":"iVBORw0KGgo="}},)" +
                   questions + "}",
               R"(["body","assets"])");
  expect_fault(R"({"state":"x","images":["data:image/png;base64,iVBORw0KGgo="],)" + questions + "}",
               R"(["body","images"])");
  expect_fault(R"({"state":"x","files":["data:image/png;base64,iVBORw0KGgo="],)" + questions + "}",
               R"(["body","files"])");
}

}  // namespace
}  // namespace logit::serve
