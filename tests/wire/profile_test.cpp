// Profiles to JSON and back; damage is refused.
#include "logit/profile.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace logit {
namespace {

TypeProfile entry_of(QuestionType type) {
  TypeProfile entry;
  entry.type = type;
  entry.best = {Readout::kLabel, FrameKind::kChat};
  entry.chance = 1.0 / 3;
  entry.at_chance = type == QuestionType::kNoul;
  WayResult result;
  result.way = {Readout::kText, FrameKind::kPlain};
  result.n = 24;
  result.n_right = 20;
  result.log_loss = 0.1234567890123456;
  result.label_mass = 1;
  entry.results = {result, result};
  return entry;
}

Profile sample() {
  Profile profile;
  profile.fingerprint = "abc";
  for (const auto type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    profile.types.push_back(entry_of(type));
  }
  profile.notes = {"a \"note\"", ""};
  return profile;
}

TEST(Profile, ReadsBackAsItWasWritten) {
  const std::string json = profile_json(sample());
  EXPECT_EQ(json.substr(0, 33), R"({"version":5,"fingerprint":"abc",)");
  const auto back = parse_profile(json);
  ASSERT_TRUE(back) << back.error().where << back.error().message;
  EXPECT_EQ(profile_json(*back), json);
  EXPECT_EQ(back->of(QuestionType::kChoice).results[1].log_loss, 0.1234567890123456);
  EXPECT_EQ(back->of(QuestionType::kChoice).best, (Way{Readout::kLabel, FrameKind::kChat}));
  EXPECT_TRUE(back->of(QuestionType::kNoul).at_chance);
  EXPECT_EQ(back->notes, sample().notes);
}

TEST(Profile, EveryTornFileIsRefused) {
  const std::string json = profile_json(sample());
  for (std::size_t n = 0; n < json.size(); ++n) {
    const auto profile = parse_profile(json.substr(0, n));
    ASSERT_FALSE(profile) << n;
    EXPECT_EQ(profile.error().code, ErrorCode::kFile);
  }
}

std::string edited(std::string_view from, std::string_view to) {
  std::string json = profile_json(sample());
  const auto at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return json.replace(at, from.size(), to);
}

TEST(Profile, DamageIsRefusedWithItsPlace) {
  const struct {
    const char* from;
    const char* to;
    const char* where;
    const char* part;  // of the message
  } cases[] = {
      {"\"version\":5", "\"version\":6", "version", "newer version"},
      {"\"version\":5", "\"version\":1", "version", "older version"},
      {"\"version\":5", "\"version\":2.0", "version", "whole number"},
      {"\"version\":5,", "", "version", "missing"},
      {"\"abc\"", "null", "fingerprint", "string"},
      {"\"noul\"", "\"box\"", "types[0].type", "unknown name"},
      {"\"noul\"", "\"score\"", "types", "one entry is needed for noul"},
      {"\"label\"", "\"auto\"", "types[0].best.readout", "unknown name"},
      {"\"chat\"", "\"Chat\"", "types[0].best.frame", "unknown name"},
      {"0.3333333333333333", "NaN", "types[0].chance", "invalid JSON"},
      {"0.3333333333333333", "1.5", "types[0].chance", "out of range"},
      {"0.3333333333333333", "\"x\"", "types[0].chance", "number is needed"},
      {"0.1234567890123456", "-1.0", "types[0].results[0].log_loss", "out of range"},
      {"0.1234567890123456", "1e999", "types[0].results[0].log_loss", "range of a double"},
      {"\"n_right\":20", "\"n_right\":25", "types[0].results[0].n_right", "more than n"},
      {"\"n\":24", "\"n\":-1", "types[0].results[0].n", "whole number"},
      {"\"at_chance\":true", "\"at_chance\":1", "types[0].at_chance", "true or false"},
      {"\"notes\":[", "\"notes\":[3,", "notes[0]", "string"},
  };
  for (const auto& each : cases) {
    const auto profile = parse_profile(edited(each.from, each.to));
    ASSERT_FALSE(profile) << each.to;
    EXPECT_EQ(profile.error().code, ErrorCode::kFile);
    EXPECT_EQ(profile.error().where, each.where);
    EXPECT_NE(profile.error().message.find(each.part), std::string::npos)
        << profile.error().message;
  }
}

TEST(Profile, OtherDocumentsAreRefused) {
  for (const char* json : {"", "null", "[]", "{}", "\"x\"", R"({"version":5})"}) {
    EXPECT_FALSE(parse_profile(json)) << json;
  }
}

}  // namespace
}  // namespace logit
