#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

std::string asked(const std::string &body) {
  return transformedBy(
      kernelSpec("void f(const float *x, float *y, const unsigned *at, size_t n, int m) {\n" + body + "\n}\n"),
      "prefetch(k, distance=16)");
}
std::string why(const std::string &body) {
  return refusalOf(kernelSpec("void f(float *x, float *y, unsigned *at, size_t n, int m) {\n" + body + "\n}\n"),
                   "prefetch", "k");
}

TEST(Prefetch, WhatIsFoundThroughMemory) {
  const std::string text = asked("for (size_t k = 0; k < n; ++k) y[k] += x[at[k]] + x[at[k]] * x[at[2 * k] + 1];");
  EXPECT_THAT(text, HasSubstr("constexpr size_t kAhead = 16; // iterations of 'k'\n"));
  EXPECT_THAT(text, HasSubstr(R"(  for (size_t k = 0; k < n; ++k) {
    if (n - k > kAhead) {
      __builtin_prefetch(&x[at[k + kAhead]]);
      __builtin_prefetch(&x[at[2 * (k + kAhead)] + 1]);
    }
    y[k] += x[at[k]] + x[at[k]] * x[at[2 * k] + 1];
  }
)"));
}

TEST(Prefetch, InABlock) {
  EXPECT_THAT(asked("float s = 0; for (int k = 0; k < m - 1; ++k) { s += x[at[k]]; } y[0] = s;"),
              HasSubstr("for (int k = 0; k < m - 1; ++k) {\n    if ((m - 1) - k > kAhead) {\n"));
}

TEST(Prefetch, Refusals) {
  EXPECT_EQ(why("for (size_t k = 0; k < n; ++k) y[0] += x[at[k]];"), "offered");
  EXPECT_EQ(why("for (size_t k = 0; k < n; ++k) y[k] += x[k];"), "not mentioned");
  EXPECT_EQ(why("for (size_t k = 0; k < n; ++k) y[k] += y[k] > 0 ? x[at[k]] : 0;"), "not mentioned");
  EXPECT_EQ(why("for (size_t k = 0; k < n; ++k) { y[k] += x[at[k]]; at[k] = 3; }"), "the loop may write 'at[k]'");
  EXPECT_EQ(why("for (size_t k = 0; k < n; ++k) { m += 3; y[k] += x[at[k + m]]; }"), "the loop changes 'm'");
  EXPECT_EQ(why("for (size_t k = 0; k < n; ++k) { unsigned j = k; y[k] += x[at[j]]; }"), "'j' is declared in the loop");
  EXPECT_EQ(why("for (size_t k = 0; k < n; ++k) { y[k] += x[at[k]]; if (y[k] > 3) break; }"), "'break' in the loop");
  EXPECT_EQ(why("for (int k = -3; k < m; ++k) y[k] += x[at[k]];"),
            "the distance to the bound of the loop 'k' may overflow");
  EXPECT_EQ(why("for (size_t k = 0; k < m; ++k) y[k] += x[at[k]];"),
            "the bound of the loop 'k' has another type than its variable");
}

} // namespace
} // namespace agentic
