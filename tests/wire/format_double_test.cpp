// Doubles as replies spell them, in any locale. Case C65.
#include <gtest/gtest.h>

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <locale>
#include <random>
#include <string>

#include "logit/profile.h"
#include "logit/wire.h"

namespace logit {
namespace {

TEST(FormatDouble, AlwaysHasAPoint) {
  const struct {
    double value;
    const char* text;
  } cases[] = {{1, "1.0"},
               {0, "0.0"},
               {-0.0, "-0.0"},
               {0.5, "0.5"},
               {1e-12, "1.0e-12"},
               {1.5e-12, "1.5e-12"},
               {1.0 / 3, "0.3333333333333333"},
               {100000, "1.0e+05"},
               {1e300, "1.0e+300"},
               {5e-324, "5.0e-324"},
               {-2.2250738585072014e-308, "-2.2250738585072014e-308"}};
  for (const auto& each : cases) EXPECT_EQ(format_double(each.value), each.text);
}

double from_bits(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TEST(FormatDouble, ReadsBackAsTheSameValueAndIsJson) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const double value = from_bits(random());
    if (!std::isfinite(value)) continue;
    const std::string text = format_double(value);
    double back = 0;
    const auto end = text.data() + text.size();
    ASSERT_EQ(std::from_chars(text.data(), end, back).ptr, end) << text;
    ASSERT_EQ(back, value) << text;
    ASSERT_NE(text.find('.'), std::string::npos) << text;
    ASSERT_TRUE(parse_content(text)) << text;
  }
}

// Restores the C locale, which is the process's.
class CLocale {
 public:
  explicit CLocale(const char* name) : is_set_(std::setlocale(LC_ALL, name) != nullptr) {}
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;
  ~CLocale() { std::setlocale(LC_ALL, "C"); }
  bool has_comma() const { return is_set_ && *std::localeconv()->decimal_point == ','; }

 private:
  bool is_set_;
};

void expect_points_everywhere() {
  EXPECT_EQ(format_double(2.5), "2.5");
  const auto content = parse_content("[1.50,-0.25e1]");
  ASSERT_TRUE(content);
  EXPECT_EQ(compact_json(*content), "[1.50,-0.25e1]");
  Profile profile;
  for (const auto type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    TypeProfile entry;
    entry.type = type;
    entry.chance = 0.25;
    profile.types.push_back(entry);
  }
  const auto back = parse_profile(profile_json(profile));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->of(QuestionType::kScore).chance, 0.25);
}

TEST(Locale, ADecimalCommaOfTheHostProgramChangesNothing) {
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8"}) {
    const CLocale locale(name);
    if (!locale.has_comma()) continue;
    return expect_points_everywhere();
  }
  GTEST_SKIP() << "no locale with a decimal comma is installed";
}

class CommaPoint : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Locale, ADecimalCommaOfCppStreamsChangesNothing) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new CommaPoint));
  expect_points_everywhere();
  EXPECT_EQ(format_double(1234567), "1234567.0");
  std::locale::global(before);
}

}  // namespace
}  // namespace logit
