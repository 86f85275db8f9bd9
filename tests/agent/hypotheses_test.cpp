#include "tool/agent/hypotheses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;

std::string read(std::string_view text) {
  const auto all = readHypotheses(text, "h.md");
  if (!all)
    return all.error().message + "; next: " + all.error().next;
  std::string said;
  for (const Hypothesis &one : *all)
    said += one.what + " | " + one.why + " | " + (one.gain ? std::to_string(*one.gain).substr(0, 3) : "") + " | " +
            one.risk + " | " + one.source + "\n";
  return said;
}

TEST(Hypotheses, WhatIsWrittenIsRead) {
  const std::vector<Hypothesis> all = {{"block for the caches", "less traffic", 2.5, "too small", "sum8"},
                                       {"## - keep sums in registers", "no chain: 4 adds", std::nullopt, "", ""}};
  const std::string text = hypothesesMarkdown("# Hypotheses\n\nWords of a model.\n", all);
  EXPECT_EQ(text,
            "# Hypotheses\n\nWords of a model.\n\n## Hypothesis 1\n\nblock for the caches\n\n- why: less traffic\n"
            "- expected: 2.5 times as fast\n- how it could fail: too small\n- from: sum8\n\n## Hypothesis 2\n\n"
            "keep sums in registers\n\n- why: no chain: 4 adds\n");
  const std::vector<Hypothesis> code = {{"-ffast-math and\t#pragma", "it vectorizes", std::nullopt, "", ""}};
  EXPECT_THAT(hypothesesMarkdown("", code), HasSubstr("\n-ffast-math and\t#pragma\n"));
  EXPECT_EQ(read(text), "block for the caches | less traffic | 2.5 | too small | sum8\n"
                        "keep sums in registers | no chain: 4 adds |  |  | \n");
}

TEST(Hypotheses, APersonMayWriteThemOtherwise) {
  EXPECT_EQ(read("notes\n\n## Hypothesis of mine\nTwo rows at once,\nso that each load serves both:\n- the even ones\n"
                 "- the odd ones\n#pragma omp simd\n\n- expected: about 1.4x, perhaps\n  no more\n- why: half the "
                 "loads\n  of B\n"
                 "## Dropped\n- why: none\n## Hypothesis\r\nanother\r\n- why: w\r\n"),
            "Two rows at once, so that each load serves both: - the even ones - the odd ones #pragma omp simd | half "
            "the loads of B | 1.4 "
            "|  | \nanother | w |  |  | \n");
}

TEST(Hypotheses, ErrorsNameTheLineAndTheNextStep) {
  const std::string one = "## Hypothesis 1\nx\n- why: y\n";
  EXPECT_EQ(read(""), "h.md holds no hypothesis; next: write a section '## Hypothesis 1', what is to be changed, and a "
                      "line '- why: …'");
  EXPECT_THAT(read("# Hypotheses\ntext\n"), HasSubstr("holds no hypothesis"));
  EXPECT_EQ(read(one + "\n## Hypothesis 2\n\n- why: y\n"), "h.md:5: the hypothesis has no words; next: write what is "
                                                           "to be changed, in one or two sentences");
  EXPECT_EQ(read(one + "## Hypothesis 2\nz\n- reason: y\n"),
            "h.md:4: the hypothesis has no reason; next: add a line '- why: …'");
  EXPECT_EQ(read("## Hypothesis 1\nx\n- why: y\n- expected: 40 %\n"),
            "h.md:4: '40 %' is no speedup; next: write how many times as fast, such as 1.4");
  for (const char *gain : {"20-30 %", "30 percent", "1,4", "-0.5", "twice", "0"})
    EXPECT_THAT(read(one + "- expected: " + gain + "\n"), HasSubstr("is no speedup")) << gain;
  for (const char *gain : {"1.4", "1.4x", "about 1.4 times as fast", "1.4, perhaps"})
    EXPECT_EQ(read(one + "- expected: " + gain + "\n"), "x | y | 1.4 |  | \n");
  EXPECT_THAT(read(one + "\xff"), HasSubstr("h.md is no text in UTF-8"));
  EXPECT_THAT(read("## Hypothesis 1\n- -\n- why: y\n"), HasSubstr("has no words"));
  EXPECT_THAT(read("## Hypothesis 1\n" + std::string(1001, 'x') + "\n- why: y\n"),
              HasSubstr("h.md:1: a text of the hypothesis is longer than 1000 bytes"));
  std::string many;
  for (int i = 0; i < 17; ++i)
    many += one;
  EXPECT_THAT(read(many), HasSubstr("h.md:49: this is hypothesis 17, and a run takes 16"));
}

TEST(Hypotheses, TheBestGainIsFirst) {
  EXPECT_THAT(
      bestGainFirst(
          {{"a", "", 1.5, "", ""}, {"b", "", std::nullopt, "", ""}, {"c", "", 3, "", ""}, {"d", "", 1.5, "", ""}}),
      testing::ElementsAre(2, 0, 3, 1));
}

} // namespace
} // namespace agentic
