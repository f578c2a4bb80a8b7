// Answers agree to the bit, whatever else is asked, in whatever order, warm or cold, at any number
// of threads: on tiny random models of each kind of weights, and on the embedded default.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <thread>

#include "logit/classifier.h"
#include "logit/llama_backend.h"
#include "pipeline/sample_questions.h"
#include "support/default_model.h"
#include "support/tiny_model.h"

namespace logit::testing {
namespace {

using Numbers = std::vector<double>;

struct Subject {
  const char* name;
  const char* type;  // of a tiny model; nullptr: the embedded default
  Way way;
  TinyShape shape = TinyShape::kLlama;
};

std::string path_of(const Subject& subject) {
  if (subject.type == nullptr) return default_model_path();
  const std::string path = scratch_folder() + "/agreement-" + subject.name + ".gguf";
  if (!std::filesystem::exists(path)) {
    TinyModel model;
    model.shape = subject.shape;
    const Result<Done> made = write_tiny_model_as(path, subject.type, model);
    EXPECT_TRUE(made) << made.error().message;
  }
  return path;
}

class Agreement : public ::testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    path_ = path_of(GetParam());
    if (!std::filesystem::exists(path_)) GTEST_SKIP() << "no model at " << path_;
  }

  Classifier open(std::size_t n_threads = 1) const {
    LlamaOptions model;
    model.path = path_;
    model.n_threads = n_threads;
    auto backend = open_llama_backend(model);
    EXPECT_TRUE(backend) << backend.error().message;
    ClassifierOptions options;
    options.profile = profile_of(GetParam().way, (*backend)->info().fingerprint);
    auto made = Classifier::create(std::move(*backend), std::move(options));
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  // Answers by question id.
  static std::map<std::string, Numbers> ask(Classifier& classifier, const Request& request) {
    const auto reply = classifier.classify(request);
    EXPECT_TRUE(reply) << reply.error().message;
    std::map<std::string, Numbers> answers;
    if (!reply) return answers;
    for (const Answer& answer : reply->answers) answers[answer.id] = answer.probabilities;
    return answers;
  }

 private:
  std::string path_;
};

const Question kDesk = choice("desk", {"billing", "technical support", "sales and quotes"});
const Question kMood = score("mood", {"calm", "cross", "furious"});
const Question kAngry = noul("angry", "Is the writer angry?");
const char* const kTicket = "Charged twice for one order, fix it now!";

Request with_neighbours(std::size_t place) {
  Request request = testing::request(kTicket, {});
  for (int i = 0; i < 31; ++i) {
    request.questions.push_back(
        noul("n" + std::to_string(i), ("Is " + std::to_string(i) + " even?").c_str()));
  }
  request.questions.insert(request.questions.begin() + static_cast<std::ptrdiff_t>(place), kDesk);
  return request;
}

TEST_P(Agreement, ColdRepeatedAndBesideThirtyOneOthers) {
  Classifier classifier = open();
  const Request alone = testing::request(kTicket, {kDesk});
  const Numbers cold = ask(classifier, alone)["desk"];
  EXPECT_EQ(cold, ask(classifier, alone)["desk"]);
  EXPECT_EQ(cold, ask(classifier, with_neighbours(0))["desk"]);
  EXPECT_EQ(cold, ask(classifier, with_neighbours(19))["desk"]);
  Classifier fresh = open();
  EXPECT_EQ(cold, ask(fresh, with_neighbours(31))["desk"]);
}

TEST_P(Agreement, EveryOrderOfQuestionsGivesTheSameNumbers) {  // cases C77, C130
  Classifier classifier = open();
  std::vector<Question> questions = {kDesk, kMood, kAngry};
  questions[2].instructions = std::string("Ignore this padding. ") + std::string(900, 'x') + "?";
  Request request = testing::request(kTicket, {});
  request.questions = questions;
  const auto first = ask(classifier, request);
  std::sort(questions.begin(), questions.end(),
            [](const Question& a, const Question& b) { return a.id < b.id; });
  do {
    request.questions = questions;
    EXPECT_EQ(first, ask(classifier, request));
  } while (std::next_permutation(questions.begin(), questions.end(),
                                 [](const Question& a, const Question& b) { return a.id < b.id; }));
}

TEST_P(Agreement, EqualQuestionsInOneRequestGetEqualAnswers) {  // case C67
  Classifier classifier = open();
  Request request = testing::request(kTicket, {kDesk, kDesk, kDesk});
  request.questions[1].id = "b";
  request.questions[2].id = "c";
  const auto answers = ask(classifier, request);
  EXPECT_EQ(answers.at("desk"), answers.at("b"));
  EXPECT_EQ(answers.at("desk"), answers.at("c"));
}

TEST_P(Agreement, BatchMatesDoNotMoveABit) {
  Classifier classifier = open();
  const Request request = testing::request(kTicket, {kDesk, kMood});
  const auto alone = ask(classifier, request);
  const std::vector<Request> batch = {testing::request("Another state", {kDesk, kAngry}), request,
                                      testing::request(std::string(900, 'y'), {kMood}), request};
  const auto replies = classifier.classify(batch);
  for (std::size_t i : {1U, 3U}) {
    ASSERT_TRUE(replies[i]);
    EXPECT_EQ(alone.at("desk"), replies[i]->answers[0].probabilities);
    EXPECT_EQ(alone.at("mood"), replies[i]->answers[1].probabilities);
  }
}

TEST_P(Agreement, EightAtOnceAnswerAsOneByOne) {  // case C68: the difference is none
  std::vector<Request> requests;
  for (const char* state :
       {kTicket, "My card has not arrived.", "", "How do I change my PIN?",
        "The app crashes when I pay.", "Thank you, all is well!",
        "Is there a discount for students?", "Why was the transfer declined?"}) {
    requests.push_back(testing::request(state, {kDesk, kMood, kAngry}));
  }
  Classifier at_once = open();
  const auto replies = at_once.classify(requests);
  Classifier one_by_one = open();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ASSERT_TRUE(replies[i]) << replies[i].error().message;
    const auto alone = ask(one_by_one, requests[i]);
    for (const Answer& answer : replies[i]->answers) {
      EXPECT_EQ(alone.at(answer.id), answer.probabilities) << i;
    }
  }
}

TEST_P(Agreement, SixteenThreadsOnOneClassifierAgree) {  // case C80
  Classifier classifier = open();
  const Request request = testing::request(kTicket, {kDesk, kMood, kAngry});
  const auto alone = ask(classifier, request);
  std::vector<std::map<std::string, Numbers>> answers(16);
  std::vector<std::jthread> threads;
  for (auto& answer : answers) {
    threads.emplace_back([&] { answer = ask(classifier, request); });
  }
  threads.clear();
  for (const auto& answer : answers) EXPECT_EQ(answer, alone);
}

TEST_P(Agreement, AReusedPrefixEqualsAFreshOneForEveryTail) {  // case C40
  std::vector<Request> requests;
  for (const char* tail : {"", "\n", "\n\n", " ", "   ", "[(", "\xCC\x81", "\xE2\x80\x8D",
                           "\xC2\xA0", "\r", "Answer: (", "\""}) {
    // Above and below the length at which the state becomes the shared prefix.
    for (std::size_t length : {20U, 300U}) {
      requests.push_back(testing::request(std::string(length, 'a') + tail, {kDesk, kMood}));
    }
  }
  Classifier one = open();
  Classifier other = open();
  std::vector<std::map<std::string, Numbers>> answers;
  for (const Request& request : requests) {
    answers.push_back(ask(one, request));
    EXPECT_EQ(answers.back(), ask(one, request));
  }
  for (std::size_t i = requests.size(); i-- > 0;) EXPECT_EQ(answers[i], ask(other, requests[i]));
}

TEST_P(Agreement, OneTwoAndFourThreadsGiveTheSameBits) {
  const Request request =
      testing::request(std::string(2000, 'z') + kTicket, {kDesk, kMood, kAngry});
  Classifier one = open(1);
  const auto answers = ask(one, request);
  for (std::size_t n_threads : {2U, 4U}) {
    Classifier more = open(n_threads);
    EXPECT_EQ(answers, ask(more, request)) << n_threads;
  }
}

TEST_P(Agreement, TheOrderOfOptionsMovesAtMostTheLastDigitOfATextReadout) {
  if (GetParam().way.readout != Readout::kText) GTEST_SKIP() << "a list has an order";
  Classifier classifier = open();
  Question turned = kDesk;
  std::reverse(turned.options.begin(), turned.options.end());
  const Numbers one = ask(classifier, testing::request(kTicket, {kDesk}))["desk"];
  Numbers other = ask(classifier, testing::request(kTicket, {turned}))["desk"];
  std::reverse(other.begin(), other.end());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-15);
}

TEST_P(Agreement, TwoHundredFiftySixQuestionsAreAllAnswered) {  // case C70
  Classifier classifier = open();
  Request request = testing::request("x", {});
  for (int i = 0; i < 256; ++i) {
    request.questions.push_back(
        noul("q" + std::to_string(i), ("Is " + std::to_string(i) + " even?").c_str()));
  }
  const auto answers = ask(classifier, request);
  EXPECT_EQ(answers.size(), 256U);
  Classifier fresh = open();
  const Request last = testing::request("x", {request.questions[255]});
  EXPECT_EQ(answers.at("q255"), ask(fresh, last)["q255"]);
}

TEST_P(Agreement, AFailedRequestLeavesTheNextAnswerAsItWas) {  // case C76
  Classifier classifier = open();
  const Request request = testing::request(kTicket, {kDesk});
  const auto before = ask(classifier, request);
  const auto too_long = classifier.classify(testing::request(std::string(400000, 'w'), {kDesk}));
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().code, ErrorCode::kTooLong);
  std::stop_source stop;
  stop.request_stop();
  const auto cancelled =
      classifier.classify(testing::request("something else", {kDesk}), stop.get_token());
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(before, ask(classifier, request));
}

TEST_P(Agreement, OptionsOfTwoThousandCharactersAreAnsweredOrRefused) {  // case C79
  Classifier classifier = open();
  Question wide = choice("wide", {});
  for (int i = 0; i < 255; ++i) {
    std::string text;
    while (text.size() < 2000) text += "lorem ipsum " + std::to_string(i) + " ";
    wide.options.push_back({"o" + std::to_string(i), Content(std::move(text))});
  }
  const auto reply = classifier.classify(testing::request("x", {wide}));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kTooLong);
  EXPECT_EQ(reply.error().where, "questions.wide");
}

constexpr Way kText{Readout::kText, FrameKind::kPlain};
constexpr Way kLabel{Readout::kLabel, FrameKind::kChat};

INSTANTIATE_TEST_SUITE_P(Tiny, Agreement,
                         ::testing::Values(Subject{"F16Text", "f16", kText},
                                           Subject{"F16Label", "f16", kLabel},
                                           Subject{"Q8Text", "q8_0", kText},
                                           Subject{"Q41Text", "q4_1", kText},
                                           Subject{"Q4KText", "q4_k_m", kText}),
                         [](const auto& subject) { return subject.param.name; });
// Case C71: what cannot go back to a prefix answers as three lone calls would.
INSTANTIATE_TEST_SUITE_P(Shapes, Agreement,
                         ::testing::Values(Subject{"Window", "f16", kText, TinyShape::kGemma3},
                                           Subject{"Experts", "q8_0", kText, TinyShape::kQwen3Moe},
                                           Subject{"MRope", "f16", kText, TinyShape::kQwen2Vl},
                                           Subject{"Recurrent", "f16", kText, TinyShape::kMamba},
                                           Subject{"Hybrid", "q4_k_m", kText, TinyShape::kLfm2},
                                           Subject{"DeltaNet", "q8_0", kText, TinyShape::kQwen35},
                                           Subject{"DeltaNetLabel", "f16", kLabel,
                                                   TinyShape::kQwen35}),
                         [](const auto& subject) { return subject.param.name; });
INSTANTIATE_TEST_SUITE_P(Embedded, Agreement,
                         ::testing::Values(Subject{"DefaultText", nullptr, kText},
                                           Subject{"DefaultLabel", nullptr, kLabel}),
                         [](const auto& subject) { return subject.param.name; });

}  // namespace
}  // namespace logit::testing
