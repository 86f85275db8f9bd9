#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kHead = "void f(float *a, float *b, const float *c, const float *d, float *e, size_t n) {\n";

KernelSpec specOf(const std::string &body) {
  return kernelSpec(kHead + body + "\n}\n");
}
std::string why(const std::string &body) {
  return refusalOf(specOf("float s = 0;\nfor (size_t i = 1; i < n; ++i) { " + body + " }\ne[0] = s;"), "reorder", "i");
}

TEST(Reorder, StatementsInTheOrderOfTheirElements) {
  EXPECT_EQ(transformedBy(specOf("for (size_t i = 1; i < n; ++i) {\n  // old\n  a[i] = b[i - 1] + c[i]; // first\n"
                                 "  b[i] = b[i + 1] * d[i];\n}"),
                          "reorder(i)"),
            R"(// Moves: reorder(i).
// What passes from one iteration of 'i' to a later one passes downwards;
// statements that changed places touch nothing in common within an iteration.
void f(float *a, float *b, const float *c, const float *d, float *e, size_t n) {
  for (size_t i = 1; i < n; ++i) {
    b[i] = b[i + 1] * d[i];
    // old
    a[i] = b[i - 1] + c[i]; // first
  }
}
)");
  EXPECT_THAT(
      transformedBy(specOf("for (size_t i = 1; i < n; ++i) {\n  a[i] = b[i - 1] + c[i];\n  b[i] = b[i + 1] * d[i];\n}"),
                    "reorder(i); distribute(i, at=1)"),
      HasSubstr("{\n    b[i] = b[i + 1] * d[i];\n  }\n  for (size_t i = 1; i < n; ++i) {\n    a[i] = b[i - 1] + "
                "c[i];\n  }"));
}

TEST(Reorder, ElementsThatALaterIterationWrites) {
  EXPECT_THAT(
      transformedBy(specOf("for (size_t i = 0; i < n; ++i) {\n  a[i] = b[i] * c[i];\n  e[i] = a[i] + a[i + 1];\n}"),
                    "reorder(i)"),
      HasSubstr("    const float aAhead = a[i + 1];\n    a[i] = b[i] * c[i];\n    e[i] = a[i] + aAhead;\n"));
}

TEST(Reorder, WhatStaysAsItIs) {
  EXPECT_EQ(why("a[i] = b[i - 1] + c[i]; b[i] = d[i];"), "offered");
  EXPECT_EQ(why("a[i] = b[i] + c[i]; b[i] = d[i];"), "not mentioned");     // one element in both
  EXPECT_EQ(why("b[i] = d[i]; a[i] = b[i - 1] + c[i];"), "not mentioned"); // downwards already
  EXPECT_EQ(why("a[i] = b[i - 1]; b[i] = a[i - 1];"), "not mentioned");    // in circles
  EXPECT_EQ(why("s += b[i - 1]; b[i] = s;"), "not mentioned");
  EXPECT_EQ(why("a[i] = c[i]; if (d[i] > 2) e[i] = a[i] + a[i + 1];"), "not mentioned"); // not always read
  EXPECT_EQ(why("const float x = c[i]; a[i] = x; e[i] = a[static_cast<size_t>(x)];"), "not mentioned");
}

} // namespace
} // namespace agentic
