#include "tests/source/reduction_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const Freedom kFree{.mayReassociate = true}, kFiniteToo{.mayReassociate = true, .contract = {.isFinite = true}};

std::string verdictOn(const std::string &body, const Freedom &freedom = {}) {
  return verdict("int f(const int *x, const float *a, int *y, float *z, int *w, size_t n, float w1) {\n"
                 "  unsigned s = 0; float t = 0; int k = 0; unsigned char c = 0;\n"
                 "  for (size_t i = 0; i < n; ++i) {" +
                     body + "}\n  return s + t + k + c; }",
                 "split-scan", "i", freedom);
}

TEST(SplitScan, Text) {
  EXPECT_EQ(textOf(R"(void f(const int *in, int *out, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; ++i) {
    sum += static_cast<unsigned>(in[i]);
    out[i] = static_cast<int>(sum);
  }
})",
                   "split-scan(i, block=4)"),
            R"(// Moves: split-scan(i, block=4).
// The running values of 'sum' are computed for a block of 'i' at once, without
// what came before it: sums of integers wrap, and do not depend on their order.
// What is added is read for the whole block before the block is written; the
// loop writes none of it, given that pointer arguments do not overlap.
void f(const int *in, int *out, size_t n) {
  unsigned sum = 0;
  {
    constexpr size_t kBlockI = 4; // running sums side by side
    const size_t iEnd = n - n % kBlockI;
    typedef unsigned int Lanes
        __attribute__((vector_size(kBlockI * sizeof(unsigned int))));
    Lanes sums = {};
    sums[kBlockI - 1] = sum;
    Lanes last = sums, last2 = sums; // of the block before
    for (size_t i0 = 0; i0 < iEnd; i0 += kBlockI) {
      unsigned int sumRun[kBlockI];
#pragma clang loop unroll(disable)
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        sumRun[ii] = static_cast<unsigned>(in[i]);
      }
      Lanes part;
      __builtin_memcpy(&part, sumRun, sizeof part);
      const Lanes part2 =
          part + __builtin_shufflevector(part, last, 7, 0, 1, 2);
      const Lanes part4 =
          part2 + __builtin_shufflevector(part2, last2, 6, 7, 0, 1);
      last = part;
      last2 = part2;
      sums += part4;
      __builtin_memcpy(sumRun, &sums, sizeof sums);
#pragma clang loop unroll(disable)
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        out[i] = static_cast<int>(sumRun[ii]);
      }
    }
    sum = sums[kBlockI - 1];
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i) {
      sum += static_cast<unsigned>(in[i]);
      out[i] = static_cast<int>(sum);
    }
  }
}
)");
}

TEST(SplitScan, TextOfASumThatIsMultiplied) {
  EXPECT_EQ(textOf(R"(void f(const float *in, float *out, size_t n, float w) {
  float s = 0;
  for (size_t i = 0; i < n; ++i) {
    s += w * (in[i] - s);
    out[i] = s;
  }
})",
                   "split-scan(i, block=4)", kFiniteToo),
            R"(// Moves: split-scan(i, block=4).
// The running values of 's' are computed for a block of 'i' at once, without
// what came before it: the contract permits floating-point sums in another
// order. What is added is read for the whole block before the block is written;
// the loop writes none of it, given that pointer arguments do not overlap. 's'
// is multiplied in each iteration, which powers of the factor do; where its
// magnitude is above 1, the loop is as written.
void f(const float *in, float *out, size_t n, float w) {
  float s = 0;
  {
    const float sFactor = 1 - static_cast<float>(w),
                sFactor2 = sFactor * sFactor, sFactor4 = sFactor2 * sFactor2;
    constexpr size_t kBlockI = 4; // running sums side by side
    const size_t iEnd = (n - n % kBlockI) * (sFactor * sFactor <= 1);
    typedef float Lanes __attribute__((vector_size(kBlockI * sizeof(float))));
    Lanes sums = {};
    sums[kBlockI - 1] = s;
    Lanes last = sums, last2 = sums; // of the block before
    for (size_t i0 = 0; i0 < iEnd; i0 += kBlockI) {
      float sRun[kBlockI];
#pragma clang loop unroll(disable)
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        sRun[ii] = w * in[i];
      }
      Lanes part;
      __builtin_memcpy(&part, sRun, sizeof part);
      const Lanes part2 =
          part + sFactor * __builtin_shufflevector(part, last, 7, 0, 1, 2);
      const Lanes part4 =
          part2 + sFactor2 * __builtin_shufflevector(part2, last2, 6, 7, 0, 1);
      last = part;
      last2 = part2;
      sums = sFactor4 * sums + part4;
      __builtin_memcpy(sRun, &sums, sizeof sums);
#pragma clang loop unroll(disable)
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        out[i] = sRun[ii];
      }
    }
    s = sums[kBlockI - 1];
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i) {
      s += w * (in[i] - s);
      out[i] = s;
    }
  }
}
)");
}

TEST(SplitScan, AcceptsSumsThatAreMultiplied) {
  for (const char *body : {"t = 0.5f * t + a[i]; z[i] = t;", "t = a[i] + t * w1; z[i] = t;",
                           "t = t * w1 - a[i] * 2; z[i] = t;", "t = t * (1 - w1) + a[i]; z[i] = t;"})
    EXPECT_EQ(verdictOn(body, kFree), "offered") << body;
  for (const char *body : {"t += w1 * (a[i] - t); z[i] = t;", "t = t + (a[i] - t) * 0.1f; z[i] = t;"}) {
    EXPECT_EQ(verdictOn(body, kFiniteToo), "offered") << body;
    EXPECT_THAT(verdictOn(body, kFree), HasSubstr("AGENTIC_FP(finite) in the contract")) << body;
  }
  EXPECT_EQ(verdictOn("s += 3 * (x[i] - s); y[i] = s;"), "offered");
  for (const char *body : {"s = s * 31 + x[i]; y[i] = s;", "k = (int)((unsigned)k + x[i]); y[i] = k;",
                           "k = (int)((unsigned)k * 5u + (unsigned)x[i]); y[i] = k;"})
    EXPECT_EQ(verdictOn(body), "offered") << body;
}

TEST(SplitScan, RefusesOtherFactors) {
  EXPECT_THAT(verdictOn("t = 0.5f * t + a[i]; z[i] = t;"), HasSubstr("AGENTIC_FP(reassociate)"));
  for (const char *body : {"t = a[i] * t + a[i]; z[i] = t;", "t = (float)i * t + a[i]; z[i] = t;",
                           "t = a[3] * t + 1; z[i] = t;", "s = s * (x[0] / x[1]) + x[i]; y[i] = s;",
                           "s = s * shared + x[i]; y[i] = s;", "k = k * -(int)n + x[i]; y[i] = k;"})
    EXPECT_THAT(verdictOn(body, kFree), HasSubstr("is no plain number that the loop leaves alone")) << body;
  for (const char *body :
       {"t = 0.5 * t + a[i]; z[i] = t;", "t = a[i] - w1 * t; z[i] = t;", "t = t * t + a[i]; z[i] = t;",
        "t = w1 * t + t; z[i] = t;", "t = w1 * t * a[i]; z[i] = t;", "t += w1 * (t - a[i]); z[i] = t;",
        "k = (int)((unsigned char)k + x[i]); y[i] = k;", "t += t * (a[i] - t); z[i] = t;"})
    EXPECT_THAT(verdictOn(body, kFree), HasSubstr("not just added to")) << body;
}

TEST(SplitScan, AcceptsRunningSums) {
  for (const char *body : {"s += x[i]; y[i] = s;", "k += x[i]; y[i] = k;", "k -= 2; y[n - i] = k + x[i];",
                           "y[i] = y[i]; "}) // the last one only shows that the loop is looked at
    EXPECT_EQ(verdictOn(body) == "offered",
              std::string(body).find("+=") != std::string::npos || std::string(body).find("-=") != std::string::npos)
        << body << ": " << verdictOn(body);
  EXPECT_EQ(verdictOn("const int v = x[i] * 3; k += v; y[i] = k - v; if (k > 5) w[i] = v;"), "offered");
  EXPECT_EQ(verdictOn("s += y[i]; y[i] = s;"), "offered"); // in place
  EXPECT_EQ(verdictOn("t += a[i]; z[i] = t * 2;", kFree), "offered");
}

TEST(SplitScan, RefusesTheRest) {
  EXPECT_THAT(verdictOn("t += a[i]; z[i] = t;"), HasSubstr("AGENTIC_FP(reassociate)"));
  Freedom special = kFree;
  special.contract.specialValues = true;
  EXPECT_THAT(verdictOn("t += a[i]; z[i] = t;", special), HasSubstr("depends on the order"));
  EXPECT_THAT(verdictOn("s += x[i];"), HasSubstr("running values of 's' are not used"));
  EXPECT_THAT(verdictOn("y[i] = s; s += x[i];"), HasSubstr("not just added to before it is used"));
  EXPECT_THAT(verdictOn("s *= x[i]; y[i] = s;"), HasSubstr("not just added to"));
  EXPECT_THAT(verdictOn("s += x[i] ^ s; y[i] = s;"), HasSubstr("not just added to"));
  EXPECT_THAT(verdictOn("s += x[i]; k ^= s; y[i] = k;"), HasSubstr("more than one scalar"));
  EXPECT_THAT(verdictOn("s += x[i]; if (s > 9) s = 0; y[i] = s;"), HasSubstr("changed twice"));
  EXPECT_THAT(verdictOn("if (x[i] > 0) s += x[i]; y[i] = s;"), HasSubstr("not just added to"));
  EXPECT_THAT(verdictOn("s += y[i]; y[i + 1] = s;"), HasSubstr("may be an element that another iteration writes"));
  EXPECT_THAT(verdictOn("s += y[i + 1]; y[i] = s;"), HasSubstr("may be an element that another iteration writes"));
  EXPECT_THAT(verdictOn("s += y[x[i]]; y[x[i]] = s;"), HasSubstr("may be an element that another iteration writes"));
  EXPECT_THAT(verdictOn("s += y[i - i % 4]; y[i - i % 4] = s;"), HasSubstr("another iteration writes"));
  EXPECT_EQ(verdictOn("s += y[i + n / 2]; y[i + n / 2] = s;"), "offered");
  EXPECT_THAT(verdictOn("s += y[3]; y[3] = s;"), HasSubstr("may be an element that another iteration writes"));
  EXPECT_THAT(verdictOn("w[i] = 1; s += x[i]; y[i] = s;"), HasSubstr("something else happens before"));
  EXPECT_THAT(verdictOn("int v = x[i]; s += v; v = 2; y[i] = s + v;"), HasSubstr("is changed afterwards"));
  EXPECT_THAT(verdictOn("c += x[i]; y[i] = c;"), HasSubstr("'c' is a unsigned char"));
  EXPECT_THAT(verdictOn("s += x[i]; y[i] = s; if (s > 100) break;"), HasSubstr("'break'"));
  EXPECT_THAT(verdictOn("s += SQUARE(x[i]); y[i] = s;"), "offered");
  EXPECT_THAT(verdictOn("s += x[i] + shared; y[i] = s;"), HasSubstr("uses the global 'shared'"));
  Freedom overlapping;
  overlapping.contract.mayAlias.push_back({"x", "y"});
  EXPECT_THAT(verdictOn("s += x[i]; y[i] = s;", overlapping), HasSubstr("may be an element that another"));
}

TEST(SplitScan, RecipesFromFilesAreChecked) {
  const std::string kernel = "void f(const int *x, int *y, int n) { int s = 0; for (int i = 0; i < n; ++i) { s += x[i];"
                             " y[i] = s; } }";
  EXPECT_THAT(textOf(kernel, "split-scan(i, block=12)"), HasSubstr("a power of two"));
  EXPECT_THAT(textOf(kernel, "split-scan(i, block=128)"), HasSubstr("'block' must be"));
  EXPECT_THAT(textOf(kernel, "split-scan(i, block=8)"), testing::Not(HasSubstr("error")));
}

} // namespace
} // namespace agentic
