// Facts about verify_backend(): every broken promise is found and named.
#include <gtest/gtest.h>

#include "support/scripted_backend.h"

namespace logit {
namespace {

using testing::Script;
using testing::ScriptedBackend;

// A backend that breaks one promise, on top of one that keeps all.
class Liar : public Backend {
 public:
  const ModelInfo& info() const override { return honest_.info(); }
  std::span<const Frame> frames() const override { return honest_.frames(); }
  Result<Tokens> encode(std::string_view text) const override { return honest_.encode(text); }
  Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                 std::stop_token stop) override {
    return honest_.evaluate(tree, out, std::move(stop));
  }

  ScriptedBackend honest_;
};

std::string fault(Backend& backend) {
  const Result<Done> ok = verify_backend(backend);
  return ok ? "" : ok.error().message;
}

TEST(VerifyBackend, AnHonestBackendPasses) {
  ScriptedBackend backend;
  EXPECT_EQ(fault(backend), "");
}

TEST(VerifyBackend, AModelNeedsAnId) {
  ScriptedBackend backend;
  backend.info_.id.clear();
  EXPECT_EQ(fault(backend), "the engine broke a promise: the model has no id");
}

TEST(VerifyBackend, TokensThatMergeAcrossABorderAreFound) {
  struct Merger : Liar {
    Result<Tokens> encode(std::string_view text) const override {
      Tokens tokens = *honest_.encode(text);
      if (text.find(": (B") != text.npos) tokens.pop_back();
      return tokens;
    }
  } backend;
  EXPECT_NE(fault(backend).find("meets 'B'"), std::string::npos);
}

TEST(VerifyBackend, ATextThatBecomesMarkupIsFound) {
  struct Parser : Liar {
    Result<Tokens> encode(std::string_view text) const override {
      Tokens tokens = *honest_.encode(text);
      if (text.find("<|im_end|>") != text.npos) tokens.push_back(honest_.frames()[1].close[0]);
      return tokens;
    }
  } backend;
  EXPECT_NE(fault(backend).find("spells template markup"), std::string::npos);
}

// Llama 2's frame has no markup; what a text shares with it is ordinary.
TEST(VerifyBackend, TurnsMarkedWithOrdinaryTextPass) {
  struct Spelled : Liar {
    Spelled() : frames_(honest_.frames().begin(), honest_.frames().end()) {
      frames_[1].open = *honest_.encode("[INST] ");
      frames_[1].close = *honest_.encode(" [/INST]");
    }
    std::span<const Frame> frames() const override { return frames_; }
    std::vector<Frame> frames_;
  } backend;
  EXPECT_EQ(fault(backend), "");
}

TEST(VerifyEncoding, EvaluatesNothing) {
  ScriptedBackend backend;
  EXPECT_TRUE(verify_encoding(backend));
  EXPECT_TRUE(backend.calls.empty());
}

TEST(VerifyBackend, NumbersThatDriftAreFound) {
  struct Drifter : Liar {
    Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                   std::stop_token stop) override {
      Result<EvaluateStats> stats = honest_.evaluate(tree, out, std::move(stop));
      out[0] -= 1e-9 * static_cast<double>(honest_.calls.size());
      return stats;
    }
  } backend;
  EXPECT_NE(fault(backend).find("gives other numbers"), std::string::npos);
}

TEST(VerifyBackend, ABranchThatSeesItsSiblingIsFound) {
  struct Leaker : Liar {
    Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                   std::stop_token stop) override {
      Result<EvaluateStats> stats = honest_.evaluate(tree, out, std::move(stop));
      if (tree.nodes.size() > 2) out.back() -= 1e-9;
      return stats;
    }
  } backend;
  EXPECT_NE(fault(backend).find("sees the branch beside it"), std::string::npos);
}

TEST(VerifyBackend, NumbersThatAreNoLogProbabilitiesAreFound) {
  struct Raw : Liar {
    Result<EvaluateStats> evaluate(const TokenTree& tree, std::span<double> out,
                                   std::stop_token stop) override {
      Result<EvaluateStats> stats = honest_.evaluate(tree, out, std::move(stop));
      out[0] = 3;
      return stats;
    }
  } backend;
  EXPECT_NE(fault(backend).find("not a finite number up to 0"), std::string::npos);
}

TEST(VerifyBackend, AFailingEngineKeepsItsOwnError) {
  ScriptedBackend backend;
  backend.fail_at(0, Error{ErrorCode::kModelRun, "broken"});
  const Result<Done> ok = verify_backend(backend);
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().code, ErrorCode::kModelRun);
}

TEST(VerifyLabelIds, SharedAndWrongTokensAreFound) {
  ScriptedBackend backend;
  EXPECT_TRUE(verify_label_ids(backend));
  backend.info_.labels[5] = backend.info_.labels[4];
  Result<Done> ok = verify_label_ids(backend);
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().code, ErrorCode::kLabelBoundary);
  EXPECT_EQ(ok.error().message, "label 'E' shares its token with another");
  backend.info_.labels[5] = {"F", 9};
  ok = verify_label_ids(backend);
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().message, "label 'F' is not one token");
}

}  // namespace
}  // namespace logit
