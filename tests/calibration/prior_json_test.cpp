// src/wire/{render,parse}_prior.cpp: the state file of a running prior.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "calibration/made_up.h"
#include "logit/running_prior.h"

namespace logit {
namespace {

PriorFile sample() {
  PriorFile file{"f1", 1, {}, {}};
  made_up::Rows random(1);
  for (int i = 0; i < 40; ++i) {
    file.prior.observe(QuestionType::kChoice, random.scores(12, 2));
    file.prior.observe(QuestionType::kNoul, random.scores(2, 2));
  }
  return file;
}

TEST(PriorJson, EverythingComesBack) {
  const PriorFile before = sample();
  const auto after = parse_prior(prior_json(before));
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->fingerprint, "f1");
  EXPECT_EQ(after->prompts, 1);
  EXPECT_TRUE(after->dropped.empty());
  ASSERT_EQ(after->prior.buckets().size(), 2U);
  for (const auto& [key, bucket] : before.prior.buckets()) {
    const auto& back = after->prior.buckets().at(key);
    EXPECT_EQ(back.count, bucket.count);
    for (std::size_t i = 0; i < bucket.sum.size(); ++i)
      EXPECT_NEAR(back.sum[i], bucket.sum[i], 1e-9);
  }
}

TEST(PriorJson, BucketsThatMakeNoSenseAreDroppedAndTheOthersKept) {
  const auto file = parse_prior(R"({"version":1,"fingerprint":"f","prompts":1,"buckets":{
    "choice:3":{"count":500,"mean":[0.5,0.5]},
    "choice:4":{"count":-1,"mean":[0.25,0.25,0.25,0.25]},
    "choice:2":{"count":true,"mean":[0.5,0.5]},
    "score:5":{"count":1e308,"mean":[0.2,0.2,0.2,0.2,0.2]},
    "choice:)"
                                "\xE2\x91\xA0"
                                R"(":{"count":9,"mean":[1.0]},
    "choice:5":null,
    "choice:6":"x",
    "choice:07":{"count":9,"mean":[]},
    "choice:1":{"count":9,"mean":[1.0]},
    "choice:256":{"count":9,"mean":[]},
    "noul:3":{"count":9,"mean":[0.2,0.3,0.5]},
    "score:11":{"count":9,"mean":[]},
    "box:2":{"count":9,"mean":[0.5,0.5]},
    "score:2":{"count":9,"mean":[0.5,0.6]},
    "score:3":{"count":9,"mean":[1.5,-0.5,0]},
    "score:4":{"count":0,"mean":[0.25,0.25,0.25,0.25]},
    "noul:2":{"count":300,"mean":[0.2,0.8]}}})");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->dropped.size(), 16U);
  EXPECT_EQ(file->dropped[0], "choice:3: its width is not that of its name");
  ASSERT_EQ(file->prior.buckets().size(), 1U);
  const auto& [key, bucket] = *file->prior.buckets().begin();
  EXPECT_EQ(key, (RunningPrior::Key{QuestionType::kNoul, 2}));
  EXPECT_EQ(bucket.count, 300U);
  EXPECT_NEAR(bucket.sum[1], 240, 1e-9);
}

TEST(PriorJson, DamageAndOtherVersionsAreToldApart) {
  const std::string json = prior_json(sample());
  for (std::size_t n = 0; n + 1 < json.size(); n += 11) {
    ASSERT_FALSE(parse_prior(json.substr(0, n))) << n;
    EXPECT_EQ(parse_prior(json.substr(0, n)).error().code, ErrorCode::kFile);
  }
  for (const char* damaged : {"[]", "{}", R"({"version":"1"})", R"({"version":1})"}) {
    EXPECT_EQ(parse_prior(damaged).error().code, ErrorCode::kFile) << damaged;
  }
  const auto newer = parse_prior(R"({"version":2,"whatever":{}})");
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::kConfig);
  EXPECT_NE(newer.error().message.find("newer version"), std::string::npos);
}

}  // namespace
}  // namespace logit
