// The body of a 200. Cases C11, C12, C13, C22, C23, C64, C128 and golden request and reply pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "logit/wire.h"
#include "wire/bodies.h"
#include "wire/made_up.h"

namespace logit {
namespace {

using nlohmann::ordered_json;
using test::made_up_reply;
using test::parsed;
using test::with_question;

double halves(std::size_t i) { return std::ldexp(1.0, -static_cast<int>(i)); }
double ones(std::size_t) { return 1; }

ordered_json rendered(const Request& request, const Reply& reply,
                      const RenderOptions& options = {}) {
  const std::string body = render_reply(request, reply, options);
  EXPECT_EQ(body.find('\n'), std::string::npos);
  EXPECT_TRUE(ordered_json::accept(body)) << body;
  return ordered_json::parse(body, nullptr, false);
}

std::vector<std::string> keys_of(const ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

using Keys = std::vector<std::string>;

struct Golden {
  const char* request;
  const char* reply;
};

TEST(RenderReply, GoldenPairs) {
  const Golden pairs[] = {
      {R"({"state":"x","questions":{"n":{"type":"noul","instructions":"?"}}})",
       R"({"model":"made-up","answers":{"n":{"type":"noul","noul":0.5,"x_readout":"text"}},)"
       R"("usage":{"input_tokens":17,"output_tokens":0}})"},
      {R"({"state":"x","questions":{"c":{"type":"choice","criteria":{"10":"ten","9":"nine","b":null,"":null}}}})",
       R"({"model":"made-up","answers":{"c":{"type":"choice","choice":"10","probabilities":)"
       R"({"10":0.25,"9":0.25,"b":0.25,"":0.25},"confidence":0.25,"x_readout":"text"}},)"
       R"("usage":{"input_tokens":17,"output_tokens":0}})"},
      {R"({"state":"x","questions":{"s":{"type":"score","criteria":["a",{"z":1.0,"a":[-0]}]},"one":{"type":"score","criteria":["only"]}}})",
       R"({"model":"made-up","answers":{"s":{"type":"score","score":0.5,"legend":{"0":"a","1":{"z":1.0,"a":[-0]}},)"
       R"("probabilities":{"0":0.5,"1":0.5},"confidence":0.5,"x_readout":"text"},)"
       R"("one":{"type":"score","score":0.0,"legend":{"0":"only"},"probabilities":{"0":1.0},)"
       R"("confidence":1.0,"x_readout":"text"}},"usage":{"input_tokens":17,"output_tokens":0}})"},
  };
  for (const Golden& pair : pairs) {
    const Request request = parsed(pair.request);
    EXPECT_EQ(render_reply(request, made_up_reply(request, ones), {}), pair.reply);
  }
}

TEST(RenderReply, OrderIsTheRequestsAndIdsComeBackByteForByte) {
  const Request request = parsed(
      "{\"state\":\"x\",\"questions\":{\"z\":{\"type\":\"noul\",\"instructions\":\"?\"},"
      "\"a.b\":{\"type\":\"choice\",\"criteria\":{\"zebra\":null,\"apple\":null,\"mango\":null}},"
      "\"\xed\x95\x9c \\\"q\\\"\":{\"type\":\"noul\",\"instructions\":\"?\"},"
      "\"__proto__\":{\"type\":\"noul\",\"instructions\":\"?\"}}}");
  const auto body = rendered(request, made_up_reply(request, halves));
  EXPECT_EQ(keys_of(body), (Keys{"model", "answers", "usage"}));
  EXPECT_EQ(keys_of(body["answers"]), (Keys{"z", "a.b", "\xed\x95\x9c \"q\"", "__proto__"}));
  EXPECT_EQ(keys_of(body["answers"]["a.b"]["probabilities"]), (Keys{"zebra", "apple", "mango"}));
}

TEST(RenderReply, ScoreKeysAreWholeNumbersInOrder) {
  const Request request = parsed(
      with_question(R"({"type":"score","criteria":["a","b","c","d","e","f","g","h","i","j"]})"));
  const auto body = rendered(request, made_up_reply(request, halves));
  const Keys digits = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  const auto& answer = body["answers"]["q"];
  EXPECT_EQ(keys_of(answer["legend"]), digits);
  EXPECT_EQ(keys_of(answer["probabilities"]), digits);
  EXPECT_GE(answer["score"].get<double>(), 0);
  EXPECT_LE(answer["score"].get<double>(), 9);
}

TEST(RenderReply, ANoulHasNoConfidence) {
  const Request request = parsed(with_question(R"({"type":"noul","instructions":"?"})"));
  const auto body = rendered(request, made_up_reply(request, halves));
  EXPECT_EQ(keys_of(body["answers"]["q"]), (Keys{"type", "noul", "x_readout"}));
}

TEST(RenderReply, OptionsThatLookAlikeStayApart) {
  const Request request = parsed(with_question(
      R"({"type":"choice","criteria":{"a":null,"a ":null," ":null,"":null,"A":null}})"));
  const auto body = rendered(request, made_up_reply(request, halves));
  EXPECT_EQ(keys_of(body["answers"]["q"]["probabilities"]), (Keys{"a", "a ", " ", "", "A"}));
}

Request choice_of(std::size_t n) {
  std::string criteria;
  for (std::size_t i = 0; i < n; ++i) {
    criteria.append(i == 0 ? "\"o" : ",\"o").append(std::to_string(i)).append("\":null");
  }
  return parsed(with_question(R"({"type":"choice","criteria":{)" + criteria + "}}"));
}

TEST(RenderReply, PrintedProbabilitiesSumToOneAndTheChoiceIsTheirFirstMaximum) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-40, 2);
  for (const std::size_t n : {1u, 2u, 3u, 26u, 255u}) {
    for (int round = 0; round < 20; ++round) {
      const Request request = choice_of(n);
      const auto reply =
          made_up_reply(request, [&](std::size_t) { return std::exp(exponent(random)); });
      const auto answer = rendered(request, reply)["answers"]["q"];
      double sum = 0;
      double best = -1;
      std::string first_best;
      for (const auto& item : answer["probabilities"].items()) {
        const auto p = item.value().get<double>();
        sum += p;
        if (p > best) {
          best = p;
          first_best = item.key();
        }
      }
      EXPECT_NEAR(sum, 1, 1e-9);
      EXPECT_EQ(answer["choice"], first_best);
    }
  }
}

TEST(RenderReply, ExtensionsStandInsideAnswersBehindThePrefix) {
  const Request request = parsed(with_question(R"({"type":"choice","criteria":{"a":null}})"));
  Reply reply = made_up_reply(request, ones);
  reply.answers[0].readout = Readout::kLabel;
  reply.answers[0].label_mass = 0.75;
  reply.answers[0].lift = 2;
  reply.answers[0].warnings = {"at chance", "low mass"};
  const auto answer = rendered(request, reply)["answers"]["q"];
  EXPECT_EQ(keys_of(answer), (Keys{"type", "choice", "probabilities", "confidence", "x_readout",
                                   "x_label_mass", "x_lift", "x_warning"}));
  EXPECT_EQ(answer["x_readout"], "label");
  EXPECT_EQ(answer["x_label_mass"], 0.75);
  EXPECT_EQ(answer["x_lift"], 2.0);
  EXPECT_EQ(answer["x_warning"], "at chance; low mass");
  RenderOptions bare;
  bare.extension_prefix = "";
  EXPECT_EQ(rendered(request, reply, bare)["answers"]["q"]["warning"], "at chance; low mass");
}

TEST(RenderReply, DecisionsOfACalibrationAreExtensions) {
  const Request request =
      parsed(R"({"state":"x","questions":{"q":{"type":"choice","criteria":{"a":null,"b":null}}}})");
  Reply reply = made_up_reply(request, halves);
  EXPECT_FALSE(rendered(request, reply)["answers"]["q"].contains("x_abstain"));
  reply.answers[0].abstain = 0.25;
  reply.answers[0].accept = false;
  reply.answers[0].prediction_set = {1};
  const auto answer = rendered(request, reply)["answers"]["q"];
  EXPECT_EQ(answer["x_abstain"], 0.25);
  EXPECT_EQ(answer["x_accept"], false);
  EXPECT_EQ(answer["x_set"].dump(), R"(["b"])");
}

TEST(RenderReply, DiagnosticsShowTheArithmeticWhenAsked) {
  const Request request = parsed(
      R"({"state":"x","questions":{"a":{"type":"noul","instructions":"?"},"b":{"type":"noul","instructions":"?"}}})");
  Reply reply = made_up_reply(request, halves);
  reply.diagnostics.prefix_tokens = 5;
  reply.diagnostics.passes = 2;
  reply.diagnostics.evaluate_ms = 1.5;
  reply.answers[1].raw = {-1, -2.5};
  reply.answers[1].baseline = {-0.5, -3};
  reply.answers[1].channel = {-7, std::nan("")};
  reply.answers[1].scores = {0.5, 0.5};
  reply.answers[1].temperature = 2.5;
  EXPECT_FALSE(rendered(request, reply).contains("x_diagnostics"));
  const auto body =
      rendered(request, reply, {.extension_prefix = "x_", .diagnostics = DiagnosticsDetail::kFull});
  const auto& shown = body["x_diagnostics"];
  EXPECT_EQ(shown["prefix_tokens"], 5);
  EXPECT_EQ(shown["passes"], 2);
  EXPECT_EQ(shown["evaluate_ms"], 1.5);
  EXPECT_EQ(shown["questions"].dump(),
            R"({"a":{"raw":[],"baseline":[],"listed":[],"channel":[],"scores":[],"prior":[],)"
            R"("temperature":1.0,"tilt":0.0,"bias":[]},)"
            R"("b":{"raw":[-1.0,-2.5],"baseline":[-0.5,-3.0],"listed":[],"channel":[-7.0,null],)"
            R"("scores":[0.5,0.5],"prior":[],"temperature":2.5,"tilt":0.0,"bias":[]}})");
}

}  // namespace
}  // namespace logit
