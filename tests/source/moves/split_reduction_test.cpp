#include "tests/source/reduction_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const Freedom kFree{.mayReassociate = true};

const std::string kSquares = R"(float f(const float *a, size_t n) {
  float sum = 0;
  for (size_t p = 0; p < n; ++p)
    sum += a[p] * a[p];
  return sum;
})";

/// Puts `body` in a loop over floats a and integers d.
std::string kernelWith(const std::string &body, const std::string &header = "for (size_t i = 0; i < n; ++i)") {
  return "float f(const float *a, const int *d, size_t n, int m, float *out) {\n"
         "  float s = 1, t = 2; int k = 3; unsigned u = 4; long w = 5; unsigned char c = 6; bool b = true;\n  " +
         header + " {\n    " + body + "\n  }\n  return s + t + k + u + w + c + b;\n}";
}
std::string verdictOn(const std::string &body, const Freedom &freedom = kFree,
                      const std::string &header = "for (size_t i = 0; i < n; ++i)") {
  return verdict(kernelWith(body, header), "split-reduction", "i", freedom);
}

TEST(SplitReduction, Text) {
  EXPECT_EQ(textOf(kSquares, "split-reduction(p, lanes=32)", kFree),
            R"(// Moves: split-reduction(p, lanes=32).
// Every lane of 'p' has its own copy of 'sum', which the loop does nothing else
// with; the contract permits the other order in which floating-point numbers
// are then combined.
float f(const float *a, size_t n) {
  float sum = 0;
  {
    constexpr size_t kLanesP = 32; // sums side by side
    const size_t pEnd = n - n % kLanesP;
    float sumLane[kLanesP] = {};
    for (size_t p0 = 0; p0 < pEnd; p0 += kLanesP)
      for (size_t pp = 0; pp < kLanesP; ++pp) {
        const size_t p = p0 + pp;
        sumLane[pp] += a[p] * a[p];
      }
    for (size_t pp = 0; pp < kLanesP; pp += 4)
      sum +=
          (sumLane[pp] + sumLane[pp + 1]) + (sumLane[pp + 2] + sumLane[pp + 3]);
    // The rest, when there is no whole block left.
    for (size_t p = pEnd; p < n; ++p)
      sum += a[p] * a[p];
  }
  return sum;
}
)");
}

TEST(SplitReduction, TextOfTheOtherForms) {
  EXPECT_THAT(textOf(kSquares, "split-reduction(p, form=1, lanes=8)", kFree),
              HasSubstr("    for (size_t p0 = 0; p0 < pEnd; p0 += kLanesP) {\n"
                        "      float sumLane[kLanesP];\n"
                        "      for (size_t pp = 0; pp < kLanesP; ++pp) {\n"
                        "        const size_t p = p0 + pp;\n"
                        "        sumLane[pp] = a[p] * a[p];\n"
                        "      }\n"
                        "      for (size_t half = kLanesP / 2; half > 0; half /= 2)\n"
                        "        for (size_t pp = 0; pp < half; ++pp)\n"
                        "          sumLane[pp] += sumLane[pp + half];\n"
                        "      sum += sumLane[0];\n"
                        "    }\n"));
  EXPECT_THAT(textOf(kSquares, "split-reduction(p, form=2, lanes=8)", kFree),
              HasSubstr("    for (size_t p0 = 0; p0 < n; p0 += kLanesP)\n"
                        "      for (size_t pp = 0; pp < kLanesP; ++pp)\n"
                        "        if (p0 + pp < n) {\n"
                        "          const size_t p = p0 + pp;\n"
                        "          sumLane[pp] += a[p] * a[p];\n"
                        "        }\n"));
  EXPECT_THAT(textOf(kSquares, "split-reduction(p, form=1, lanes=6)", kFree), HasSubstr("a power of two"));
  EXPECT_THAT(textOf(kernelWith("k += d[i];", "for (int i = 0; i < m; ++i)"), "split-reduction(i, form=2, lanes=8)"),
              HasSubstr("of type int"));
}

TEST(SplitReduction, NeedsPermissionForFloatingPointOnly) {
  EXPECT_THAT(verdictOn("s += a[i];", {}), HasSubstr("'s' is accumulated in floating point"));
  EXPECT_EQ(verdictOn("s += a[i];"), "offered");
  EXPECT_EQ(verdictOn("s = a[i] < s ? a[i] : s;", {}), "offered");
  EXPECT_THAT(verdictOn("s = a[i] < s ? a[i] : s; out[i] = a[i];", {}), HasSubstr("may end as 0 or as -0"));
  EXPECT_THAT(verdictOn("s = a[i] < s ? a[i] : s; t += a[i];", {}), HasSubstr("'t' is accumulated in floating point"));
  EXPECT_EQ(verdictOn("s = a[i] < s ? a[i] : s; out[i] = a[i];"), "offered");
  EXPECT_EQ(verdictOn("if (d[i] > k) k = d[i]; u += d[i]; w *= d[i]; c ^= d[i];", {}), "offered");
  Freedom special = kFree;
  special.contract.specialValues = true;
  EXPECT_THAT(verdictOn("s = a[i] < s ? a[i] : s; out[i] = a[i];", special), HasSubstr("may end as 0 or as -0"));
  EXPECT_EQ(verdictOn("s += a[i];", special), "offered");
}

TEST(SplitReduction, RunsAgainForTheFirstOfTwoZeros) {
  EXPECT_EQ(textOf("float f(const float *a, size_t n) {\n  float m = a[0];\n  for (size_t i = 0; i < n; ++i)\n"
                   "    if (a[i] > m)\n      m = a[i];\n  return m;\n}\n",
                   "split-reduction(i, lanes=16)"),
            R"(// Moves: split-reduction(i, lanes=16).
// Every lane of 'i' has its own copy of 'm', which the loop does nothing else
// with; the order of a search decides only which of two zeros it finds, so that
// the loop runs again for a 0.
float f(const float *a, size_t n) {
  float m = a[0];
  {
    const float mBefore = m;
    constexpr size_t kLanesI = 16; // sums side by side
    const size_t iEnd = n - n % kLanesI;
    float mLane[kLanesI];
    for (size_t ii = 0; ii < kLanesI; ++ii) {
      mLane[ii] = m;
    }
    for (size_t i0 = 0; i0 < iEnd; i0 += kLanesI)
      for (size_t ii = 0; ii < kLanesI; ++ii) {
        const size_t i = i0 + ii;
        mLane[ii] = a[i] > mLane[ii] ? a[i] : mLane[ii];
      }
    for (size_t ii = 0; ii < kLanesI; ++ii)
      m = mLane[ii] > m ? mLane[ii] : m;
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i)
      if (a[i] > m)
        m = a[i];
    // Which zero is the first one depends on the order.
    if (__builtin_expect(m == 0, 0)) {
      m = mBefore;
      for (size_t i = 0; i < n; ++i)
        if (a[i] > m)
          m = a[i];
    }
  }
  return m;
}
)");
  const std::string two = textOf(kernelWith("s = a[i] < s ? a[i] : s; t = a[i] > t ? a[i] : t; k += d[i];"),
                                 "split-reduction(i, lanes=16)");
  EXPECT_THAT(
      two,
      HasSubstr("if (__builtin_expect(s == 0, 0)) {\n      s = sBefore;\n      t = tBefore;\n      k = kBefore;\n"));
}

TEST(SplitReduction, LeavesNoRestOfWholeBlocks) {
  const auto text = [](const std::string &recipe) {
    return textOf(kernelWith("k += d[i];", "for (size_t i = 0; i < 96; ++i)"), recipe);
  };
  EXPECT_THAT(text("split-reduction(i, lanes=64)"), HasSubstr("// The rest"));
  EXPECT_THAT(text("split-reduction(i, lanes=32)"), testing::Not(HasSubstr("// The rest"))) << "no call has one";
}

TEST(SplitReduction, LoopsThatRunAgainAreLeftAlone) {
  const auto transformer = transformerWith(kernelWith("s = a[i] < s ? a[i] : s;"), {});
  const auto offers = transformer->offers({{"split-reduction", "i", {{"lanes", 16}}}});
  ASSERT_TRUE(offers);
  for (const MoveOffer &offer : *offers)
    EXPECT_FALSE(offer.move == "split-reduction" && offer.target.starts_with("i#")) << offer.target;
}

TEST(SplitReduction, ZerosOfOneSignHaveNoOrder) {
  const auto runsAgain = [](const std::string &update) {
    const std::string text = textOf(kernelWith(update), "split-reduction(i, lanes=16)");
    EXPECT_THAT(text, HasSubstr("Lane[ii]")) << text;
    return text.find("__builtin_expect") != text.npos;
  };
  const auto smallest = [&](const std::string &value) {
    return runsAgain("s = " + value + " < s ? " + value + " : s;");
  };
  EXPECT_FALSE(smallest("__builtin_fabsf(a[i])"));
  EXPECT_FALSE(smallest("(__builtin_fabsf(a[i]) + a[i])"));
  EXPECT_FALSE(runsAgain("const float x = __builtin_fabsf(a[i]); if (x < s) s = x;"));
  for (const char *value : {"a[i]", "-a[i]", "(a[i] + a[i])", "a[i] * a[i]", "(a[i] * a[i] + __builtin_fabsf(a[i]))",
                            "-__builtin_fabsf(a[i])", "(__builtin_fabsf(a[i]) - 1)"})
    EXPECT_TRUE(smallest(value)) << value;
  EXPECT_TRUE(runsAgain("if (__builtin_fabsf(a[i]) <= s) s = __builtin_fabsf(a[i]);")) << "a 0 takes the place of -0";
  EXPECT_TRUE(runsAgain("s = __builtin_fabsf(a[i]) <= s ? __builtin_fabsf(a[i]) : s;"));
  EXPECT_TRUE(runsAgain("s = std::fmax(s, __builtin_fabsf(a[i]));"))
      << "which zero fmax returns is the library's choice";
}

TEST(SplitReduction, AStartBeyondZeroKeepsOtherZerosOut) {
  const auto runsAgain = [](const std::string &start, const std::string &update) {
    const std::string text =
        textOf("float f(const float *a, size_t n) {\n  float m = " + start +
                   ";\n  for (size_t i = 0; i < n; ++i) {\n    " + update + "\n  }\n  return m;\n}",
               "split-reduction(i, lanes=16)");
    EXPECT_THAT(text, HasSubstr("mLane[ii]")) << text;
    return text.find("__builtin_expect") != text.npos;
  };
  const std::string largest = "if (a[i] > m) m = a[i];", smallest = "if (a[i] < m) m = a[i];";
  for (const char *start : {"0", "0.0f", "-0.0f", "2.5f"})
    EXPECT_FALSE(runsAgain(start, largest)) << start;
  for (const char *start : {"0", "-0.0f", "-3"})
    EXPECT_FALSE(runsAgain(start, smallest)) << start;
  EXPECT_TRUE(runsAgain("-3", largest));
  EXPECT_TRUE(runsAgain("3", smallest));
  EXPECT_TRUE(runsAgain("0", "if (a[i] >= m) m = a[i];")) << "the last zero stays";
  EXPECT_TRUE(runsAgain("a[0]", largest));
  EXPECT_TRUE(runsAgain("0; m = a[0]", largest)) << "it is changed elsewhere, too";
}

TEST(SplitReduction, WhatABlockDeclaresCarriesNothing) {
  EXPECT_EQ(verdictOn("if (d[i] > 0) { const float v = a[i] * 2; out[i] = v; } u += d[i];", {}), "offered");
  EXPECT_EQ(verdictOn("if (d[i] > 0) { int v = d[i]; v *= 2; u += v; }", {}), "offered");
}

TEST(SplitReduction, NamesWhatCarriesAValue) {
  const std::string carries = "carries a value from one iteration";
  EXPECT_THAT(verdictOn("s += a[i]; out[i] = s;"), HasSubstr("used for more than to accumulate it"));
  EXPECT_THAT(verdictOn("s = s * a[i] + 1;"), HasSubstr("'s' " + carries));
  EXPECT_THAT(verdictOn("s += a[i]; t = a[i];"), HasSubstr("'t' " + carries));
  EXPECT_THAT(verdictOn("s += a[i]; t -= s;"), HasSubstr("'s' " + carries));
  EXPECT_THAT(verdictOn("s = a[i] - s;"), HasSubstr("'s' " + carries));
  EXPECT_THAT(verdictOn("s += a[i]; s *= 2;"), HasSubstr("'s' is accumulated in two ways"));
  EXPECT_THAT(verdictOn("for (int j = 0; j < k; ++j) ++k;"), HasSubstr("may change"));
  EXPECT_THAT(verdictOn("s += a[i]; if (a[i] < 0) break;"), HasSubstr("'break'"));
  EXPECT_THAT(verdictOn("out[i] = a[i];"), HasSubstr("no scalar is accumulated"));
}

TEST(SplitReduction, RefusesWhatNaNsMakeDependOnTheOrder) {
  // These take a NaN, and the search starts again after it.
  for (const char *body : {"s = s > a[i] ? s : a[i];", "s = a[i] < s ? s : a[i];", "s = s <= a[i] ? s : a[i];"})
    EXPECT_THAT(verdictOn(body), HasSubstr("starts again behind a NaN")) << body;
  for (const char *body : {"s = std::max(a[i], s);", "s = std::min(a[i], s);"})
    EXPECT_THAT(verdictOn(body), HasSubstr("starts again behind a NaN")) << body;
  EXPECT_EQ(verdictOn("s = std::max(s, a[i]);"), "offered");
  EXPECT_EQ(verdictOn("if (a[i] < s) s = a[i];"), "offered");
  EXPECT_EQ(verdictOn("s = std::fmax(s, a[i]);"), "offered");
}

TEST(SplitReduction, CallsThatAreAddedDoNotCombineTheCopies) {
  const std::string text =
      textOf("float f(const float *a, size_t n) {\n  float s = 0;\n  for (size_t i = 0; i < n; ++i)\n"
             "    s += std::fmax(a[i], 2.0f);\n  return s;\n}\n",
             "split-reduction(i, lanes=2)", {.mayReassociate = true});
  EXPECT_THAT(text, HasSubstr("s += sLane[ii];"));
}

TEST(SplitReduction, FunctionsThatOnlyHaveTheNameOfALibrarysCombineNothing) {
  EXPECT_THAT(verdict("static float fmaxf(float a, float b) { return a - b; }\n" + kernelWith("s = fmaxf(s, a[i]);"),
                      "split-reduction", "i", kFree),
              HasSubstr("carries a value"));
}

TEST(SplitReduction, RefusesTypesThatAreCutOnTheWay) {
  EXPECT_THAT(verdictOn("if (w < d[i]) w = d[i]; if (u < d[i]) u = d[i];"), HasSubstr("'u' is compared"));
  EXPECT_THAT(verdictOn("if (k < w) k = w;"), testing::Not("offered"));
  EXPECT_THAT(verdictOn("b += d[i];"), HasSubstr("'b' is a bool"));
  EXPECT_THAT(verdictOn("k += a[i];"), HasSubstr("'k' carries"));
}

TEST(SplitReduction, RefusesBoundsThatMeanSomethingElseInTheLoopsType) {
  const auto with = [](const std::string &header) { return verdictOn("k += d[i];", {}, header); };
  EXPECT_EQ(with("for (int i = 0; i < m; ++i)"), "offered");
  EXPECT_EQ(with("for (int i = -3; i < m; ++i)"), "offered");
  EXPECT_EQ(with("for (int i = 0; i < n; ++i)"), "offered");
  EXPECT_EQ(with("for (unsigned i = m; i < m + 5; ++i)"), "offered");
  EXPECT_THAT(with("for (int i = -3; i < n; ++i)"), HasSubstr("another type")); // -3 < n is false
  EXPECT_THAT(with("for (int i = m; i < 7u; ++i)"), HasSubstr("another type"));
  EXPECT_THAT(with("for (unsigned short i = 0; i < short(m); ++i)"), HasSubstr("another type"));
  EXPECT_THAT(with("for (int i = 0; i < (long)m; ++i)"), HasSubstr("another type"));
  EXPECT_THAT(with("for (size_t i = 0; i < 9; ++i)"), "offered"); // four lanes, not 64
  EXPECT_THAT(with("for (size_t i = 0; i < 3; ++i)"), HasSubstr("only 3 iterations"));
}

TEST(SplitReduction, IsNotOfferedForItsOwnRest) {
  const auto transformer = transformerWith(kSquares, kFree);
  const auto offers = transformer->offers({{"split-reduction", "p", {{"lanes", 16}}}});
  ASSERT_TRUE(offers);
  for (const MoveOffer &offer : *offers)
    EXPECT_FALSE(offer.move == "split-reduction" && offer.target.starts_with("p#")) << offer.target;
}

TEST(SplitReduction, RecipesFromFilesAreChecked) {
  EXPECT_THAT(textOf(kSquares, "split-reduction(p, lanes=32)"), HasSubstr("error: "));
  EXPECT_THAT(textOf(kSquares, "split-reduction(p, lanes=1)", kFree), HasSubstr("'lanes' must be from 2"));
  EXPECT_THAT(textOf(kSquares, "split-reduction(q, lanes=8)", kFree), HasSubstr("there is no loop 'q'"));
}

} // namespace
} // namespace agentic
