#include "tests/source/reduction_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHead = "void f(const int *k, const float *a, const float *b, float *c, float *d, int *e, size_t n, "
                          "int m) {\n";

std::string kernelOf(const std::string &body, const std::string &before = {}) {
  return kHead + before + "  for (size_t i = 0; i < n; ++i) {\n" + body + "\n  }\n}\n";
}
std::string verdictOn(const std::string &body, const std::string &before = {}, const Freedom &freedom = {}) {
  return verdict(kernelOf(body, before), "masked-store", "i", freedom);
}

TEST(MaskedStore, Text) {
  EXPECT_EQ(textOf(kernelOf("    const float x = a[i] + 1;\n    if (x > 3) {\n      c[i] = x;\n      if (k[i])\n"
                            "        e[i] += m;\n    } else\n      d[i] = b[i];"),
                   "masked-store(i, lanes=16)"),
            R"(// Moves: masked-store(i, lanes=16).
// No iteration of 'i' touches what another one writes: each part of it runs for
// a block of iterations, under masks that hold what its conditions say; nothing
// else is read or stored.
void f(const int *k, const float *a, const float *b, float *c, float *d, int *e,
       size_t n, int m) {
  {
    constexpr size_t kLanesI = 16; // iterations side by side
    const size_t iEnd = n - n % kLanesI;
    for (size_t i0 = 0; i0 < iEnd; i0 += kLanesI) {
      float xLane[kLanesI];
      int isTaken[kLanesI];
      int isOther[kLanesI];
      int isTaken_2[kLanesI];
      for (size_t ii = 0; ii < kLanesI; ++ii) {
        const size_t i = i0 + ii;
        xLane[ii] = a[i] + 1;
        isTaken[ii] = xLane[ii] > 3;
        isOther[ii] = !isTaken[ii];
      }
      for (size_t ii = 0; ii < kLanesI; ++ii) {
        const size_t i = i0 + ii;
        if (isTaken[ii]) {
          c[i] = xLane[ii];
        }
        isTaken_2[ii] = isTaken[ii] && (k[i]);
      }
      for (size_t ii = 0; ii < kLanesI; ++ii) {
        const size_t i = i0 + ii;
        if (isTaken_2[ii]) {
          e[i] += m;
        }
        if (isOther[ii]) {
          d[i] = b[i];
        }
      }
    }
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i) {
      const float x = a[i] + 1;
      if (x > 3) {
        c[i] = x;
        if (k[i])
          e[i] += m;
      } else
        d[i] = b[i];
    }
  }
}
)");
}

TEST(MaskedStore, ACaseIsAMask) {
  const std::string text =
      textOf(kernelOf("switch (k[i] & 7) { case 0: case 3: c[i] = 1; break; default: d[i] = 2; break; case 4: { "
                      "e[i] = k[i]; c[i] = a[i]; break; } }"),
             "masked-store(i, lanes=32)");
  EXPECT_THAT(text, HasSubstr("chosen[ii] = k[i] & 7;"));
  EXPECT_THAT(text, HasSubstr("isCase[ii] = (chosen[ii] == 0) | (chosen[ii] == 3);"));
  EXPECT_THAT(text, HasSubstr("isCase_3[ii] = chosen[ii] == 4;"));
  EXPECT_THAT(text, HasSubstr("isCase_2[ii] = !(isCase[ii] | isCase_3[ii]);"));
  EXPECT_THAT(text, HasSubstr("if (isCase_3[ii]) {\n          e[i] = k[i];\n          c[i] = a[i];\n        }"));
}

TEST(MaskedStore, WhatEveryIterationWritesIsChosen) {
  const std::string text = textOf(kernelOf("float w = 1; if (k[i]) { c[i] = a[i]; w = 2; } else c[i] -= b[i + 1]; "
                                           "if (w > b[i]) d[i] = c[i];"),
                                  "masked-store(i, lanes=32)");
  EXPECT_THAT(text, HasSubstr("cLane[ii] = c[i];"));
  EXPECT_THAT(text, HasSubstr("cLane[ii] = isTaken[ii] ? static_cast<float>(a[i]) : cLane[ii];"));
  EXPECT_THAT(text, HasSubstr("wLane[ii] = isTaken[ii] ? static_cast<float>(2) : wLane[ii];"));
  EXPECT_THAT(text, HasSubstr("cLane[ii] = isOther[ii] ? static_cast<float>(cLane[ii] - (b[i + 1]))"));
  EXPECT_THAT(text, HasSubstr("if (isTaken_2[ii]) {\n          d[i] = cLane[ii];"));
  EXPECT_THAT(text, HasSubstr("c[i] = cLane[ii];"));
}

TEST(MaskedStore, GccGetsArithmeticInFrontOfTheChoice) {
  const auto textFor = [](const std::string &change, Family family = Family::Gcc) {
    const Freedom none;
    return transformedBy(specWith(kernelOf("if (k[i] > 3) { " + change + " }"), none), "masked-store(i, lanes=32)",
                         optionsWith(none, family));
  };
  const std::string text = textFor("c[i] = a[i] * b[i] + a[i];");
  EXPECT_THAT(text, HasSubstr("read[ii] = isTaken[ii] ? a[i] : 0;\n        read_2[ii] = isTaken[ii] ? b[i] : 0;"));
  EXPECT_THAT(text, HasSubstr("{\n        next[ii] = static_cast<float>(read[ii] * read_2[ii] + read[ii]);\n      }"));
  EXPECT_THAT(text, HasSubstr("if (isTaken[ii]) {\n          c[i] = next[ii];"));
  EXPECT_THAT(textFor("d[i] /= a[i];"), HasSubstr("static_cast<float>(read[ii] / (read_2[ii]));"));
  EXPECT_THAT(textFor("c[i] = a[i] * 2;", Family::Clang), Not(HasSubstr("next")));
  for (const char *change :
       {"e[i] = k[i] * m;", "e[i] += a[i] * 2;", "c[i] = a[i] + m / k[i];", "c[i] = a[i];", "++c[i];",
        "e[i] = static_cast<int>(a[i] * 2);", "c[i] = a[i] + static_cast<float>(m + k[i]);"})
    EXPECT_THAT(textFor(change), Not(HasSubstr("next")))
        << "what may trap or overflow stays under its mask: " << change;
}

TEST(MaskedStore, WhatMayNotBeWrittenIsNotChosen) {
  for (const char *body :
       {"if (k[i]) c[i] = a[i];", "if (k[i]) c[i] = a[i]; else d[i] = 1;", "if (k[i]) if (m) c[i] = 1; else c[i] = 2;",
        "switch (k[i]) { case 1: c[i] = 1; break; case 2: c[i] = 2; }", "if (k[i]) { if (m) c[i] = 1; } else c[i] = 2;",
        "switch (k[i]) { case 1: c[i] = 1; break; default: if (m) c[i] = 2; }",
        "const size_t j = i; if (k[i]) c[j] = 1; else c[j] = 2;"})
    EXPECT_THAT(textOf(kernelOf(body), "masked-store(i, lanes=32)"), Not(HasSubstr("cLane"))) << body;
  for (const char *body :
       {"switch (k[i]) { case 1: c[i] = 1; break; default: c[i] = 2; }",
        "if (k[i]) { if (m) c[i] = 1; else ++c[i]; } else c[i] = 2;", "c[i] = 1; if (k[i]) c[i] = 2;"})
    EXPECT_THAT(textOf(kernelOf(body), "masked-store(i, lanes=32)"), HasSubstr("c[i] = cLane[ii];")) << body;
}

TEST(MaskedStore, MasksAreAsWideAsWhatTheyDecideAbout) {
  const auto widthOf = [](const std::string &type) {
    const std::string kernel = "void f(const int *k, " + type +
                               " *a, size_t n) {\n  for (size_t i = 0; i < n; ++i)\n"
                               "    if (k[i] > 2) a[i] = 1;\n}\n";
    const std::string text = textOf(kernel, "masked-store(i, lanes=8)");
    const std::size_t at = text.find(" isTaken[kLanesI];");
    return at == std::string::npos ? text : text.substr(text.rfind('\n', at) + 1, at - text.rfind('\n', at) - 1);
  };
  EXPECT_EQ(widthOf("unsigned char"), "      signed char");
  EXPECT_EQ(widthOf("short"), "      short");
  EXPECT_EQ(widthOf("unsigned"), "      int");
  EXPECT_EQ(widthOf("double"), "      long long");
}

TEST(MaskedStore, AcceptsConditionsAndCases) {
  for (const char *body :
       {"if (a[i] > 0) c[i] = b[i];", "if (a[i] > 0) c[i] += b[i]; else c[i] = 0;", "if (k[i]) { c[i] = 1; d[i] = 2; }",
        "float x; if (a[i] > 0) { x = b[i]; c[i] = x; } else x = 0; d[i] = x;", "if (a[i] > 0) if (b[i] > 0) c[i] = 1;",
        "if (a[i] > 0 && b[k[i]] > 0) ++e[i];", "switch (k[i]) { case 1: c[i] = a[i]; }",
        "switch (k[i]) { case 1: c[i] = SQUARE(a[i]); break; case -4: break; }",
        "const int x = k[i]; switch (x) { case 1: c[i] = a[i]; break; default: if (x > 9) d[i] = 1; }",
        "c[i] = a[i]; if (c[i] > m) c[i] = m;",
        "float x = 0; switch (k[i]) { case 1: x = a[i]; break; case 2: x = b[i]; } c[i] = x;"})
    EXPECT_EQ(verdictOn(body), "offered") << body;
}

TEST(MaskedStore, RefusesTheRest) {
  for (const auto &[body, reason] : std::vector<std::pair<std::string, std::string>>{
           {"if (a[i] > 0) c[i] = c[i + 1];", "another iteration of 'i'"},
           {"if (a[i] > 0) c[k[i]] = 1;", "not a sum of products"},
           {"if (a[i] > 0) c[0] = a[i];", "the same element in every iteration"},
           {"if (a[i] > 0) { c[i] = 1; ++m; }", "'m' carries a value"},
           {"int x = 0; if (a[i] > 0) x = 1; e[i] = x;", "no condition in it decides what is stored"},
           {"if (a[i] > 0) { c[i] = 1; break; }", "'break'"},
           {"if (a[i] > 0) { c[i] = 1; continue; } d[i] = 1;", "'continue'"},
           {"if (a[i] > 0) { c[i] = 1; return; }", "'return'"},
           {"if (m-- > 0) c[i] = 1;", "changes something"},
           {"if (shared > 0) c[i] = 1;", "global 'shared'"},
           {"if (a[i] > 0) { c[i] = 1; const float y = 2; d[i] = y; }", "another variable has its name"},
           {"float t[4]; t[0] = a[i]; if (k[i]) c[i] = t[0];", "'t' is no plain number"},
           {"constexpr int z = 3; if (k[i]) e[i] = z;", "'z' is no plain number"},
           {"const float x = a[i]; { const float x = 2; c[i] = x; } if (k[i]) d[i] = x;", "understood"},
           {"for (int j = 0; j < 3; ++j) if (k[i]) c[i] += 1; if (k[i]) d[i] = 1;", "a loop inside"},
           {"switch (k[i]) { case 1: c[i] = 1; case 2: d[i] = 1; }", "falls into the next"},
           {"switch (k[i]) { case 1: if (m) break; c[i] = 1; }", "'break'"},
           {"switch (k[i]) { case 1 ... 3: c[i] = 1; }", "is a range"},
           {"switch (k[i]) { c[i] = 1; case 1: d[i] = 1; }", "belongs to no case"},
           {"switch (k[i]) { case 1: c[i] = 1; break; return; }", "'return'"},
           {"switch (static_cast<unsigned>(k[i])) { case -1u: c[i] = 1; }", "large number"}})
    EXPECT_THAT(verdictOn(body), HasSubstr(reason)) << body;
  Freedom overlap;
  overlap.contract.mayAlias = {{"a", "c"}};
  EXPECT_THAT(verdictOn("if (k[i]) c[i] = a[i];", "", overlap), HasSubstr("may be the same memory"));
  EXPECT_EQ(verdictOn("c[i] = a[i];"), "not mentioned");
}

TEST(MaskedStore, IsNotMadeTwice) {
  const std::string kernel = kernelOf("if (k[i]) c[i] = a[i];");
  EXPECT_THAT(textOf(kernel, "masked-store(i, lanes=32); masked-store(ii, lanes=8)"), HasSubstr("error"));
  EXPECT_THAT(textOf(kernel, "masked-store(i, lanes=32); masked-store(ii#2, lanes=8)"),
              HasSubstr("part of the blocks of another move"));
  EXPECT_THAT(textOf(kernel, "masked-store(i, lanes=1000)"), HasSubstr("'lanes' must be"));
  EXPECT_THAT(textOf(kernel, "masked-store(j, lanes=8)"), HasSubstr("there is no loop 'j'"));
}

TEST(MaskedStore, LargeBodiesStayAsTheyAre) {
  std::string body;
  for (int i = 0; i < 20; ++i)
    body += "if (k[i] > " + std::to_string(i) + ") c[i] += 1;\n";
  EXPECT_THAT(textOf(kernelOf(body), "masked-store(i, lanes=64)"), HasSubstr("do not fit in the first cache"));
  EXPECT_THAT(verdictOn(body + body), HasSubstr("more than 64 parts"));
}

} // namespace
} // namespace agentic
