// More options than labels: plan_label.cpp and what reads its groups.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "logit/classifier.h"
#include "pipeline/sample_questions.h"
#include "support/scripted_backend.h"

namespace logit {
namespace {

using testing::ScriptedBackend;

class WideLists : public ::testing::Test {
 protected:
  // 30 options on a model with 20 labels: two groups in each of two orders.
  static Answer ask(bool reverse) {
    auto backend = std::make_unique<ScriptedBackend>(testing::Script{.n_labels = 20});
    ClassifierOptions options;
    options.profile =
        testing::profile_of({Readout::kLabel, FrameKind::kPlain}, backend->info().fingerprint);
    options.readout = Readout::kLabel;
    Question wide = testing::choice("q", {});
    for (int i = 0; i < 30; ++i) wide.options.push_back({"option " + std::to_string(i), {}});
    if (reverse) std::reverse(wide.options.begin(), wide.options.end());
    auto classifier = Classifier::create(std::move(backend), std::move(options));
    EXPECT_TRUE(classifier);
    auto reply = classifier->classify(testing::request("x", {wide}));
    EXPECT_TRUE(reply);
    return reply->answers[0];
  }
};

TEST_F(WideLists, AreReadInGroupsWhateverTheCallersOrder) {
  Answer answer = ask(false);
  ASSERT_EQ(answer.probabilities.size(), 30U);
  EXPECT_NEAR(std::accumulate(answer.probabilities.begin(), answer.probabilities.end(), 0.0), 1,
              1e-9);
  std::vector<double> reversed = ask(true).probabilities;
  std::reverse(reversed.begin(), reversed.end());
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(answer.probabilities[i], reversed[i], 1e-12);
  EXPECT_TRUE(answer.decline_log_odds);
  EXPECT_GT(*answer.label_mass, 0);
  EXPECT_LE(*answer.label_mass, 1);
}

}  // namespace
}  // namespace logit
