// Facts about labels: an option's text, however long, is not what is read.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "logit/classifier.h"
#include "pipeline/orders.h"
#include "pipeline/prompt.h"
#include "pipeline/sample_questions.h"
#include "support/scripted_backend.h"

namespace logit {
namespace {

using testing::ScriptedBackend;

const char* const kLabels[] = {"A", "B", "C"};

// Probabilities of a model that gives the label of option `best` 0.8 and the others 0.1 each.
std::vector<double> ask(const Question& question, std::size_t best) {
  auto backend = std::make_unique<ScriptedBackend>();
  const pipeline::Order order =
      pipeline::list_orders(pipeline::question_text(question), question.type, 1).front();
  for (std::size_t place = 0; place < order.size(); ++place) {
    backend->say("Answer: (", kLabels[place], order[place] == best ? 0.8 : 0.1);
  }
  ClassifierOptions options;
  options.orders = 1;
  options.abstain = Abstain::kOff;
  options.temperature = 1.0;
  options.profile =
      testing::profile_of({Readout::kLabel, FrameKind::kPlain}, backend->info().fingerprint);
  auto classifier = Classifier::create(std::move(backend), std::move(options));
  EXPECT_TRUE(classifier);
  const auto reply =
      classifier->classify(testing::request("An alloy of iron and carbon.", {question}));
  EXPECT_TRUE(reply) << reply.error().message;
  return reply ? reply->answers.front().probabilities : std::vector<double>();
}

// Case C133: options that share their first tokens, and one that is long.
TEST(LabelReadout, ALongNameIsReadFromOneTokenAsAShortOne) {
  const std::vector<double> named =
      ask(testing::choice(
              "q", {"metal", "metalloid", "organometallic compound with a rather long name"}),
          0);
  const std::vector<double> renamed =
      ask(testing::choice("q", {"a substance that is a metal, and nothing else besides",
                                "metalloid", "organometallic compound with a rather long name"}),
          0);
  ASSERT_EQ(named.size(), 3U);
  ASSERT_EQ(renamed.size(), 3U);
  for (std::size_t i = 0; i < named.size(); ++i) {
    EXPECT_NEAR(named[i], i == 0 ? 0.8 : 0.1, 1e-9);
    EXPECT_NEAR(renamed[i], named[i], 1e-9);
  }
}

}  // namespace
}  // namespace logit
