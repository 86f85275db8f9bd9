#include "tool/memory/experience.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

class LearnsFrom : public testing::Test {
protected:
  static Attempt attempt(const std::string &id, double overBaseline, double overBest = 0, bool becameBest = false) {
    Attempt attempt{.candidate = {.id = id, .text = "float " + id + ";\n", .origin = "some:model call 1"},
                    .agent = "some:model",
                    .becameBest = becameBest};
    attempt.evaluation.verdict = becameBest ? Verdict::Accepted : Verdict::NotFaster;
    attempt.evaluation.stage = Stage::Benchmark;
    if (overBaseline > 0)
      attempt.evaluation.measurement = measured(overBaseline);
    if (overBest > 0)
      attempt.evaluation.againstIncumbent = measured(overBest);
    return attempt;
  }
  static Measurement measured(double ratio) {
    return {.speedup = {.ratio = ratio, .low = ratio * 0.99, .high = ratio * 1.01, .isInterval = true}};
  }
  std::vector<MemoryItem> round(const Attempt &attempt) {
    experience_.take(attempt);
    return experience_.endRound();
  }

  Experience experience_{{.kernel = "k",
                          .level = "x86-64-v3",
                          .family = "clang",
                          .baseline = "float base;\n",
                          .words = {"float"},
                          .bounds = {"memory"}}};
};

TEST_F(LearnsFrom, WhatIsFasterOrSlowerThanWhatItWasMadeFrom) {
  EXPECT_EQ(round(attempt("c1", 1.039)).size(), 0u);
  EXPECT_EQ(round(attempt("c2", 0.88)).size(), 0u);
  const auto slower = round(attempt("c3", 0.86));
  ASSERT_EQ(slower.size(), 1u);
  EXPECT_FALSE(slower[0].isGain());
  const auto faster = round(attempt("c4", 2, 0, true));
  ASSERT_EQ(faster.size(), 1u);
  EXPECT_EQ(faster[0].before, "float base;\n");
  EXPECT_EQ(faster[0].after, "float c4;\n");
  EXPECT_TRUE(faster[0].speedup.isInterval);
  EXPECT_EQ(faster[0].kernel, "k");
  EXPECT_EQ(whyNoItem(faster[0]), "");
}

TEST_F(LearnsFrom, ASummarizersWordsTakeThePlaceOfOurs) {
  experience_.take(attempt("c1", 2, 0, true));
  experience_.take(attempt("c2", 3, 1.5, true));
  experience_.describe(
      {.candidate = "c1", .parent = "", .title = "halve the\nwork", .what = "one pass", .why = "less"});
  experience_.describe({.candidate = "c2", .parent = "", .title = "", .what = "nothing", .why = ""});
  experience_.describe({.candidate = "c9", .parent = "", .title = "of another", .what = "", .why = ""});
  const auto items = experience_.endRound();
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].title, "halve the work");
  EXPECT_EQ(items[0].change, "one pass");
  EXPECT_EQ(items[0].reason, "less");
  EXPECT_EQ(items[0].id, kindOf(items[0]));
  EXPECT_NE(items[1].title, "") << "ours stay where there are none";
  EXPECT_NE(items[1].change, "nothing");
}

/// A model without a strategy goes on from the best: 2.02x over the baseline is next to nothing then.
TEST_F(LearnsFrom, AModelIsComparedWithTheBestThatItWasMeasuredAgainst) {
  round(attempt("c1", 2, 0, true));
  EXPECT_EQ(round(attempt("c2", 2.02, 1.01)).size(), 0u);
  const auto better = round(attempt("c3", 3, 1.5, true));
  ASSERT_EQ(better.size(), 1u);
  EXPECT_DOUBLE_EQ(better[0].speedup.ratio, 1.5);
  EXPECT_EQ(better[0].before, "float c1;\n");
}

TEST_F(LearnsFrom, ACandidateIsComparedWithItsParent) {
  round(attempt("c1", 2, 0, true));
  round(attempt("c2", 4, 2, true));
  Attempt child = attempt("c3", 0, 0.75);
  child.candidate.parent = "c1";
  child.evaluation.traits = {"compute", "vectors of 32"};
  const auto items = round(child);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_DOUBLE_EQ(items[0].speedup.ratio, 1.5) << "0.75 times the 4x of the best, over the parent's 2x";
  EXPECT_FALSE(items[0].speedup.isInterval) << "nobody measured these two side by side";
  EXPECT_LT(items[0].speedup.low, 1.47);
  EXPECT_EQ(items[0].before, "float c1;\n");
  EXPECT_EQ(items[0].reason, "") << "nothing is known of the parent's loop";
  Attempt grandchild = attempt("c4", 0, 1.2);
  grandchild.candidate.parent = "c3";
  grandchild.evaluation.traits = {"memory", "vectors of 64"};
  EXPECT_EQ(round(grandchild)[0].reason, "its hot loop went from compute, vectors of 32 to memory, vectors of 64");
}

TEST_F(LearnsFrom, OnlyWhatPassedEveryCheckTeaches) {
  Attempt rejected = attempt("c1", 5);
  rejected.evaluation.verdict = Verdict::Rejected;
  rejected.evaluation.stage = Stage::Sanitize;
  Attempt unmeasured = attempt("c2", 0);
  Attempt sameCode = attempt("c3", 5);
  sameCode.evaluation.sameCodeAs = "c9";
  Attempt checkedIn = attempt("c4", 5);
  checkedIn.agent.clear();
  for (const Attempt &other : {rejected, unmeasured, sameCode, checkedIn})
    EXPECT_EQ(round(other).size(), 0u) << other.candidate.id;
}

TEST_F(LearnsFrom, TheBuiltInSearchByItsRecipes) {
  round(attempt("c0", 2, 0, true));
  Attempt move = attempt("c1", 3, 1.5);
  move.candidate.origin = "builtin: strip-mine(j, block=32); unroll(i)";
  const auto items = round(move);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].title, "strip-mine, then unroll");
  EXPECT_EQ(items[0].change, "strip-mine(j, block=32); unroll(i)");
  EXPECT_DOUBLE_EQ(items[0].speedup.ratio, 3) << "recipes begin with the baseline";
}

TEST_F(LearnsFrom, EightOfARoundAtMostTheMostTelling) {
  for (int i = 0; i < 12; ++i)
    experience_.take(attempt("c" + std::to_string(i), i == 7 ? 0.1 : 1.1 + i));
  const auto items = experience_.endRound();
  ASSERT_EQ(items.size(), 8u);
  EXPECT_DOUBLE_EQ(items[0].speedup.ratio, 12.1);
  EXPECT_DOUBLE_EQ(items[1].speedup.ratio, 11.1);
  EXPECT_TRUE(std::ranges::any_of(items, [](const MemoryItem &item) { return !item.isGain(); }));
  EXPECT_EQ(experience_.endRound().size(), 0u);
}

TEST_F(LearnsFrom, HostileTextsOfAModelAreTextAlone) {
  Attempt hostile = attempt("c1", 2);
  hostile.candidate.text = "float \x1b[2J a; // \xff\n" + std::string(9000, 'x');
  experience_.take(hostile);
  experience_.describe({.candidate = "c1",
                        .parent = "",
                        .title = "clear\nthe \x1b[2J screen " + std::string(9000, 'y'),
                        .what = std::string(9000, 'z'),
                        .why = "\x1b[2J"});
  const auto items = experience_.endRound();
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(whyNoItem(items[0]), "");
  EXPECT_THAT(items[0].title, HasSubstr("clear the \\x1b[2J screen"));
  EXPECT_THAT(items[0].after, HasSubstr("\\x1b[2J a;"));
  EXPECT_EQ(memorySource(items[0].after), items[0].after) << "what is kept is read again";
  EXPECT_EQ(memoryLine(items[0].title), items[0].title);
}

} // namespace
} // namespace agentic
