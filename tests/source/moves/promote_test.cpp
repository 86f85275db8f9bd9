#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string promoted(const std::string &text) {
  return transformedBy(kernelSpec(text), "promote(p)");
}

/// Returns why the loop over p in `body` is left alone.
std::string why(const std::string &body, KernelSpec spec = kernelSpec("")) {
  spec.text = "void f(float *c, const float *a, int *n, size_t m, size_t i) {\n" + body + "\n}\n";
  return refusalOf(spec, "promote", "p");
}

TEST(Promote, AnElementThatTheLoopUpdates) {
  EXPECT_THAT(promoted("void f(const float *A, float *C, size_t M, size_t K) {\n  for (size_t i = 0; i < M; ++i) {\n"
                       "    for (size_t p = 0; p < K; ++p)\n      C[i] += A[i * K + p];\n  }\n}\n"),
              HasSubstr(R"(    if (0 < K) {
      float c = C[i];
      for (size_t p = 0; p < K; ++p)
        c += A[i * K + p];
      C[i] = c;
    }
)"));
}

TEST(Promote, EveryUseAndEveryElement) {
  const std::string text =
      promoted("void f(const int *a, short *sums, size_t n) {\n  for (size_t p = 0; p < 8; ++p) {\n"
               "    sums[n] += a[p];\n    sums[n + 1] = sums[n] > 3 ? a[p] : sums[n + 1];\n    if (a[p])\n"
               "      sums[n] = 1;\n  }\n}\n");
  EXPECT_THAT(text, HasSubstr("  short sumsValue = sums[n];\n  short sumsValue_2 = sums[n + 1];\n  for ("));
  EXPECT_THAT(text, HasSubstr("sumsValue += a[p];\n    sumsValue_2 = sumsValue > 3 ? a[p] : sumsValue_2;"));
  EXPECT_THAT(text, HasSubstr("      sumsValue = 1;\n  }\n  sums[n] = sumsValue;\n  sums[n + 1] = sumsValue_2;\n"));
}

TEST(Promote, AsksWhetherTheLoopRunsAsTheLoopDoes) {
  const auto guard = [](const std::string &header) {
    return promoted("void f(float *c, int n, size_t m) {\n  for (" + header + "; ++p)\n    c[0] += 1;\n}\n");
  };
  EXPECT_THAT(guard("size_t p = 0; p < n"), HasSubstr("if (static_cast<unsigned long>(0) < n) {"));
  EXPECT_THAT(guard("size_t p = -1; p < m"), HasSubstr("if (static_cast<unsigned long>(-1) < m) {"));
  EXPECT_THAT(guard("int p = n; p < 9"), HasSubstr("if (static_cast<int>(n) < 9) {"));
  EXPECT_THAT(guard("size_t p = 0; p < m"), HasSubstr("if (0 < m) {"));
  EXPECT_THAT(guard("size_t p = 3; p < 4"), Not(HasSubstr("if (")));
  EXPECT_THAT(guard("size_t p = 4; p < 4"), HasSubstr("if ("));  // constants, and never runs
  EXPECT_THAT(guard("size_t p = -1; p < 4"), HasSubstr("if (")); // neither does this one
}

TEST(Promote, AnElseStaysWithItsIf) {
  EXPECT_THAT(promoted("void f(float *c, size_t n, bool q) {\n  if (q)\n    for (size_t p = 0; p < n; ++p)\n"
                       "      c[0] += 1;\n  else\n    c[1] = 2;\n}\n"),
              HasSubstr("  if (q) {\n    if (0 < n) {"));
}

TEST(Promote, RowsAreNoElements) {
  const std::string text = promoted("void f(const float *a, float *c, size_t n) {\n  float m[2][3] = {};\n"
                                    "  for (size_t p = 0; p < n; ++p)\n    m[0][0] += a[p];\n  c[0] = m[0][0];\n}\n");
  EXPECT_THAT(text, HasSubstr("float mValue = m[0][0];"));
  EXPECT_THAT(text, HasSubstr("mValue += a[p];"));
}

TEST(Promote, NotWhatOtherAccessesMayTouch) {
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) c[i] += a[p];"), "offered");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) c[i] += c[p];"), "'c[p]' may be the element 'c[i]'");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) { c[i] += a[p]; c[n[p]] = 2; }"),
            "'c[n[p]]' may be the element 'c[i]'");
  EXPECT_EQ(why("float *d = c + 1; for (size_t p = 0; p < m; ++p) { c[i] += a[p]; d[m] = 2; }"),
            "'d[m]' may be the element 'c[i]'");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) c[i] += *a++;"), "'*a++' may be the same memory as 'c[i]'");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) c[i] += shared[p];", kernelSpec("", {"extern float shared[9];"})),
            "'shared[p]' may be the same memory as 'c[i]'");
  KernelSpec spec = kernelSpec("");
  spec.contract.mayAlias = {{"a", "c"}};
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) c[i] += a[p];", spec), "'a[p]' may be the same memory as 'c[i]'");
}

TEST(Promote, NotWhatIsNotAlwaysWritten) {
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) if (a[p] > 0) c[i] += a[p];"),
            "'c[i]' is not written in each iteration");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) a[p] > 0 && (c[i] += a[p]);"),
            "'c[i]' is not written in each iteration");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) c[i] = a[p];"), "'c[i]' is written and not read");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) { c[i] += a[p]; if (c[i] > 9) break; }"), "'break' in the loop");
}

TEST(Promote, NotWhatIsAnotherElementNextTime) {
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) c[p] += a[i];"), "not mentioned");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) { c[i] += a[p]; ++i; }"), "not mentioned");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) { const size_t at = i * 2; c[at] += a[p]; }"),
            "'at' is declared in the loop");
  EXPECT_EQ(why("for (size_t p = 0; p < m; ++p) for (size_t q = 0; q < 9; ++q) c[q] += a[p];"), "not mentioned");
}

} // namespace
} // namespace agentic
