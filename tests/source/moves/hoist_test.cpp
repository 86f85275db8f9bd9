#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kRows = R"(void f(const float *values, const unsigned *columns, const unsigned *begin, const float *x,
       float *y, size_t rows) {
  for (size_t r = 0; r < rows; ++r) {
    float sum = 0.0f;
    for (size_t k = begin[r]; k < begin[r + 1]; ++k)
      sum += values[k] * x[columns[k]];
    y[r] = sum;
  }
}
)";

std::string why(const std::string &body, KernelSpec spec = kernelSpec("")) {
  spec.text = "void f(float *a, int *b, int *n, size_t m) {\n" + body + "\n}\n";
  return refusalOf(spec, "hoist", "i");
}

TEST(Hoist, BoundsThatAreReadFromMemory) {
  EXPECT_THAT(transformedBy(kernelSpec(kRows), "hoist(k)"), HasSubstr(R"(    float sum = 0.0f;
    const size_t kBegin = begin[r];
    const size_t kEnd = begin[r + 1];
    for (size_t k = kBegin; k < kEnd; ++k)
      sum += values[k] * x[columns[k]];
)"));
}

TEST(Hoist, TheLoopIsUnderstoodAfterwards) {
  EXPECT_THAT(refusalOf(kernelSpec(kRows), "loop-pragma", "k"), HasSubstr("read memory"));
  EXPECT_THAT(transformedBy(kernelSpec(kRows), "hoist(k); loop-pragma(k, unroll=4)"),
              HasSubstr("#pragma clang loop unroll_count(4)\n    for (size_t k = kBegin;"));
  EXPECT_THAT(transformedBy(kernelSpec(kRows), "hoist(k); hoist(k)"), HasSubstr("its bounds are plain"));
}

TEST(Hoist, BracesWhereTheLoopIsAllOfABody) {
  EXPECT_THAT(
      transformedBy(kernelSpec("void f(float *a, const int *n, size_t m) {\n  for (size_t j = 0; j < m; ++j) // ;\n"
                               "    for (int i = 0; i < *n; ++i)\n      a[i] += j;\n}\n"),
                    "hoist(i)"),
      HasSubstr("{\n    const int iEnd = *n;\n    for (int i = 0; i < iEnd; ++i)"));
}

TEST(Hoist, BoundsThatStandBesideTheVariable) {
  const std::string inner =
      "void f(const float *a, float *b, size_t n, int m) {\n  for (size_t i = 1; i + 1 < n; ++i)\n"
      "    b[i] = a[i - 1] + a[i + 1];\n  for (int j = 0; (j + 2) < (m * 3); ++j)\n    b[j] = 0;\n}\n";
  const std::string text = transformedBy(kernelSpec(inner), "hoist(i); hoist(j); loop-pragma(i, width=8)");
  EXPECT_THAT(text, HasSubstr("  const size_t iEnd = n > 1 ? n - 1 : 0;\n"));
  EXPECT_THAT(text, HasSubstr("  for (size_t i = 1; i < iEnd; ++i)\n"));
  EXPECT_THAT(text,
              HasSubstr("  const int jEnd = ((m * 3)) > 2 ? ((m * 3)) - 2 : 0;\n  for (int j = 0; j < jEnd; ++j)\n"));
  EXPECT_EQ(why("for (size_t i = m; i + 1 < m; ++i) a[i] = 1;"), "'i + 1' in its condition may wrap");
  EXPECT_EQ(why("for (int i = -1; i + 1 < *b; ++i) a[i] = 1;"), "'i + 1' in its condition may wrap");
  EXPECT_EQ(why("for (size_t i = 0; i + 1 < *b; ++i) a[i] = 1;"), "'i + 1' in its condition may wrap");
  EXPECT_EQ(why("for (size_t i = 0; i + 1 < m; i += 2) a[i] = 1;"), "'i + 1' in its condition may wrap");
  EXPECT_EQ(why("for (size_t i = 0; i + 1 < m; ++i) --m;"), "the loop changes 'm'");
  EXPECT_EQ(why("for (short i = 0; i + 1 < 9; ++i) a[i] = 1;"), "not mentioned");
  EXPECT_EQ(why("for (size_t i = 0; i + m < m; ++i) a[i] = 1;"), "not mentioned");
}

TEST(Hoist, ArithmeticLeavesAllLoopsThatDoNotChangeIt) {
  const std::string text = transformedBy(
      kernelSpec("void f(float *a, size_t n, size_t m) {\n  for (size_t z = 0; z < n; ++z)\n"
                 "    for (size_t i = 1; i + 1 < m; ++i)\n      a[z * m + i] = 1;\n"
                 "  while (n-- > 0)\n    for (size_t j = 1; j + 1 < m; ++j)\n      --m, a[j] = 1;\n"
                 "  for (size_t z = 0; z < n; ++z) {\n    for (size_t k = 1; k + 1 < m; ++k)\n      a[k] = 1;\n"
                 "    --m;\n  }\n}\n"),
      "hoist(i); hoist(k)");
  EXPECT_THAT(text, HasSubstr("  const size_t iEnd = m > 1 ? m - 1 : 0;\n  for (size_t z = 0; z < n; ++z)\n"
                              "    for (size_t i = 1; i < iEnd; ++i)\n"));
  EXPECT_THAT(text, HasSubstr("  for (size_t z = 0; z < n; ++z) {\n    const size_t kEnd = m > 1 ? m - 1 : 0;\n"
                              "    for (size_t k = 1; k < kEnd; ++k)\n"));
}

TEST(Hoist, NotWhatTheLoopMayChange) {
  EXPECT_EQ(why("for (int i = 0; i < n[0]; ++i) a[i] = i;"), "offered");
  EXPECT_EQ(why("for (int i = 0; i < n[0]; ++i) n[i] = 1;"), "the loop may write 'n[0]'");
  EXPECT_EQ(why("for (int i = 0; i < n[i]; ++i) a[i] = 1;"), "'i' is declared in the loop");
  EXPECT_EQ(why("for (int i = 0; i < n[m]; ++i) --m;"), "the loop changes 'm'");
  EXPECT_EQ(why("int *p = n; for (int i = 0; i < n[0]; ++i) p[i] = 1;"), "the loop may write 'n[0]'");
  EXPECT_EQ(why("for (int i = 0; i < n[0]; ++i) *b++ = 1;"), "the loop may write 'n[0]'");
  EXPECT_EQ(why("for (int i = 0; i < n[0]; ++i) { g(); }", kernelSpec("", {"void g();"})),
            "the call to 'g' may read or write memory");
  EXPECT_EQ(why("for (int i = 0; i < n[0]; ++i) shared[i] = 1;", kernelSpec("", {"extern int shared[9];"})),
            "the loop may write 'n[0]'");
  EXPECT_EQ(why("for (int i = 0; i < (*n)++; ++i) a[i] = 1;"), "an expression is not understood");
  EXPECT_EQ(why("for (int i = 0; i < n[0]; ++i) { a[i] = 1; if (a[0] > 1) break; }"), "'break' in the loop");
  EXPECT_EQ(why("#pragma clang loop unroll(disable)\nfor (int i = 0; i < n[0]; ++i) a[i] = 1;"),
            "the loop 'i' has a pragma of its own");
  EXPECT_EQ(why("for (int i = 0; i < n[0]; ++i) {\n#if 1\n a[i] = 1;\n#endif\n}"),
            "preprocessor directives stand in the loop 'i'");
  EXPECT_EQ(why("for (int i = n[0]; i < 9; ++i) n[i] = 1;"), "offered"); // the lower bound is read once anyway
}

TEST(Hoist, NotWhereArraysMayOverlap) {
  KernelSpec spec = kernelSpec("");
  spec.contract.mayAlias = {{"b", "n"}};
  EXPECT_EQ(why("for (int i = 0; i < n[0]; ++i) b[i] = 1;", spec), "the loop may write 'n[0]'");
  EXPECT_EQ(why("for (int i = 0; i < n[0]; ++i) a[i] = 1;", spec), "offered");
}

} // namespace
} // namespace agentic
