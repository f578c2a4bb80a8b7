// Drawing to strings: bars, columns, widths, control characters, progress.
#include "terminal.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/support.h"
#include "progress.h"
#include "text.h"

namespace logit::cli {
namespace {

using testing::environment_of;

TEST(Terminal, BarsFillTheirColumns) {
  EXPECT_EQ(draw_bar(0, 4, Glyphs::kAscii), "    ");
  EXPECT_EQ(draw_bar(1, 4, Glyphs::kAscii), "####");
  EXPECT_EQ(draw_bar(.5, 4, Glyphs::kAscii), "##  ");
  EXPECT_EQ(draw_bar(.5, 1, Glyphs::kUnicode), "\xe2\x96\x8c");
  EXPECT_EQ(draw_bar(1, 2, Glyphs::kUnicode), "\xe2\x96\x88\xe2\x96\x88");
  for (int i = 0; i <= 100; ++i) {
    EXPECT_EQ(display_width(draw_bar(i / 100.0, 13, Glyphs::kUnicode)), 13U) << i;
    EXPECT_EQ(display_width(draw_bar(i / 100.0, 13, Glyphs::kAscii)), 13U) << i;
  }
}

TEST(Terminal, Utf8IsFoundInTheFirstLocaleVariableThatIsSet) {
  EXPECT_TRUE(is_utf8_locale(environment_of({{"LANG", "de_DE.UTF-8"}})));
  EXPECT_TRUE(is_utf8_locale(environment_of({{"LC_ALL", ""}, {"LC_CTYPE", "C.utf8"}})));
  EXPECT_FALSE(is_utf8_locale(environment_of({{"LC_ALL", "C"}, {"LANG", "de_DE.UTF-8"}})));
  EXPECT_FALSE(is_utf8_locale(environment_of({})));
}

TEST(Terminal, AStreamThatIsNoTerminalHasNoColours) {
  const Terminal terminal = inspect_terminal(-1, environment_of({{"COLUMNS", "120"}}));
  EXPECT_FALSE(terminal.is_interactive);
  EXPECT_EQ(terminal.colours, Colours::kOff);
  EXPECT_EQ(terminal.width, 120U);
  EXPECT_EQ(toned("x", Tone::kStrong, terminal), "x");
}

TEST(Terminal, ColoursEndWhereTheyBegan) {
  Terminal terminal;
  terminal.colours = Colours::kOn;
  EXPECT_EQ(toned("x", Tone::kGood, terminal), "\033[32mx\033[0m");
}

TEST(Text, Utf8IsStrict) {
  for (const char* good : {"", "a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\xaf"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
  for (const char* bad : {"\xff", "\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "a\xe2\x82"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

TEST(Text, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("\xc3\xa9"), 1U);
  EXPECT_EQ(display_width("e\xcc\x81"), 1U);
  EXPECT_EQ(display_width("\xec\xa7\x88\xeb\xac\xb8"), 4U);
  EXPECT_EQ(display_width("\xf0\x9f\x8e\xaf"), 2U);
  EXPECT_EQ(padded("\xc3\xa9", 3), "\xc3\xa9  ");
}

TEST(Text, LongTextIsCutAndSaysSo) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("\xec\xa7\x88\xeb\xac\xb8\xec\xa7\x88", 5), "\xec\xa7\x88...");
}

TEST(Text, ControlCharactersBecomeVisible) {
  EXPECT_EQ(printable("a\033[31m\r\n\t"), "a\\x1b[31m\\x0d\\n\\t");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3\xa9"), "\xc3\xa9");
}

TEST(Text, NumbersHaveAPointAndAFixedNumberOfDigits) {
  EXPECT_EQ(fixed(.5, 3), "0.500");
  EXPECT_EQ(fixed(12.3456, 2), "12.35");
  EXPECT_EQ(fixed(7, 0), "7");
}

TEST(Progress, TheLineFitsTheTerminal) {
  Terminal terminal;
  terminal.width = 40;
  const std::string line = draw_progress("rows", 5, 10, terminal);
  EXPECT_LT(display_width(line), 40U);
  EXPECT_NE(line.find("5/10"), std::string::npos);
  EXPECT_NE(draw_progress("rows", 0, 0, terminal).find("0/0"), std::string::npos);
}

}  // namespace
}  // namespace logit::cli
