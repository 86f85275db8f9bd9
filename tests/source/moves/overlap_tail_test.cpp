#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::AllOf, testing::HasSubstr, testing::Not;

KernelSpec specOf(const std::string &loop) {
  return kernelSpec("void f(const unsigned char *in, unsigned char *out, size_t n, int m) {\n  " + loop + "\n}\n");
}
std::string why(const std::string &loop, const std::string &name = "x") {
  return refusalOf(specOf(loop), "overlap-tail", name);
}

TEST(OverlapTail, Text) {
  EXPECT_EQ(
      transformedBy(specOf("for (size_t x = 0; x < n; ++x)\n    out[x] = in[x] / 2;"), "overlap-tail(x, block=64)"),
      R"(// Moves: overlap-tail(x, block=64).
// 'x' runs in blocks of 64; the last one reaches back over elements that are
// done, and computes the same from what the loop does not write.
void f(const unsigned char *in, unsigned char *out, size_t n, int m) {
  {
    constexpr size_t kBlockX = 64; // iterations side by side
    const size_t xShort = n < kBlockX ? n : 0;
    for (size_t x = 0; x < xShort; ++x) {
      out[x] = in[x] / 2;
    }
    const size_t xEnd = n < kBlockX ? 0 : n;
    // The last block reaches back: what it does again gives the same values.
    for (size_t x0 = 0; x0 < xEnd; x0 += kBlockX) {
      const size_t xFirst = x0 < xEnd - kBlockX ? x0 : xEnd - kBlockX;
      for (size_t xx = 0; xx < kBlockX; ++xx) {
        const size_t x = xFirst + xx;
        out[x] = in[x] / 2;
      }
    }
  }
}
)");
}

// The sum of 2147483583 and 65 would overflow.
TEST(OverlapTail, NarrowBoundsThatWouldOverflowRunAsWritten) {
  EXPECT_THAT(transformedBy(specOf("for (int x = 0; x < m; ++x)\n out[x] = in[x];"), "overlap-tail(x, block=64)"),
              AllOf(HasSubstr("xShort = m < kBlockX || m > 2147483583 ? m : 0;"),
                    HasSubstr("xEnd = m < kBlockX || m > 2147483583 ? 0 : m;")));
}

TEST(OverlapTail, RefusesWhatIsNotTheSameWhenDoneAgain) {
  for (const char *body : {"out[x] += in[x];", "++out[x];", "out[x] = out[x + n]++;", "out[x]--;",
                           "if (in[x]) out[x] |= 1;", "{ if (in[x]) { out[x + n] ^= 1; } }", "m += out[x] = in[x];"})
    EXPECT_THAT(why("for (size_t x = 0; x < n; ++x) " + std::string(body)), Not("offered")) << body;
  EXPECT_THAT(why("for (size_t x = 0; x < n; ++x) out[x] += in[x];"), HasSubstr("'out[x]' is not only assigned"));
  EXPECT_EQ(why("for (size_t x = 0; x < n; ++x) { int t[2]; t[0] = 0; t[1] = 1; t[1] += in[x]; *(out + x) = t[1]; }"),
            "offered");
  EXPECT_EQ(why("for (size_t x = 0; x < n; ++x) { if (in[x] > 3) out[x] = 1; else { out[x] = 2; } }"), "offered");
  EXPECT_THAT(why("for (size_t x = 0; x < n; ++x) { out[x] = in[x]; out[x + n] = out[x]; }"),
              HasSubstr("which it writes"));
  EXPECT_THAT(why("for (size_t x = 0; x < n; ++x) out[x / 2] = in[x];"), Not("offered"));
  EXPECT_THAT(why("for (size_t x = 1; x < n; ++x) out[x] = in[x];"), HasSubstr("does not start at 0"));
  KernelSpec spec = specOf("for (size_t x = 0; x < n; ++x) out[x] = in[x];");
  EXPECT_EQ(refusalOf(spec, "overlap-tail", "x"), "offered");
  spec.contract.mayAlias.push_back({"in", "out"});
  EXPECT_THAT(refusalOf(spec, "overlap-tail", "x"), Not("offered"));
}

TEST(OverlapTail, RefusesWhereNothingIsLeftOver) {
  EXPECT_THAT(why("for (size_t x = 0; x < 128; ++x) out[x] = in[x];"), HasSubstr("leave little over"));
  EXPECT_THAT(why("for (size_t x = 0; x < 7; ++x) out[x] = in[x];"), HasSubstr("leave little over"));
  EXPECT_THAT(why("const size_t few = n < 2 ? n : 2; for (size_t x = 0; x < few; ++x) out[x] = in[x];"),
              HasSubstr("few iterations"));
}

} // namespace
} // namespace agentic
