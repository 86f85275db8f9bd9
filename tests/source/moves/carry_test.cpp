#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::AllOf, testing::HasSubstr, testing::Not;

KernelSpec specOf(const std::string &loop) {
  return kernelSpec("void f(const float *in, float *out, unsigned char *bytes, size_t n, size_t m) {\n  " + loop +
                    "\n}\n");
}
std::string after(const std::string &loop, const std::string &name = "i") {
  return transformedBy(specOf(loop), "carry(" + name + ")");
}
std::string why(const std::string &loop, const std::string &name = "i") {
  return refusalOf(specOf(loop), "carry", name);
}

TEST(Carry, Text) {
  EXPECT_EQ(after("for (size_t i = 1; i < n; ++i)\n    out[i] = out[i - 1] + in[i];"),
            R"(// Moves: carry(i).
// Each iteration of 'i' finds what the one before assigned to 'out[i]' in a
// variable; nothing else in the loop writes there.
void f(const float *in, float *out, unsigned char *bytes, size_t n, size_t m) {
  {
    if (1 < n) {
      float outLast = out[0];
      for (size_t i = 1; i < n; ++i) {
        outLast = outLast + in[i];
        out[i] = outLast;
      }
    }
  }
}
)");
}

TEST(Carry, FormsOfTheAssignment) {
  EXPECT_THAT(after("for (size_t i = 0; i < n; ++i) out[i + 1] += out[i];"),
              AllOf(HasSubstr("float outLast = out[0];"), HasSubstr("outLast = out[i + 1] + outLast;\n"),
                    HasSubstr("out[i + 1] = outLast;")));
  EXPECT_THAT(after("for (size_t i = 1; i < n; ++i) bytes[i] -= 2 * bytes[i - 1];"),
              AllOf(HasSubstr("unsigned char bytesLast = bytes[0];"),
                    HasSubstr("bytesLast = static_cast<unsigned char>(bytes[i] - (2 * bytesLast));")));
  EXPECT_THAT(after("for (size_t i = m; i < n; ++i) out[i * 2 + 5] = out[2 * i + 3] * in[i];"),
              AllOf(HasSubstr("const size_t iFirst = m;"), HasSubstr("if (iFirst < n) {"),
                    HasSubstr("float outLast = out[2 * iFirst + 3];"),
                    HasSubstr("for (size_t i = iFirst; i < n; ++i) {"), HasSubstr("outLast = outLast * in[i];")));
  EXPECT_THAT(after("for (size_t r = 0; r < n; ++r)\nfor (size_t i = 1; i < m; ++i) out[r * m + i] = "
                    "out[r * m + i - 1] + in[i];"),
              HasSubstr("float outLast = out[r * m + 1 - 1];"));
}

TEST(Carry, PointersThatBeginElsewhere) {
  EXPECT_THAT(after("float *row = out + 5;\nfor (size_t i = 2; i < n; ++i) row[i + 3] = row[i + 2] * in[i];"),
              HasSubstr("float outLast = row[4];"));
}

// What is read behind the assignment is in memory all the same.
TEST(Carry, OtherReads) {
  const std::string text = after(
      "for (size_t i = 1; i < n; ++i) { const float d = in[i] - out[i - 1]; if (d > 1) bytes[i] = out[i - 1] > 2; "
      "out[i] = out[i - 1] + d; bytes[i + m] = out[i - 1] > 3; }");
  EXPECT_THAT(text, AllOf(HasSubstr("d = in[i] - outLast;"), HasSubstr("bytes[i] = outLast > 2;"),
                          HasSubstr("outLast = outLast + d;"), HasSubstr("bytes[i + m] = out[i - 1] > 3;")))
      << text;
}

TEST(Carry, ThenItIsARunningSum) {
  const std::string text =
      transformedBy(kernelSpec("void f(const int *in, int *out, size_t n) {\n  for (size_t i = 1; i < n; "
                               "++i)\n out[i] = out[i - 1] + in[i];\n}\n"),
                    "carry(i); split-scan(i, block=16)");
  EXPECT_THAT(text, Not(HasSubstr("error")));
}

TEST(Carry, RefusesWhatMayBeAnotherElement) {
  EXPECT_EQ(why("for (size_t i = 1; i < n; ++i) out[i] = out[i - 1] + in[i];"), "offered");
  for (const char *body : {"out[i] = out[i - 2];", "out[i] = out[i + 1];", "out[i] = out[0];", "out[i] = in[i - 1];",
                           "out[2 * i] = out[2 * i - 1];", "if (in[i] > 0) out[i] = out[i - 1];",
                           "out[i] = in[i] > 0 ? out[i - 1] : 0;", "{ out[i] = in[i]; bytes[i] = out[i - 1] > 0; }"})
    EXPECT_EQ(why("for (size_t i = 2; i < n; ++i) " + std::string(body)), "not mentioned") << body;
  EXPECT_THAT(why("for (size_t i = 1; i < n; ++i) { out[i] = out[i - 1]; out[m] = 3; }"),
              HasSubstr("'out[m]' is written, too, and may be the same element as 'out[i]'"));
  EXPECT_THAT(why("for (size_t i = 1; i < n; ++i) { out[i] = out[i - 1]; if (in[i] > 3) break; }"), HasSubstr("break"));
  EXPECT_THAT(why("for (size_t i = 1; i < n; ++i) { out[i] = out[i - 1]; ++out; }"), Not("offered"));
  EXPECT_THAT(why("for (size_t i = 1; i < n; ++i) { out[m + i] = out[m + i - 1]; m += 2; }"), Not("offered"));
  EXPECT_THAT(after("for (size_t i = 1; i < n; ++i) out[i] = in[i];"),
              HasSubstr("no iteration of 'i' reads what the one before has assigned"));
  EXPECT_EQ(
      why("unsigned *bits = reinterpret_cast<unsigned *>(out); for (size_t i = 1; i < n; ++i) out[i] = bits[i - 1];"),
      "not mentioned");
  KernelSpec overlapping = specOf("for (size_t i = 1; i < n; ++i) { out[i] = out[i - 1] + 1; bytes[i] = 1; }");
  EXPECT_EQ(refusalOf(overlapping, "carry", "i"), "offered");
  overlapping.contract.mayAlias = {{"out", "bytes"}};
  EXPECT_THAT(refusalOf(overlapping, "carry", "i"), HasSubstr("'bytes[i]' is written, too"));
}

} // namespace
} // namespace agentic
