#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHead = "long f(const int *in, int *out, const unsigned char *s, size_t n, int m, unsigned u) {\n";

KernelSpec specOf(const std::string &body) {
  return kernelSpec(kHead + body + "\n}\n",
                    {"int clip(int);\nstruct pair { int re, im; };\n#define HALF(of) ((of) / 2)\n"
                     "#define PART(of, part) (of).part\n#define STOP(x) if ((x) == 3) continue\n"});
}
/// Returns the body after rerolling, or the error.
std::string written(const std::string &body, const std::string &loop) {
  const std::string text = transformedBy(specOf(body), "reroll(" + loop + ")");
  const std::string last = "unsigned u) {\n";
  const auto begin = text.find(last);
  return begin == std::string::npos ? text : text.substr(begin + last.size());
}
std::string why(const std::string &body, const std::string &loop) {
  return refusalOf(specOf(body + "\nreturn 0;"), "reroll", loop);
}

TEST(Reroll, Text) {
  EXPECT_EQ(transformedBy(specOf("int x;\nfor (x = 0; x < m - 1; x += 2) {\n  int v = in[0];\n  out[0] = v * v;\n"
                                 "  v = in[1];\n  out[1] = v * v;\n  in += 2;\n  out += 2;\n}\n"
                                 "if (m & 1)\n  *out = *in;\nreturn 0;"),
                          "reroll(x)"),
            R"(// Moves: reroll(x).
// A round of the loop 'x' was the same work several times: each is a round of
// its own, in the same order.
long f(const int *in, int *out, const unsigned char *s, size_t n, int m,
       unsigned u) {

  const long rounds = static_cast<long>(m / 2 > 0 ? m / 2 : 0) * 2;
  for (long x = 0; x < rounds; ++x) {
    int v = in[x];
    out[x] = v * v;
  }
  in += rounds;
  out += rounds;

  if (m & 1)
    *out = *in;
  return 0;
}
)");
}

TEST(Reroll, PointersIndicesAndWhatCountsRounds) {
  EXPECT_THAT(written("long sum = 0;\nwhile (n >= 4) {\n sum += s[0]; sum += s[1]; sum += s[2]; sum += s[3];\n"
                      "s += 4; n -= 4;\n}\nreturn sum + (long)n + *s;",
                      "n"),
              HasSubstr("const unsigned long rounds = (n / 4) * 4;\n  for (unsigned long i = 0; i < rounds; ++i) {\n"
                        "    sum += s[i];\n  }\n  s += rounds;\n  n = n - rounds;"));
  EXPECT_THAT(written("do { *out++ = *in++; *out++ = *in++; } while (--u);\nreturn u;", "u"),
              HasSubstr("    out[i] = in[i];\n  }\n  u = static_cast<unsigned int>("));
  EXPECT_THAT(
      written("for (int i = 1; i + 1 < m; i += 2) { out[i] = in[i - 1] + in[i]; out[i + 1] = in[i] + in[i + 1]; "
              "}\nreturn 0;",
              "i"),
      HasSubstr("out[i + 1] = in[i + 1 - 1] + in[i + 1];\n  }"));
  EXPECT_THAT(written("for (size_t i = 0; i < n; i += 4) { out[i] += in[i]; out[i + 1] += in[i + 1]; out[i + 2] += "
                      "in[i + 2]; out[i + 3] += in[i + 3]; }\nreturn 0;",
                      "i"),
              HasSubstr("out[i] += in[i];\n  }"));
}

TEST(Reroll, NamesOfEachGroup) {
  EXPECT_THAT(written("for (int i = 0; i < m; i += 2) {\n  const int a = in[i];\n  out[i] = a + 1;\n"
                      "  const int b = in[i + 1];\n  out[i + 1] = b + 1;\n}\nreturn 0;",
                      "i"),
              HasSubstr("const int a = in[i];\n    out[i] = a + 1;\n  }"));
  EXPECT_THAT(
      written("while (n >= 2) { out[0] = HALF(in[0]); out[1] = HALF(in[1]); in += 2; out += 2; n -= 2; }\nreturn 0;",
              "n"),
      HasSubstr("out[i] = HALF(in[i]);\n  }"));
}

TEST(Reroll, OnlyWorkThatIsAlike) {
  const std::string unlike = "a round of the loop 'i' is not the same work several times";
  const auto whyOf = [](const std::string &body) {
    return why("pair p = {in[0], in[1]};\nint last = 0, a = 5;\nfor (int i = 0; i < m; i += 2) { " + body + " }", "i");
  };
  EXPECT_EQ(whyOf("out[i] = in[i]; out[i + 1] = in[i + 1];"), "offered");
  EXPECT_EQ(whyOf("out[i] = in[i]; out[i + 1] = in[i + 2];"), unlike);
  EXPECT_EQ(whyOf("out[i] = in[i]; out[i + 1] = in[i];"), unlike);
  EXPECT_EQ(whyOf("out[i] = in[i] + 1; out[i + 1] = in[i + 1] + 2;"), unlike);
  EXPECT_EQ(whyOf("out[i] = in[i]; out[i + 1] = in[i + 01];"), unlike) << "no decimal number is read";
  EXPECT_EQ(whyOf("out[i] = in[i] + 1; out[i + 1] = in[i + 1] - 1;"), unlike);
  EXPECT_EQ(whyOf("out[i] = in[i]; in[i + 1] == out[i + 1];"), unlike);
  EXPECT_EQ(whyOf("out[i] = in[i]; out[i + 1] = in[i + 1]; out[i + 2] = in[i + 2];"), unlike);
  EXPECT_EQ(whyOf("out[i] = in[i];"), unlike);
  EXPECT_EQ(whyOf("out[i] = i; out[i + 1] = i + 1;"), unlike); // no subscript
  EXPECT_EQ(whyOf("int v = in[i]; out[i] = v; unsigned w = in[i + 1]; out[i + 1] = w;"), unlike);
  EXPECT_EQ(whyOf("int re = p.re; out[i] += re; int im = p.im; out[i + 1] += im;"), unlike);
  EXPECT_EQ(whyOf("int re = PART(p, re); out[i] += re; int im = PART(p, im); out[i + 1] += im;"), unlike);
  // The second group would read the first one's, and each round of its own the one outside.
  EXPECT_EQ(whyOf("out[i] = a; int a = in[i]; out[i + 1] = a; a = in[i + 1];"), unlike);
  EXPECT_EQ(whyOf("int v = in[i]; out[i] = v + last; last = v; int w = in[i + 1]; out[i + 1] = w + last; last = w;"),
            "offered");
  EXPECT_EQ(whyOf("int v = in[i]; out[i] = v; int w = in[i + 1]; out[i + 1] = v;"), unlike);
  EXPECT_EQ(whyOf("int *v = &out[i]; *v = in[i]; int **w = &v; v = &out[i + 1]; *v = in[i + 1]; w = &v;"), unlike);
}

TEST(Reroll, WhatSkipsWork) {
  const std::string skips = "a 'continue' passes some of the work of the loop 'i'";
  const auto whyOf = [](const std::string &body) {
    return why("for (int i = 0; i < m; i += 2) { " + body + " }", "i");
  };
  EXPECT_EQ(whyOf("if (in[i] == 3) continue; out[i] = 1; if (in[i + 1] == 3) continue; out[i + 1] = 1;"), skips);
  EXPECT_EQ(whyOf("STOP(in[i]); out[i] = 1; STOP(in[i + 1]); out[i + 1] = 1;"), skips);
  EXPECT_EQ(whyOf("if (in[i] == 3) break; out[i] = 1; if (in[i + 1] == 3) break; out[i + 1] = 1;"), "offered");
}

TEST(Reroll, CountsThatMayNotFit) {
  EXPECT_EQ(why("for (long i = 0; i < (long)n; i += 2) { out[i] = 1; out[i + 1] = 1; }", "i"), "offered");
  EXPECT_EQ(why("while (n--) { out[u] = 1; out[u + 1] = 1; u += 2; }", "n"),
            "the number of rounds of the loop 'n' may be more than a type holds");
}

TEST(Reroll, ABoundThatIsNeverReachedMayBeAnyNumber) {
  const std::string tooMany = "the number of rounds of the loop 'n' may be more than a type holds";
  EXPECT_EQ(why("while (n--) { if (s[0] == 0) break; if (s[1] == 0) break; s += 2; }", "n"), tooMany);
  EXPECT_EQ(why("while (n--) { out[0] += s[0]; out[0] += s[1]; s += 2; }", "n"), "offered");
  EXPECT_EQ(why("while (n >= 2) { if (s[0] == 0) return 1; if (s[1] == 0) return 1; s += 2; n -= 2; }", "n"),
            "offered");
}

TEST(Reroll, ChecksItsOwnPrecondition) {
  EXPECT_THAT(written("for (int i = 0; i < m; i += 2) { out[i] = 1; out[i + 1] = 2; }\nreturn 0;", "i"),
              HasSubstr("error: the step 'reroll(i)' does not apply: a round of the loop 'i' is not the same work"));
  EXPECT_THAT(written("return 0;", "i"), HasSubstr("there is no loop 'i' whose variables walk"));
}

} // namespace
} // namespace agentic
