#include "tool/base/hash.h"
#include "tool/model/candidate.h"
#include "tool/model/compile_command.h"
#include "tool/model/evaluation.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

TEST(Names, AreTheWordsOfTheCommandLine) {
  EXPECT_STREQ(familyName(Family::Clang), "clang");
  EXPECT_STREQ(familyName(Family::Gcc), "gcc");
  EXPECT_STREQ(stageName(Stage::Check), "check");
  EXPECT_STREQ(stageName(Stage::Confirm), "confirm");
  EXPECT_STREQ(verdictName(Verdict::NotFaster), "not-faster");
}

TEST(Candidate, TheSameTextIsTheSameCandidate) {
  const Candidate first = makeCandidate("void f() {}", "builtin: unroll", "c0");
  EXPECT_EQ(first.id, "c" + sha256("void f() {}").substr(0, 10));
  EXPECT_EQ(first.id.size(), 11U);
  EXPECT_EQ(first.origin, "builtin: unroll");
  EXPECT_EQ(first.parent, "c0");
  EXPECT_EQ(makeCandidate("void f() {}", "file: x.cpp").id, first.id);
  EXPECT_NE(makeCandidate("void f() { }", "file: x.cpp").id, first.id);
}

} // namespace
} // namespace agentic
