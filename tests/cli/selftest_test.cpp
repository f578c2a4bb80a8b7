// What `selftest` says of engines that keep their promises, and of ones that do not.
#include <gtest/gtest.h>

#include <memory>

#include "pipeline/sample_questions.h"
#include "selftest_checks.h"
#include "support/scripted_backend.h"

namespace logit::cli {
namespace {

using testing::ScriptedBackend;

// An engine whose numbers move a little with something that they must not depend on.
class Moving final : public Backend {
 public:
  using Shift = double (*)(const TokenTree& tree, std::size_t n_calls);
  explicit Moving(Shift shift) : shift_(shift) {}

  const ModelInfo& info() const override { return inner_.info(); }
  std::span<const Frame> frames() const override { return inner_.frames(); }
  Result<Tokens> encode(std::string_view text) const override { return inner_.encode(text); }
  Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                 std::stop_token stop) override {
    Result<EvaluateStats> stats = inner_.evaluate(tree, out, std::move(stop));
    if (!out.empty()) out.back() -= shift_(tree, n_calls_++);
    return stats;
  }

 private:
  ScriptedBackend inner_;
  Shift shift_;
  std::size_t n_calls_ = 0;
};

std::vector<Check> checks_with(std::unique_ptr<Backend> backend) {
  ClassifierOptions options;
  options.profile =
      testing::profile_of({Readout::kText, FrameKind::kPlain}, backend->info().fingerprint);
  Result<Classifier> classifier = Classifier::create(std::move(backend), std::move(options));
  EXPECT_TRUE(classifier);
  return agreement_checks(*classifier, {});
}

TEST(SelfTest, AnEngineThatKeepsItsPromisesPassesEveryCheck) {
  const std::vector<Check> checks = checks_with(std::make_unique<ScriptedBackend>());
  EXPECT_EQ(checks.size(), 6U);
  EXPECT_TRUE(all_passed(checks)) << checks_text(checks, Terminal{});
}

TEST(SelfTest, NumbersThatMoveFromCallToCallAreFound) {
  const std::vector<Check> checks = checks_with(std::make_unique<Moving>(
      [](const TokenTree&, std::size_t n_calls) { return 0.5 * static_cast<double>(n_calls); }));
  EXPECT_FALSE(checks.front().passed);
  EXPECT_NE(checks.front().detail.find("is answered otherwise: up to 0."), std::string::npos)
      << checks.front().detail;
}

TEST(SelfTest, AnswersThatDependOnTheirNeighboursAreFound) {
  const std::vector<Check> checks =
      checks_with(std::make_unique<Moving>([](const TokenTree& tree, std::size_t) {
        return 0.01 * static_cast<double>(tree.nodes.size());
      }));
  EXPECT_FALSE(all_passed(checks));
}

TEST(SelfTest, AFailureIsABrokenCheck) {
  auto backend = std::make_unique<ScriptedBackend>();
  backend->fail_at(0, {ErrorCode::kModelRun, "the engine failed"});
  const std::vector<Check> checks = checks_with(std::move(backend));
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks.front().detail, "the engine failed");
}

TEST(SelfTest, AModelThatGuessesBreaksNoCheck) {
  Profile profile;
  TypeProfile type;
  type.best = {Readout::kText, FrameKind::kPlain};
  type.results = {{type.best, 12, 3, 1, 0}};
  type.at_chance = true;
  profile.types = {type};
  const std::vector<Check> checks = probe_checks(profile);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_TRUE(checks[0].passed);
  EXPECT_EQ(checks[0].detail, "text in the plain frame, 3 of 12 right: no better than guessing");
}

TEST(SelfTest, EndsWithAVerdict) {
  const std::vector<Check> good = {{"a", true, "fine"}};
  const std::vector<Check> bad = {{"a", true, "fine"}, {"b", false, "off\x1b"}};
  EXPECT_EQ(checks_text(good, Terminal{}),
            "ok      a                         fine\n"
            "passed: all 1 checks\n");
  EXPECT_EQ(checks_text(bad, Terminal{}),
            "ok      a                         fine\n"
            "FAILED  b                         off\\x1b\n"
            "failed: 1 of 2 checks\n");
  EXPECT_EQ(compact_json(checks_json("m", bad)),
            R"({"model":"m","passed":false,"checks":[{"check":"a","passed":true,"detail":"fine"},)"
            "{\"check\":\"b\",\"passed\":false,\"detail\":\"off\\u001b\"}]}");
}

}  // namespace
}  // namespace logit::cli
