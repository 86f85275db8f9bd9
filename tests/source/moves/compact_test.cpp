#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kHead = "size_t f(const int *x, const int *y, int *out, int *rest, size_t n, int m) {\n"
                          "  size_t j = 0, k = 0;\n  unsigned char few = 0;\n";

KernelSpec specOf(const std::string &body) {
  return kernelSpec(kHead + body + "\n  return j + k + few;\n}\n");
}
std::string verdictOn(const std::string &body) {
  return refusalOf(specOf("for (size_t i = 0; i < n; ++i) { " + body + " }"), "compact", "i");
}

TEST(Compact, Text) {
  EXPECT_EQ(transformedBy(specOf("  for (size_t i = 0; i < n; ++i)\n    if (x[i] < m)\n      out[j++] = x[i];\n"
                                 "    else\n      rest[k++] = x[i];"),
                          "compact(i, block=64)"),
            R"(// Moves: compact(i, block=64).
// What iterations of 'i' append is collected for a block, without a branch, and
// copied behind the rest: the same elements in the same order, and no other is
// touched.
size_t f(const int *x, const int *y, int *out, int *rest, size_t n, int m) {
  size_t j = 0, k = 0;
  unsigned char few = 0;
  {
    constexpr size_t kBlockI =
        64; // iterations whose elements are copied at once
    const size_t iEnd = n - n % kBlockI;
    for (size_t i0 = 0; i0 < iEnd; i0 += kBlockI) {
      int outBlock[kBlockI];
      int restBlock[kBlockI];
      size_t jFound = 0;
      size_t kFound = 0;
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        const int holds = (x[i] < m) ? 1 : 0;
        outBlock[jFound] = x[i];
        restBlock[kFound] = x[i];
        jFound += static_cast<size_t>(holds);
        kFound += static_cast<size_t>(1 - holds);
      }
      for (size_t k_2 = 0; k_2 < jFound; ++k_2)
        out[j + k_2] = outBlock[k_2];
      for (size_t k_2 = 0; k_2 < kFound; ++k_2)
        rest[k + k_2] = restBlock[k_2];
      j += jFound;
      k += kFound;
    }
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i)
      if (x[i] < m)
        out[j++] = x[i];
      else
        rest[k++] = x[i];
  }
  return j + k + few;
}
)");
}

TEST(Compact, WhatIsAppended) {
  EXPECT_EQ(verdictOn("if (x[i] < m) out[j++] = m;"), "offered");
  EXPECT_EQ(verdictOn("if (x[i] < m && y[i] > 0) { out[j] = x[i]; rest[j] = m; ++j; }"), "offered");
  EXPECT_EQ(verdictOn("if (x[i] < m) { ++j; out[j] = x[i]; rest[j] = m; }"), "offered");
  EXPECT_THAT(
      transformedBy(specOf("for (size_t i = 0; i < n; ++i) if (x[i] < m) out[++j] = x[i];"), "compact(i, block=64)"),
      HasSubstr("out[j + 1 + k_2] = outBlock[k_2];"));
  EXPECT_EQ(verdictOn("const int v = x[i] ^ y[i]; if (v > 0) { out[j] = v & y[i]; j += 1; }"), "offered");
}

TEST(Compact, Refusals) {
  const std::string more = "not mentioned"; // nothing is appended
  EXPECT_EQ(verdictOn("if (x[i] < m) out[i] = x[i];"), more);
  EXPECT_THAT(verdictOn("if (x[i] < m) { out[j++] = x[i]; few = 1; }"), HasSubstr("it does more than append"));
  EXPECT_EQ(verdictOn("if (x[i] < m) out[j++] = x[i]; rest[i] = 1;"), more);
  EXPECT_EQ(verdictOn("if (x[i] < m) out[few++] = x[i];"), more) << "its counter may hold less than a block";
  EXPECT_EQ(verdictOn("if (x[i] < m) out[j] = x[i];"), more) << "it does not step";
  EXPECT_EQ(verdictOn("if (x[i] < m) ++j;"), more);
  EXPECT_THAT(verdictOn("if (x[i] < m) { out[j++] = x[i]; ++j; }"), HasSubstr("more than append"));
  EXPECT_THAT(verdictOn("if (x[i] < m) { ++j; out[j++] = x[i]; }"), HasSubstr("not mentioned"));
  EXPECT_THAT(verdictOn("if (x[i] < m) { ++j; out[j] = x[i]; ++j; }"), HasSubstr("more than append"));
  for (const auto &[body, reason] : std::vector<std::pair<std::string, std::string>>{
           {"if (x[i] < m) out[j++] = y[i];", "'y[i]' would be read in an iteration that does not append it"},
           {"if (x[i] < m && y[i] > 0) out[j++] = y[i];", "'y[i]' would be read"},
           {"if (x[i] < m) out[j++] = x[i] * 3;", "could overflow"},
           {"if (x[i] < m) out[j++] = 100 / x[i];", "could trap"},
           {"if (out[i] < m) out[j++] = m;", "'out[i]' may be what the loop appends to 'out'"},
           {"if (x[j] < m) out[j++] = m;", "'j' is no counter of 'out' alone"},
           {"if (x[i] < m) out[j++] = x[i]; else rest[j++] = x[i];", "is appended to in two places"},
           {"if (x[i] < m) out[j++] = x[i]; else out[k++] = x[i];", "is appended to in two places"}})
    EXPECT_THAT(verdictOn(body), HasSubstr(reason)) << body;
}

} // namespace
} // namespace agentic
