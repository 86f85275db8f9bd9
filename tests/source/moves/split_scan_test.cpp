#include "tests/source/reduction_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const Freedom kFree{.mayReassociate = true};

std::string verdictOn(const std::string &body, const Freedom &freedom = {}) {
  return verdict("int f(const int *x, const float *a, int *y, float *z, int *w, size_t n) {\n"
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
    constexpr Lanes kNone = {};
    Lanes before = kNone + sum; // the sum so far, in every lane
    for (size_t i0 = 0; i0 < iEnd; i0 += kBlockI) {
      unsigned int sumRun[kBlockI];
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        sumRun[ii] = static_cast<unsigned>(in[i]);
      }
      Lanes part;
      __builtin_memcpy(&part, sumRun, sizeof part);
      part += __builtin_shufflevector(part, kNone, 4, 0, 1, 2);
      part += __builtin_shufflevector(part, kNone, 4, 5, 0, 1);
      const Lanes sums = before + part;
      __builtin_memcpy(sumRun, &sums, sizeof sums);
      before += __builtin_shufflevector(part, part, 3, 3, 3, 3);
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        out[i] = static_cast<int>(sumRun[ii]);
      }
    }
    sum = before[0];
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i) {
      sum += static_cast<unsigned>(in[i]);
      out[i] = static_cast<int>(sum);
    }
  }
}
)");
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
