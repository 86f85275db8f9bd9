#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kHead = "int f(const int *in, int *out, const unsigned char *s, size_t n, int m) {\n";

KernelSpec specOf(const std::string &body) {
  return kernelSpec(kHead + body + "\n}\n");
}
std::string why(const std::string &body) {
  return refusalOf(specOf(body + "\nreturn 0;"), "peel", "i");
}

TEST(Peel, Text) {
  EXPECT_EQ(transformedBy(specOf("int before = m;\nfor (size_t i = 0; i < n; ++i) {\n  out[i] = in[i] - before;\n"
                                 "  before = in[i];\n}\nreturn before;"),
                          "peel(i)"),
            R"(// Moves: peel(i).
// Each iteration of 'i' but the first computes 'before' again from what the one
// before it was given, which nothing changes.
int f(const int *in, int *out, const unsigned char *s, size_t n, int m) {
  int before = m;
  {
    const size_t iFirst = 0;
    if (iFirst < n) {
      {
        const size_t i = iFirst;
        out[i] = in[i] - before;
        before = in[i];
      }
      for (size_t i = iFirst + 1; i < n; ++i) {
        out[i] = in[i] - in[i - 1];
      }
      const size_t iLast = static_cast<size_t>(n - 1);
      before = in[iLast];
    }
  }
  return before;
}
)");
}

TEST(Peel, ThroughConstantsOfTheIteration) {
  EXPECT_THAT(
      transformedBy(specOf("unsigned char before = 0;\nfor (int i = 0; i < m; ++i) {\n  const int x = s[i] + 1;\n"
                           "  out[i] = x ^ before;\n  before = x;\n}\nreturn before;"),
                    "peel(i)"),
      HasSubstr("out[i] = x ^ static_cast<unsigned char>(s[i - 1] + 1);"));
}

TEST(Peel, IndicesThatLagBehind) {
  const std::string body = "int one = m - 1, two = m - 2;\nfor (int i = 0; i < m; ++i) {\n"
                           "  out[i] = in[one] + in[two];\n  two = one;\n  one = i;\n}\nreturn 0;";
  EXPECT_THAT(transformedBy(specOf(body), "peel(i)"),
              HasSubstr("out[i] = in[i - 1] + in[two];\n        two = (i - 1);"));
}

TEST(Peel, WhatItCannotDo) {
  const auto whyOf = [](const std::string &body) {
    return why("int v = 0;\nfor (int i = 0; i < m; ++i) { " + body + " }");
  };
  const std::string more =
      "'v' is left for the next iteration of 'i', which cannot compute it again: it depends on more "
      "than the place in arrays that the loop does not write";
  EXPECT_EQ(whyOf("out[i] = v; v = in[i];"), "offered");
  EXPECT_EQ(whyOf("out[i] = v; v = out[i + 1];"), more);
  EXPECT_EQ(whyOf("out[i] = v; const int w = in[i] + out[i]; v = w;"), more);
  EXPECT_EQ(whyOf("int w = in[i]; out[i] = v; ++w; v = w;"), more);
  EXPECT_EQ(whyOf("out[i] = v; v = v + in[i];"), "not mentioned");
  EXPECT_EQ(whyOf("v = in[i]; out[i] = v;"), "not mentioned");
  EXPECT_EQ(whyOf("out[i] = v; if (in[i]) v = in[i];"), "not mentioned");
  EXPECT_EQ(whyOf("out[i] = v; v = in[i]; out[i] += v;"), "not mentioned");
  EXPECT_EQ(whyOf("if (in[i]) break; out[i] = v; v = in[i];"), "not mentioned");
}

} // namespace
} // namespace agentic
