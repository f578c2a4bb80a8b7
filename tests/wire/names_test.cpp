// The stable names, and look-ups on plain values.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "logit/backend.h"
#include "logit/profile.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit {
namespace {

TEST(Names, EveryErrorCodeHasItsOwn) {
  std::set<std::string> names;
  const auto last = static_cast<unsigned>(ErrorCode::kInternal);
  for (unsigned i = 0; i <= last; ++i) names.insert(error_code_name(static_cast<ErrorCode>(i)));
  EXPECT_EQ(names.size(), last + 1);
  EXPECT_STREQ(error_code_name(ErrorCode::kSchema), "schema");
  EXPECT_STREQ(error_code_name(ErrorCode::kLabelBoundary), "label_boundary");
}

TEST(Names, AreThoseOfTheFormat) {
  EXPECT_STREQ(question_type_name(QuestionType::kNoul), "noul");
  EXPECT_STREQ(question_type_name(QuestionType::kChoice), "choice");
  EXPECT_STREQ(question_type_name(QuestionType::kScore), "score");
  EXPECT_STREQ(readout_name(Readout::kAuto), "auto");
  EXPECT_STREQ(readout_name(Readout::kLabel), "label");
  EXPECT_STREQ(readout_name(Readout::kText), "text");
  EXPECT_STREQ(frame_kind_name(FrameKind::kPlain), "plain");
  EXPECT_STREQ(frame_kind_name(FrameKind::kChat), "chat");
}

TEST(CandidateCount, IsTwoForANoulAndTheListsLengthOtherwise) {
  Question question;
  EXPECT_EQ(candidate_count(question), 2u);
  question.type = QuestionType::kChoice;
  question.options.resize(3);
  EXPECT_EQ(candidate_count(question), 3u);
  question.type = QuestionType::kScore;
  question.levels.resize(10);
  EXPECT_EQ(candidate_count(question), 10u);
}

TEST(Profile, OfFindsTheEntryOfAType) {
  Profile profile;
  for (const auto type : {QuestionType::kScore, QuestionType::kNoul, QuestionType::kChoice}) {
    TypeProfile entry;
    entry.type = type;
    profile.types.push_back(entry);
  }
  EXPECT_EQ(profile.of(QuestionType::kNoul).type, QuestionType::kNoul);
  EXPECT_EQ(profile.of(QuestionType::kScore).type, QuestionType::kScore);
}

}  // namespace
}  // namespace logit
