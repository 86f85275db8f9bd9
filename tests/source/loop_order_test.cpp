// Tests the results and refusals of fusion, interchange and distribute.
#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string kernel(const std::string &body) {
  return "void f(const float *a, const float *b, float *c, float *d, size_t n, size_t m, size_t k, int s) {\n" + body +
         "\n}\n";
}

std::string after(const std::string &body, const std::string &recipe) {
  return transformedBy(kernelSpec(kernel(body)), recipe);
}

const std::string kTwoPasses = R"(
  for (size_t i = 0; i < n; ++i)
    c[i] = a[i] * 2; // first
  // Then the weights.
  for (size_t i = 0; i < n; ++i)
    c[i] = c[i] * b[i];)";

TEST(Fusion, TwoPassesBecomeOne) {
  EXPECT_THAT(after(kTwoPasses, "fusion(i)"), HasSubstr(R"(
  for (size_t i = 0; i < n; ++i) {
    c[i] = a[i] * 2; // first
    // Then the weights.
    c[i] = c[i] * b[i];
  }
)"));
}

TEST(Fusion, VariablesGetOneName) {
  EXPECT_THAT(after("for (size_t i = 0; i < n; ++i) c[i] = a[i]; for (size_t j = 0; j < n; ++j) { d[j] = c[j] + j; }",
                    "fusion(i)"),
              HasSubstr("d[i] = c[i] + i;"));
  // A name that hides another one keeps its own.
  EXPECT_THAT(after("for (size_t i = 0; i < n; ++i) c[i] = a[i]; for (size_t j = 0; j < n; ++j) { d[j] = 1; for "
                    "(size_t j = 0; j < 1; ++j) d[j] = 2; }",
                    "fusion(i)"),
              HasSubstr("const size_t j = i;"));
  EXPECT_THAT(after("for (size_t i = 0; i < n; ++i) c[i] = a[i]; for (size_t j = 0; j < n; ++j) { /* j */ d[j] = 1; }",
                    "fusion(i)"),
              HasSubstr("const size_t j = i;"));
  EXPECT_THAT(
      after("const size_t t = 3; for (size_t i = 0; i < n; ++i) { float t = a[i]; c[i] = t; } for (size_t i = 0; "
            "i < n; ++i) d[i] = t;",
            "fusion(i)"),
      HasSubstr("c[i] = t;\n    }\n"));
}

TEST(Fusion, WhatStandsBetweenGoesInFront) {
  const std::string text = after("for (size_t i = 0; i < n; ++i) c[i] = a[i];\n  const float x = b[0] * 2; // scale\n"
                                 "for (size_t i = 0; i < n; ++i) d[i] = c[i] * x;",
                                 "fusion(i)");
  EXPECT_LT(text.find("const float x"), text.find("for ("));
  EXPECT_THAT(after("for (size_t i = 0; i < n; ++i) c[i] = a[i]; const float x = c[0]; for (size_t i = 0; i < n; ++i) "
                    "d[i] = x;",
                    "fusion(i)"),
              HasSubstr("what stands between the loops 'i' and 'i#2'"));
  EXPECT_THAT(
      after("float s2 = 0; for (size_t i = 0; i < n; ++i) s2 += a[i]; const float x = s2 * 2; for (size_t i = 0; "
            "i < n; ++i) d[i] = x;",
            "fusion(i)"),
      HasSubstr("'s2' is assigned in one and used in the other"));
}

TEST(Fusion, IsRefused) {
  const auto pair = [](const std::string &first, const std::string &second) {
    return after("float t = 0, u = 0; for (size_t i = 0; i < n; ++i) { " + first +
                     " } for (size_t i = 0; i < n; ++i) { " + second + " }",
                 "fusion(i)");
  };
  EXPECT_THAT(pair("c[i] = a[i];", "d[i] = c[i] + c[i - 1];"), Not(HasSubstr("error")));
  EXPECT_THAT(pair("c[i] = a[i];", "d[i] = c[i + 1];"), HasSubstr("'c[i]' and 'c[i + 1]' may be the same element"));
  EXPECT_THAT(pair("d[i] = c[i + 1];", "c[i] = a[i];"), Not(HasSubstr("error")));
  EXPECT_THAT(pair("d[i] = c[i];", "c[i + 1] = a[i];"), HasSubstr("may be the same element"));
  EXPECT_THAT(pair("c[i] = a[i];", "d[i] = c[0];"), Not(HasSubstr("error"))); // c[0] is written first
  EXPECT_THAT(pair("c[i] = a[i];", "d[i] = c[3];"), HasSubstr("may be the same element"));
  EXPECT_THAT(pair("c[0] = a[i];", "d[i] = c[0];"), HasSubstr("may be the same element"));
  EXPECT_THAT(pair("c[i] = a[i];", "d[i] = c[n - 1 - i];"), HasSubstr("may be the same element"));
  EXPECT_THAT(pair("c[i] = a[i];", "d[i] = c[i / 2];"), Not(HasSubstr("c[i] = a[i];\n  }\n  for")));
  EXPECT_THAT(pair("t += a[i];", "d[i] = t;"), HasSubstr("'t' passes from one of the loops to the other"));
  EXPECT_THAT(pair("d[i] = t;", "t += a[i];"), HasSubstr("'t' passes from one of the loops to the other"));
  EXPECT_THAT(pair("t += a[i];", "u += b[i];"), Not(HasSubstr("error")));
  EXPECT_THAT(pair("if (a[i] > 0) break;", "u += b[i];"), HasSubstr("'break'"));
  const KernelSpec global =
      kernelSpec(kernel("for (size_t i = 0; i < n; ++i) table[i] = a[i]; for (size_t i = 0; i < n; "
                        "++i) c[i] = 1;"),
                 {"float table[9];"});
  EXPECT_THAT(transformedBy(global, "fusion(i)"), HasSubstr("the global 'table'")); // c may lead there
  const auto bounds = [](const std::string &first, const std::string &second) {
    return after("for (" + first + ") c[i] = 1; for (" + second + ") d[i] = 1;", "fusion(i)");
  };
  EXPECT_THAT(bounds("size_t i = 0; i < n; ++i", "size_t i = 1; i < n; ++i"), HasSubstr("different bounds"));
  EXPECT_THAT(bounds("size_t i = 0; i < n; ++i", "size_t i = 0; i < m; ++i"), HasSubstr("different bounds"));
  EXPECT_THAT(bounds("size_t i = 0; i < s; ++i", "int i = 0; i < s; ++i"), HasSubstr("different bounds"));
  EXPECT_THAT(bounds("int i = 0; i < s; ++i", "int i = 0; i < (size_t)s; ++i"), HasSubstr("different bounds"));
}

TEST(Interchange, PerfectNests) {
  EXPECT_THAT(after("for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < m; ++j) c[j * n + i] = a[j * n + i];",
                    "interchange(i)"),
              HasSubstr("for (size_t j = 0; j < m; ++j)\n    for (size_t i = 0; i < n; ++i)\n"));
  const auto body = [](const std::string &statement, const std::string &inner = "size_t j = 0; j < m; ++j") {
    return after("float t = 0; for (size_t i = 0; i < n; ++i) for (" + inner + ") " + statement, "interchange(i)");
  };
  EXPECT_THAT(body("c[i * m + j] = c[i * m + j] + 1;"), Not(HasSubstr("error")));
  EXPECT_THAT(body("c[i * m + j] = c[(i + 1) * m + j];"), Not(HasSubstr("error"))); // (<, =)
  EXPECT_THAT(body("c[i * (m + 1) + j + 1] = c[(i + 1) * (m + 1) + j];"), HasSubstr("a larger 'i' and a smaller 'j'"));
  EXPECT_THAT(body("c[i + j] = a[i];"), HasSubstr("a larger 'i' and a smaller 'j'"));
  EXPECT_THAT(body("c[0] = a[i];"), HasSubstr("a larger 'i' and a smaller 'j'"));
  EXPECT_THAT(body("t += a[i * m + j];"), HasSubstr("'t' carries a value"));
  EXPECT_THAT(body("c[j] = t;", "size_t j = 0; j < i; ++j"), HasSubstr("depend on 'i'"));
  EXPECT_THAT(body("c[i] = t;", "size_t i = 0; i < m; ++i"), HasSubstr("both loops call their variable 'i'"));
  EXPECT_THAT(
      after("const size_t j = n; for (size_t i = 0; i < j; ++i) for (size_t j = 0; j < m; ++j) c[i * m + j] = 1;",
            "interchange(i)"),
      HasSubstr("uses another 'j'"));
  EXPECT_THAT(after("for (size_t i = 0; i < n; ++i) { c[i] = 0; for (size_t j = 0; j < m; ++j) c[i] += a[j]; }",
                    "interchange(i)"),
              HasSubstr("statements stand between"));
}

TEST(Interchange, AccumulatorsMoveIntoTheirElement) {
  const auto product = [](const std::string &start, const std::string &update, const std::string &store) {
    return after("for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < m; ++j) { " + start +
                     " for (size_t p = 0; p < k; ++p) " + update + " " + store + " }",
                 "interchange(j)");
  };
  const std::string update = "sum += a[i * k + p] * b[p * m + j];", store = "c[i * m + j] = sum;";
  EXPECT_THAT(product("float sum = 0.0f;", update, store), HasSubstr(R"(
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < m; ++j) {
      c[i * m + j] = 0.0f;
    }
    for (size_t p = 0; p < k; ++p) {
      for (size_t j = 0; j < m; ++j) {
        c[i * m + j] += a[i * k + p] * b[p * m + j];
      }
    }
  }
)"));
  const std::string rows = product("const float *column = b + j; float *out = c + i * m; float sum = 0;",
                                   "sum += a[p] * column[p * m];", "out[j] = sum;");
  EXPECT_THAT(rows, HasSubstr("      float *out = c + i * m;\n      out[j] = 0;\n"));
  EXPECT_THAT(rows,
              HasSubstr("        const float *column = b + j;\n        float *out = c + i * m;\n        out[j] += "));
  EXPECT_THAT(product("const float x = c[j]; float sum = x;", update, store), HasSubstr("error"));
  EXPECT_THAT(product("const size_t last = k; float sum = 0;", "for (size_t q = 0; q < last; ++q) sum += a[q];", store),
              Not(HasSubstr("error")));
  EXPECT_THAT(product("double sum = 0;", update, store), HasSubstr("statements stand between"));
  EXPECT_THAT(product("float sum = 0, t = 1;", update, store), HasSubstr("statements stand between"));
  EXPECT_THAT(product("float sum = 0;", update, "c[i * m + j] += sum;"), HasSubstr("statements stand between"));
  EXPECT_THAT(product("float sum = 0;", "sum += c[i * m + j];", store), HasSubstr("overwrites"));
  EXPECT_THAT(product("float sum = c[i * m + j];", update, store), HasSubstr("overwrites"));
  EXPECT_THAT(product("float sum = 0;", update, "c[i] = sum;"), HasSubstr("same element"));
  EXPECT_THAT(product("float sum = 0;", "{ float sum = a[p]; d[i * m + j] = sum; }", store), HasSubstr("error"));
  EXPECT_THAT(product("float sum = 0;", "{ d[p] = sum; sum += a[p]; }", store), HasSubstr("error"));
}

TEST(Distribute, SplitsBodies) {
  EXPECT_THAT(
      after("for (size_t i = 0; i < n; ++i) { c[i] = a[i]; // copy\n d[i] = c[i] * 2; }", "distribute(i, at=1)"),
      HasSubstr(R"(
  for (size_t i = 0; i < n; ++i) {
    c[i] = a[i]; // copy
  }
  for (size_t i = 0; i < n; ++i) {
    d[i] = c[i] * 2;
  }
)"));
  const std::string rows =
      after("for (size_t i = 0; i < n; ++i) { const float *row = a + i * m; float *out = c + i * m; "
            "for (size_t j = 0; j < m; ++j) out[j] = row[j]; for (size_t j = 0; j < m; ++j) d[i * m "
            "+ j] = row[j]; }",
            "distribute(i, at=3)");
  EXPECT_THAT(rows, HasSubstr("  for (size_t i = 0; i < n; ++i) {\n    const float *row = a + i * m;\n    for"));
  const std::string few =
      after("for (size_t i = 1; i < 9; ++i) { float t = a[i] * 2; t += 1; c[i] = t; d[i] = t + c[9]; }",
            "distribute(i, at=3)");
  EXPECT_THAT(few, HasSubstr("float ts[8];"));
  EXPECT_THAT(few, HasSubstr("ts[i - 1] = a[i] * 2;\n      ts[i - 1] += 1;\n      c[i] = ts[i - 1];"));
  EXPECT_THAT(few, HasSubstr("d[i] = ts[i - 1] + c[9];"));
}

TEST(Distribute, ReadsAgainWhatDoesNotChange) {
  const std::string text =
      after("for (size_t i = 0; i < n; ++i) { const float x = a[i], y = 1; const float z = a[i + 1] * "
            "s; c[i] = z; d[i] = z + 1; }",
            "distribute(i, at=4)");
  EXPECT_THAT(text, HasSubstr("    const float z = a[i + 1] * s;\n    d[i] = z + 1;\n"));
  EXPECT_THAT(
      after("for (size_t i = 0; i < n; ++i) { const float x = c[i]; c[i] = 1; d[i] = x; }", "distribute(i, at=2)"),
      HasSubstr("runs too often"));
  EXPECT_THAT(
      after("for (size_t i = 0; i < n; ++i) { const float x = d[i]; c[i] = x; d[i + 1] = x; }", "distribute(i, at=2)"),
      HasSubstr("error"));
}

TEST(Distribute, IsRefused) {
  const auto body = [](const std::string &first, const std::string &second) {
    return after("float t = 0; for (size_t i = 0; i < n; ++i) { " + first + " " + second + " }", "distribute(i, at=1)");
  };
  EXPECT_THAT(body("c[i] = a[i];", "d[i] = c[i];"), Not(HasSubstr("error")));
  EXPECT_THAT(body("c[i] = a[i];", "d[i] = c[i + 1];"), HasSubstr("may be the same element"));
  EXPECT_THAT(body("c[i] = a[i];", "d[i] = c[i - 1];"), Not(HasSubstr("error")));
  EXPECT_THAT(body("c[i] = d[i - 1];", "d[i] = a[i];"), HasSubstr("may be the same element"));
  EXPECT_THAT(body("t += a[i];", "d[i] = t;"), HasSubstr("'t' passes between the two parts"));
  EXPECT_THAT(body("t += a[i];", "d[i] = a[i];"), Not(HasSubstr("error")));
  EXPECT_THAT(
      after("for (size_t i = 0; i < n; ++i) { float x = c[i]; c[i] = x * 2; d[i] = x; }", "distribute(i, at=2)"),
      HasSubstr("runs too often"));
  EXPECT_THAT(
      after("for (size_t i = 0; i < n; ++i) { c[i] = 1; if (a[i] > 0) continue; d[i] = 1; }", "distribute(i, at=1)"),
      HasSubstr("'continue'"));
  EXPECT_THAT(after("for (size_t i = 0; i < 4; ++i) { float x[2]; x[0] = a[i]; d[i] = x[0]; }", "distribute(i, at=2)"),
              HasSubstr("no plain number"));
  // A single statement of another loop becomes two.
  EXPECT_THAT(
      after("for (size_t j = 0; j < n; ++j) for (size_t i = 0; i < m; ++i) { c[j * m + i] = 1; d[j * m + i] = 2; }",
            "distribute(i, at=1)"),
      HasSubstr("d[j * m + i] = 2;"));
}

// Blocks that hide no name are transparent, but a part of one cannot be torn out of it.
TEST(Distribute, BlocksStayWhole) {
  const std::string loop = "for (size_t i = 0; i < n; ++i) { c[i] = 1; { d[i] = 2; /* } */ d[i] += 3; } }";
  EXPECT_THAT(after(loop, "distribute(i, at=1)"), HasSubstr("d[i] = 2;"));
  EXPECT_THAT(after(loop, "distribute(i, at=2)"), HasSubstr("the two parts would share a block"));
}

TEST(Fusion, BlocksStayWhole) {
  EXPECT_THAT(after("{ const float x = 3; for (size_t i = 0; i < n; ++i) c[i] = x; } for (size_t i = 0; i < n; ++i) "
                    "d[i] = 4;",
                    "fusion(i)"),
              HasSubstr("do not stand in the same block"));
}

KernelSpec aliasing(const std::string &extent = "n") {
  KernelSpec spec =
      kernelSpec("void f(const float *a, float *b, int n) {\n  for (int i = 0; i < n; ++i)\n    b[i] = a[i] "
                 "* 2;\n}\n");
  spec.contract.mayAlias = {{"a", "b"}};
  spec.contract.extents = {{"a", Direction::In, extent}, {"b", Direction::Out, "n"}};
  return spec;
}

TEST(GuardAliasing, TheOriginalRunsWhenArgumentsOverlap) {
  EXPECT_THAT(transformedBy(aliasing(), "loop-pragma(i, width=8)"), HasSubstr("AGENTIC_MAY_ALIAS"));
  const std::string text = transformedBy(aliasing(), "guard-aliasing(f); loop-pragma(i, width=8)");
  EXPECT_THAT(text, HasSubstr("static void fOverlapping(const float *a, float *b, int n) {"));
  EXPECT_THAT(text, HasSubstr("sizeof(*a) * (static_cast<long long>(n))"));
  EXPECT_THAT(text, HasSubstr("return fOverlapping(a, b, n);"));
  EXPECT_THAT(text, HasSubstr("vectorize_width(8)"));
  EXPECT_THAT(transformedBy(aliasing(), "guard-aliasing(f); guard-aliasing(f)"), HasSubstr("error"));
  // The original calls the functions that earlier steps put in front of it.
  const std::string afterHelper = transformedBy(aliasing(), "specialise(n, value=64); guard-aliasing(f)");
  EXPECT_LT(afterHelper.find("void fFor("), afterHelper.find("static void fOverlapping("));
  EXPECT_LT(afterHelper.find("static void fOverlapping("), afterHelper.find("return fOverlapping(a, b, n);"));
  KernelSpec none = aliasing();
  none.contract.extents.pop_back();
  EXPECT_THAT(transformedBy(none, "guard-aliasing(f)"), HasSubstr("no extent of 'b'"));
  none.contract = {};
  EXPECT_THAT(transformedBy(none, "guard-aliasing(f)"), HasSubstr("no arguments are declared to overlap"));
}

} // namespace
} // namespace agentic
