#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::AllOf, testing::HasSubstr, testing::Not;

KernelSpec specOf(const std::string &loop) {
  return kernelSpec(
      "void f(const float *in, const float *w, float *out, size_t n, size_t columns, int m, unsigned u) {\n  " + loop +
      "\n}\n");
}
std::string why(const std::string &loop, const std::string &name = "i") {
  return refusalOf(specOf(loop), "unflatten", name);
}

TEST(Unflatten, Text) {
  EXPECT_EQ(
      transformedBy(specOf("for (size_t i = 0; i < n; ++i)\n    out[i] = in[i] * w[i % columns];"), "unflatten(i)"),
      R"(// Moves: unflatten(i).
// The loop 'i' divided its variable: it is a loop over rows around one over
// their columns, with the same iterations in the same order.
void f(const float *in, const float *w, float *out, size_t n, size_t columns,
       int m, unsigned u) {
  {
    const size_t iSome = static_cast<size_t>(n > 0);
    // Without any element nothing is divided, not even by 0.
    const size_t iRows =
        (n - iSome) / (columns | static_cast<size_t>(n == 0)) + iSome;
    for (size_t iRow = 0; iRow < iRows; ++iRow) {
      const size_t iFirst = iRow * columns;
      const size_t iLeft = n - iFirst;
      const size_t iCount =
          iLeft - static_cast<size_t>(iLeft > columns) * (iLeft - columns);
      for (size_t iColumn = 0; iColumn < iCount; ++iColumn) {
        const size_t i = iFirst + iColumn;
        out[i] = in[i] * w[iColumn];
      }
    }
  }
}
)");
}

TEST(Unflatten, QuotientsAreRowsAndRemaindersColumns) {
  EXPECT_THAT(transformedBy(specOf("for (size_t i = 0; i < n; ++i) { const size_t y = i / columns, x = i % columns; "
                                   "if (x > 0) out[i] = in[i / columns] + w[x] * (i % columns); else out[y] = 0; }"),
                            "unflatten(i)"),
              AllOf(HasSubstr("const size_t y = iRow, x = iColumn;"), HasSubstr("in[iRow] + w[x] * (iColumn)")));
  // The divisor of another type, a bound that is no name, and a division by something else, which stays.
  const std::string text = transformedBy(
      specOf("for (size_t i = 0; i < n * 2; ++i) out[i] = in[i] * w[i % (u + 1)] + w[i / 7];"), "unflatten(i)");
  EXPECT_THAT(text, AllOf(HasSubstr("iColumns = static_cast<size_t>(u + 1);"),
                          HasSubstr("const size_t iBound = n * 2;"), HasSubstr("w[iColumn] + w[i / 7]")))
      << text;
}

TEST(Unflatten, ConstantsAndNarrowCounters) {
  EXPECT_EQ(why("for (size_t i = 0; i < n; ++i) out[i] = w[i % 300];"), "offered");
  EXPECT_EQ(why("for (int i = 0; i < m; ++i) out[i] = w[i % 16];"), "offered");
  EXPECT_EQ(why("for (int i = 0; i < m; ++i) out[i] = w[i % u];"), "offered");
  EXPECT_THAT(transformedBy(specOf("for (int i = 0; i < m; ++i) out[i] = w[i % u];"), "unflatten(i)"),
              AllOf(HasSubstr("iAll = static_cast<unsigned int>(m) * iSome;"),
                    HasSubstr("(iAll - iSome) / (u | static_cast<unsigned int>(iAll == 0)) + iSome;"),
                    HasSubstr("const int i = static_cast<int>(iFirst + iColumn);")));
}

TEST(Unflatten, RefusesWhatMayBeSomethingElse) {
  EXPECT_THAT(why("for (int i = 0; i < 100; ++i) out[i] = w[i % m];"), HasSubstr("'m' may be negative"));
  EXPECT_THAT(why("for (size_t i = 0; i < n; ++i) out[i] = w[i % 8];"), HasSubstr("rows of '8' elements are short"));
  EXPECT_THAT(why("for (size_t i = 1; i < n; ++i) out[i] = w[i % columns];"), HasSubstr("does not start at 0"));
  EXPECT_THAT(why("for (size_t i = 0; i < n; ++i) { if (in[i] > 1) break; out[i] = w[i % columns]; }"),
              HasSubstr("break"));
  EXPECT_THAT(why("for (size_t i = 0; i < n; ++i) { out[i] = w[i % columns]; ++columns; }"), Not("offered"));
  EXPECT_THAT(why("size_t *c = &columns; for (size_t i = 0; i < n; ++i) { out[i] = w[i % *c]; *c += 1; }"),
              Not("offered"));
  EXPECT_THAT(why("for (size_t i = 0; i < n; ++i) out[i] = w[(unsigned)i % u];"), Not("offered"));
  EXPECT_THAT(why("for (size_t i = 0; i < n; ++i) { const size_t c = columns + i; out[i] = w[i % c]; }"),
              Not("offered"));
  for (const char *divisor : {"(unsigned)(m + 1)", "p[0]", "(columns / u)", "(columns << u)"})
    EXPECT_THAT(why("const unsigned *p = (const unsigned *)in; for (size_t i = 0; i < n; ++i) out[i] = w[i % " +
                    std::string(divisor) + "];"),
                HasSubstr("may not be evaluated where no iteration runs"))
        << divisor;
  // A divisor of 0 may be what the condition excludes.
  EXPECT_EQ(why("for (size_t i = 0; i < n; ++i) out[i] = columns ? w[i % columns] : 0;"), "not mentioned");
  EXPECT_EQ(why("for (size_t i = 0; i < n; ++i) { if (columns > 0) out[i] = w[i % columns]; }"), "not mentioned");
  EXPECT_EQ(why("for (size_t i = 0; i < n; ++i) out[i] = columns && w[i % columns] > 0;"), "not mentioned");
  EXPECT_EQ(why("for (size_t i = 0; i < n; ++i) out[i] = w[i];"), "not mentioned");
  EXPECT_THAT(transformedBy(specOf("for (size_t i = 0; i < n; ++i) out[i] = w[i];"), "unflatten(i)"),
              HasSubstr("not every iteration of 'i' divides its variable"));
}

TEST(Unflatten, ShortRowsOfTheBenchmarksAreLeftAlone) {
  const KernelSpec spec = specOf("for (size_t i = 0; i < n; ++i) out[i] = w[i % columns];");
  EXPECT_THAT(refusalOf(spec, "unflatten", "i", {.observed = {{"columns", {3}}}}), HasSubstr("are short"));
  EXPECT_EQ(refusalOf(spec, "unflatten", "i", {.observed = {{"columns", {300}}}}), "offered");
}

// The row's loop may be one over two dimensions, too.
TEST(Unflatten, ThreeDimensions) {
  const std::string text = transformedBy(
      specOf("for (size_t i = 0; i < n; ++i) out[i] = in[i % columns] * w[i / columns % u];"), "unflatten(i)");
  EXPECT_THAT(text, HasSubstr("in[iColumn] * w[iRow % u]")) << text;
}

} // namespace
} // namespace agentic
