#include "tool/base/terminal_text.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

TEST(TerminalText, ControlsAreEscaped) {
  EXPECT_EQ(printable("a\x1b[2Jb\x7f\r\n\t"), "a\\x1b[2Jb\\x7f\\x0d\\x0a\\x09");
  EXPECT_EQ(printable("a\n\tb\r", true), "a\n\tb\\x0d");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m"); // CSI in one character
  EXPECT_EQ(printable("\u202eabc\u2066\u200b\ufeff"), "\\u202eabc\\u2066\\u200b\\ufeff");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("grün 日本"), "grün 日本");
}

TEST(TerminalText, BrokenUtf8IsEscaped) {
  EXPECT_EQ(printable("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // half of a surrogate pair
  EXPECT_EQ(printable("x\xe2\x82"), "x\\xe2\\x82");        // cut off
  EXPECT_EQ(printable("\x9b"), "\\x9b");                   // C1 as one byte
}

TEST(TerminalText, AsciiAlone) {
  EXPECT_EQ(printableAscii("grün\n"), "gr\\u00fcn\\x0a");
}

TEST(TerminalText, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(displayColumns("abc"), 3u);
  EXPECT_EQ(displayColumns("日本"), 4u);
  EXPECT_EQ(displayColumns("▁█"), 2u);
  EXPECT_EQ(displayColumns("🚀"), 2u);
}

TEST(TerminalText, WhatIsTooLongEndsWithASign) {
  EXPECT_EQ(fitted("abcd", 4), "abcd");
  EXPECT_EQ(fitted("abcde", 4), "abc~");
  EXPECT_EQ(fitted("日本語", 6), "日本語");
  EXPECT_EQ(fitted("日本語", 5), "日本~");
  EXPECT_EQ(fitted("日本語", 4), "日~");
  EXPECT_EQ(fitted("日本語", 1), "~");
  EXPECT_EQ(fitted("abc", 0), "");
  EXPECT_EQ(fitted("", 3), "");
}

} // namespace
} // namespace agentic
