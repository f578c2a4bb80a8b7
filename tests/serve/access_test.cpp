#include "serve/access.h"

#include <gtest/gtest.h>

#include "serve/support.h"

namespace logit::serve {
namespace {

TEST(HasKey, WithoutKeysAnyHeaderWillDo) {  // case C35
  EXPECT_TRUE(has_key({}, ""));
  EXPECT_TRUE(has_key({}, "Bearer anything"));
}

TEST(HasKey, TakesEachOfTheKeysAndNothingElse) {
  const Access access{Reach::kLoopback, {"first", "second-key"}, {}};
  for (const char* good : {"Bearer first", "bearer second-key", "BEARER  first "}) {
    EXPECT_TRUE(has_key(access, good)) << good;
  }
  for (const char* bad : {"", "first", "Bearer", "Bearer ", "Bearer firs", "Bearer first1",
                          "Bearer First", "Basic first", "Bearer firstsecond-key"}) {
    EXPECT_FALSE(has_key(access, bad)) << bad;
  }
}

TEST(Host, OnlyLoopbackNamesOnALoopbackSocketWithoutAKey) {  // case C32
  const Access open;
  for (const char* good :
       {"localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST", "[::1]", "127.0.0.9"}) {
    EXPECT_TRUE(may_use_host(open, good)) << good;
  }
  for (const char* bad : {"evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
                          "", "127.evil.1.1", "[::2]", "192.168.0.1"}) {
    EXPECT_FALSE(may_use_host(open, bad)) << bad;
  }
}

TEST(Host, AnyNameWithAKeyOrElsewhere) {
  EXPECT_TRUE(may_use_host({Reach::kLoopback, {"key"}, {}}, "llm.example"));
  EXPECT_TRUE(may_use_host({Reach::kNetwork, {}, {}}, "llm.example"));
  EXPECT_TRUE(may_use_host({Reach::kSocket, {}, {}}, "x"));
}

TEST(Origin, OwnPagesAndNoPagesMayCall) {
  EXPECT_EQ(classify_origin({}, head_of("POST", "/")), Origin::kNone);
  EXPECT_EQ(classify_origin({}, head_of("POST", "/", {{"Origin", "http://localhost:8077"}})),
            Origin::kNone);
}

TEST(Origin, OthersOnlyFromTheList) {
  const Access access{Reach::kLoopback, {}, {"https://app.example"}};
  EXPECT_EQ(classify_origin(access, head_of("POST", "/", {{"Origin", "https://APP.example"}})),
            Origin::kAllowed);
  for (const char* foreign :
       {"null", "https://app.example.evil", "http://app.example", "http://localhost:8078", ""}) {
    EXPECT_EQ(classify_origin(access, head_of("POST", "/", {{"Origin", foreign}})),
              Origin::kForeign)
        << foreign;
  }
  EXPECT_EQ(classify_origin({Reach::kLoopback, {}, {"*"}},
                            head_of("POST", "/", {{"Origin", "https://any.example"}})),
            Origin::kAllowed);
}

}  // namespace
}  // namespace logit::serve
