#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

std::string loopWith(const std::string &body) {
  return "void f(const int *x, int *out, size_t n, int m) {\n  for (size_t i = 0; i < n; ++i) {\n" + body + "  }\n}\n";
}
std::string written(const std::string &body, const std::string &recipe = "continue-to-else(i)") {
  const std::string text = transformedBy(kernelSpec(loopWith(body)), recipe), head = "++i) {\n";
  const auto begin = text.find(head);
  return begin == std::string::npos ? text : text.substr(begin + head.size());
}
std::string verdictOn(const std::string &body) {
  return refusalOf(kernelSpec(loopWith(body)), "continue-to-else", "i");
}

TEST(ContinueToElse, TheRestStandsInAnElse) {
  EXPECT_EQ(
      written("    if (x[i] == 0) {\n      out[i] = 0;\n      continue;\n    }\n    const int v = x[i];\n"
              "    out[i] = v * m;\n"),
      "    if (x[i] == 0) {\n      out[i] = 0;\n\n    } else {\n      const int v = x[i];\n      out[i] = v * m;\n"
      "    }\n  }\n}\n");
}

TEST(ContinueToElse, WhatOnlySkipsIsNegated) {
  EXPECT_EQ(written("    if (x[i] == 0 || x[i] > m)\n      continue;\n    out[i] = x[i];\n"),
            "    if (!(x[i] == 0 || x[i] > m)) {\n      out[i] = x[i];\n    }\n  }\n}\n");
}

TEST(ContinueToElse, TheLastComesFirst) {
  const std::string twice =
      "    if (x[i] == 0) continue;\n    out[i] = 1;\n    if (x[i] == 1) continue;\n    out[i] = 2;\n";
  EXPECT_THAT(written(twice), HasSubstr("if (x[i] == 0)\n      continue;\n    out[i] = 1;\n    if (!(x[i] == 1)) {"));
  EXPECT_EQ(
      written(twice, "continue-to-else(i); continue-to-else(i)"),
      "    if (!(x[i] == 0)) {\n      out[i] = 1;\n      if (!(x[i] == 1)) {\n        out[i] = 2;\n      }\n    }\n"
      "  }\n}\n");
}

TEST(ContinueToElse, NothingIsLeftToSkip) {
  EXPECT_EQ(written("    out[i] = 1;\n    if (x[i] == 0) {\n      out[i] = 0;\n      continue;\n    }\n"),
            "    out[i] = 1;\n    if (x[i] == 0) {\n      out[i] = 0;\n    }\n  }\n}\n");
}

TEST(ContinueToElse, OtherMovesSeeTheCondition) {
  const std::string skips = "    if (x[i] == 0)\n      continue;\n    out[i] = x[i] + m;\n";
  EXPECT_EQ(refusalOf(kernelSpec(loopWith(skips)), "masked-store", "i"), "'continue' in the loop");
  EXPECT_THAT(written(skips, "continue-to-else(i); masked-store(i, lanes=32)"), testing::Not(HasSubstr("error")));
}

TEST(ContinueToElse, Refusals) {
  EXPECT_EQ(verdictOn("    if (x[i]) { out[i] = 1; continue; } else { out[i] = 2; }\n"), "not mentioned");
  EXPECT_EQ(verdictOn("    out[i] = 1;\n"), "not mentioned");
  EXPECT_THAT(verdictOn("    { if (x[i]) continue; out[i] = 1; } out[i] = 3;\n"), HasSubstr("a block of its own"));
  EXPECT_THAT(verdictOn("    if (x[i]) continue; if (x[i] < 0) goto done; out[i] = 3; done:;\n"), HasSubstr("'goto'"));
  EXPECT_THAT(verdictOn("    if (x[i]) continue; for (int j = 0; j < m; ++j) out[i] += j;\n"),
              HasSubstr("a loop stands behind"));
  EXPECT_THAT(verdictOn("\n#define NO continue\n    if (x[i]) NO; out[i] = 3;\n"), HasSubstr("directives"));
}

} // namespace
} // namespace agentic
