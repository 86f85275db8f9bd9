#include "tool/base/text.h"

#include "tool/base/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Text, JoinIsSplitsInverse) {
  EXPECT_EQ(join(split("a,,b,", ','), ","), "a,,b,");
  EXPECT_EQ(join({}, ","), "");
}

TEST(Text, Trim) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Text, ReplaceAllDoesNotLookAtItsOwnOutput) {
  EXPECT_EQ(replaceAll("aaa", "a", "aa"), "aaaaaa");
  EXPECT_EQ(replaceAll("abcab", "ab", ""), "c");
  EXPECT_EQ(replaceAll("abc", "", "x"), "abc");
  EXPECT_EQ(replaceAll("abc", "z", "x"), "abc");
}

TEST(Text, SplitCommandLineAsAShellDoes) {
  EXPECT_THAT(splitCommandLine(R"(g++  -DA="b c" -D'X="1"' -I/a\ b -c x.cpp)"),
              ElementsAre("g++", "-DA=b c", "-DX=\"1\"", "-I/a b", "-c", "x.cpp"));
  EXPECT_THAT(splitCommandLine(R"(-DNAME=\"text\" "a\"b\\c\d" '' 'it'\''s')"),
              ElementsAre("-DNAME=\"text\"", R"(a"b\c\d)", "", "it's"));
  EXPECT_THAT(splitCommandLine("a \\\n b\t\n"), ElementsAre("a", "b"));
  EXPECT_THAT(splitCommandLine("'open end"), ElementsAre("open end"));
  EXPECT_THAT(splitCommandLine("tail\\"), ElementsAre("tail\\"));
  EXPECT_THAT(splitCommandLine("  "), ElementsAre());
}

TEST(Text, DidYouMeanSuggestsOnlyWhatIsNear) {
  const std::vector<std::string> commands{"check", "evaluate", "optimize", "status"};
  EXPECT_EQ(didYouMean("chekc", commands), "check");
  EXPECT_EQ(didYouMean("optimise", commands), "optimize");
  EXPECT_EQ(didYouMean("stat", commands), "status");
  EXPECT_EQ(didYouMean("insite", std::vector<std::string>{"init", "insight"}), "insight") << "it begins the same";
  EXPECT_EQ(didYouMean("insi", std::vector<std::string>{"insignificant"}), "");
  EXPECT_EQ(didYouMean("frobnicate", commands), "");
  EXPECT_EQ(didYouMean("x", commands), "");
  EXPECT_EQ(didYouMean("", commands), "");
}

TEST(Text, TheNextStepIsWhatWasMeantOrElseAnother) {
  const std::vector<std::string> known = {"cores", "folder"};
  EXPECT_EQ(meantOr("core", known, "name one"), "did you mean 'cores'?");
  EXPECT_EQ(meantOr("xyz", known, "name one"), "name one");
}

TEST(Text, LineAndColumnAreOneBased) {
  const std::string_view text = "ab\ncd\n";
  const auto place = [&](std::size_t offset) {
    const LineColumn at = lineColumn(text, offset);
    return std::pair(at.line, at.column);
  };
  EXPECT_EQ(place(0), std::pair(1u, 1u));
  EXPECT_EQ(place(2), std::pair(1u, 3u)) << "the line break belongs to its line";
  EXPECT_EQ(place(3), std::pair(2u, 1u));
  EXPECT_EQ(place(4), std::pair(2u, 2u));
  EXPECT_EQ(place(99), std::pair(3u, 1u));
}

TEST(Text, TheFirstLine) {
  EXPECT_EQ(firstLine("one\ntwo\n"), "one");
  EXPECT_EQ(firstLine("one"), "one");
  EXPECT_EQ(firstLine("\ntwo"), "");
}

TEST(Clock, TimestampsAreUtcAndSteadyTimeNeverGoesBack) {
  EXPECT_THAT(utcTimestamp(),
              testing::MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z"));
  const double before = steadySeconds();
  EXPECT_GE(steadySeconds(), before);
}

} // namespace
} // namespace agentic
