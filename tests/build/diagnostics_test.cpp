#include "tool/build/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const char *const kClang = "In file included from /w/unit.cpp:1:\n"
                           "/w/unit.cpp:12:5: warning: unused variable 'x' [-Wunused-variable]\n"
                           "   12 |     int x;\n"
                           "      |         ^\n"
                           "/w/unit.cpp:20:3: error: use of undeclared identifier 'foo'\n"
                           "   20 |   foo(secret);\n"
                           "      |   ^\n"
                           "/usr/include/c++/12/bits/stl.h:99:1: note: candidate template ignored\n"
                           "   99 |   template <class T> void header_text();\n"
                           "1 warning and 1 error generated.\n";

TEST(Diagnostics, ErrorsComeFirstWithTheCandidatesNameAndText) {
  const std::string out = filterDiagnostics(kClang, "/w/unit.cpp", "fast.cpp");
  EXPECT_THAT(out, StartsWith("fast.cpp:20:3: error: use of undeclared identifier 'foo'\n      foo(secret);\n"));
  EXPECT_THAT(out, HasSubstr("fast.cpp:12:5: warning: unused variable 'x'"));
  EXPECT_THAT(out, HasSubstr("stl.h: note: candidate template ignored"));
  EXPECT_THAT(out, Not(HasSubstr("header_text")));
  EXPECT_THAT(out, Not(HasSubstr("/w/")));
  EXPECT_THAT(out, Not(HasSubstr("generated")));
}

TEST(Diagnostics, PositionsAreMappedAndForeignTextIsNotShown) {
  const PositionMap map = [](unsigned line, unsigned column) {
    return line == 12 ? LineColumn{2, column} : LineColumn{0, 0};
  };
  const std::string out = filterDiagnostics(kClang, "/w/unit.cpp", "fast.cpp", map);
  EXPECT_THAT(out, HasSubstr("fast.cpp:2:5: warning"));
  EXPECT_THAT(out, HasSubstr("fast.cpp: error: use of undeclared"));
  EXPECT_THAT(out, Not(HasSubstr("secret")));
}

TEST(Diagnostics, UnderstandsDriverErrorsAndLinesWithoutColumn) {
  const std::string out = filterDiagnostics("g++: fatal error: Killed signal terminated program cc1plus\n"
                                            "/w/unit.cpp:7: error: unterminated #if\n",
                                            "/w/unit.cpp", "c");
  EXPECT_EQ(out, "g++: fatal error: Killed signal terminated program cc1plus\nc:7: error: unterminated #if\n");
}

TEST(Diagnostics, UnusualOutputIsBetterThanNone) {
  EXPECT_EQ(filterDiagnostics("\ncc1plus: out of memory allocating 65536 bytes in /w/unit.cpp\n", "/w/unit.cpp", "c"),
            "cc1plus: out of memory allocating 65536 bytes in c");
  EXPECT_EQ(filterDiagnostics("", "/w/unit.cpp", "c"), "");
}

TEST(Diagnostics, FitIntoFourKibibytes) {
  std::string flood;
  for (int i = 1; i < 500; ++i)
    flood += "/w/unit.cpp:" + std::to_string(i) + ":1: error: number " + std::to_string(i) + "\n";
  const std::string out = filterDiagnostics(flood, "/w/unit.cpp", "c");
  EXPECT_LE(out.size(), 4096u);
  EXPECT_THAT(out, HasSubstr("more diagnostics)"));
  EXPECT_LE(filterDiagnostics("/w/unit.cpp:1:1: error: " + std::string(9000, 'x'), "/w/unit.cpp", "c").size(), 4096u);
}

} // namespace
} // namespace agentic
