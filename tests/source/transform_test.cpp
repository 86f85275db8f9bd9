#include "tests/source/move_fixture.h"

#include "tool/base/text.h"

#include <algorithm>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string transformed(const std::string &kernel, const std::string &recipe, Family family = Family::Clang) {
  return transformedBy(kernelSpec(kernel), recipe, {.family = family});
}

/// Returns why strip-mine is not offered for `loop`; "offered" if it is.
std::string refusal(const std::string &kernel, const std::string &loop) {
  return refusalOf(kernelSpec(kernel), "strip-mine", loop);
}

const std::string kSmall = R"(void f(const float *a, const float *b, float *c, size_t n, size_t m) {
  for (size_t j = 0; j < n; ++j) {
    float sum = 0;
    for (size_t p = 0; p < m; ++p)
      sum += a[p] * b[p * n + j];
    c[j] = sum;
  }
})";

TEST(Transform, StripMineText) {
  EXPECT_EQ(transformed(kSmall, "strip-mine(j, block=16)"),
            R"(// Moves: strip-mine(j, block=16).
// Each iteration of 'j' writes elements of its own in 'c' and reads none that
// another one writes, given that pointer arguments do not overlap; each element
// is computed in the original order.
void f(const float *a, const float *b, float *c, size_t n, size_t m) {
  constexpr size_t kBlockJ = 16; // iterations of 'j' side by side
  {
    const size_t jEnd = n - n % kBlockJ;
    for (size_t j0 = 0; j0 < jEnd; j0 += kBlockJ) {
      float sum[kBlockJ];
      for (size_t jj = 0; jj < kBlockJ; ++jj) {
        sum[jj] = 0;
      }
      for (size_t p = 0; p < m; ++p) {
        for (size_t jj = 0; jj < kBlockJ; ++jj) {
          const size_t j = j0 + jj;
          sum[jj] += a[p] * b[p * n + j];
        }
      }
      for (size_t jj = 0; jj < kBlockJ; ++jj) {
        const size_t j = j0 + jj;
        c[j] = sum[jj];
      }
    }
    // The rest, when n is no multiple of kBlockJ.
    for (size_t j = jEnd; j < n; ++j) {
      float sum = 0;
      for (size_t p = 0; p < m; ++p) {
        sum += a[p] * b[p * n + j];
      }
      c[j] = sum;
    }
  }
}
)");
}

TEST(Transform, ARestThatTheContractExcludesIsNotWritten) {
  const auto withRequirement = [](const std::string &kernel, const std::string &requirement,
                                  const std::string &recipe) {
    KernelSpec spec = kernelSpec(kernel);
    spec.contract.requirements = {requirement};
    return transformedBy(spec, recipe, {.family = Family::Clang});
  };
  const std::string text = withRequirement(kSmall, "n % 32 == 0", "strip-mine(j, block=16)");
  EXPECT_THAT(text, HasSubstr("for (size_t j0 = 0; j0 < n; j0 += kBlockJ) {"));
  EXPECT_THAT(text, Not(HasSubstr("The rest")));
  EXPECT_THAT(withRequirement(kSmall, "n % 8 == 0", "strip-mine(j, block=16)"), HasSubstr("The rest"));
  EXPECT_THAT(withRequirement(kSmall, "m % 16 == 0", "strip-mine(j, block=16)"), HasSubstr("The rest"));
  std::string changing = kSmall;
  changing.insert(changing.find("for"), "--n;\n  ");
  EXPECT_THAT(withRequirement(changing, "n % 32 == 0", "strip-mine(j, block=16)"), Not(HasSubstr("j0 < n")))
      << "what is required of the argument does not hold for the changed parameter";
}

TEST(Transform, WhatAllLanesShareLeavesThem) {
  const std::string text = transformed(kBinaryGemm, "strip-mine(j, block=16); unroll-and-jam(i, rows=8)");
  EXPECT_THAT(text, HasSubstr("(B[p * (K / 32) + j0 / 32] >> (j % 32))"));
  EXPECT_THAT(text, HasSubstr("sum[ii][jj] += A[i * K + p] * sign;"));
  EXPECT_THAT(text, Not(HasSubstr("sign["))); // one loop over the columns holds both
  // 24 does not divide 32: the word differs within a block.
  EXPECT_THAT(transformed(kBinaryGemm, "strip-mine(j, block=24)"), Not(HasSubstr("j0 / 32")));
}

TEST(Transform, FissionKeepsSharedValuesInArrays) {
  const std::string text = transformed(kBinaryGemm, "strip-mine(j, block=32); unroll-and-jam(i, rows=4); fission(j)");
  EXPECT_THAT(text, HasSubstr("float sign[kBlockJ];"));
  EXPECT_THAT(text, HasSubstr("sign[jj] = bit ? 1.0f : -1.0f;"));
  EXPECT_THAT(text, HasSubstr("sum[ii][jj] += A[i * K + p] * sign[jj];"));
}

TEST(Transform, PragmasPerFamily) {
  const std::string loop = "void f(float *a, size_t n) {\n  for (size_t i = 0; i < n; ++i)\n    a[i] *= 2;\n}\n";
  EXPECT_THAT(transformed(loop, "loop-pragma(i, width=8, interleave=2, unroll=4)"),
              HasSubstr("#pragma clang loop vectorize(enable) vectorize_width(8) interleave_count(2)\n"
                        "#pragma clang loop unroll_count(4)\n  for (size_t i = 0;"));
  EXPECT_THAT(transformed(loop, "loop-pragma(i, ivdep=1, unroll=4)", Family::Gcc),
              HasSubstr("#pragma GCC ivdep\n#pragma GCC unroll 4\n  for ("));
  EXPECT_THAT(transformed(loop, "loop-pragma(i, width=8)", Family::Gcc), HasSubstr("error: "));
}

TEST(Transform, VectorWidthStandsWhereAttributesMay) {
  const std::string body = " void f(float *a) { a[0] = 1; }";
  const std::string attribute = "__attribute__((min_vector_width(512))) ";
  for (const std::string start : {"static", "__attribute__((hot))", "inline"})
    EXPECT_THAT(transformed(start + body, "vector-width(f, bits=512)"), HasSubstr(attribute + start));
  EXPECT_THAT(transformed("void f(float *a, size_t n) { while (n--) *a++ = 1; }",
                          "vector-width(f, bits=512); normalise(n); vector-width(f, bits=256)"),
              HasSubstr("it is set already"))
      << "also in front of a move that writes the text anew";
  EXPECT_THAT(transformed("[[gnu::hot]]" + body, "vector-width(f, bits=512)"), HasSubstr("[[gnu::hot]] " + attribute));
  EXPECT_THAT(transformed("extern \"C\"" + body, "vector-width(f, bits=512)"), HasSubstr("extern \"C\" " + attribute));
  EXPECT_THAT(transformed("static" + body, "vector-width(f, bits=256)", Family::Gcc),
              HasSubstr("__attribute__((target(\"prefer-vector-width=256\"))) static"));
}

TEST(Transform, AVariableInFrontOfItsLoopsIsDeclaredInTheirHeaders) {
  const std::string kernel = "void f(const float *a, float *c, int n) {\n  int i, j;\n  for (i = 0; i < n; ++i)\n"
                             "    for (j = 0; j < n; j++)\n      c[i] += a[j * n + i];\n"
                             "  for (i = 2; i < n; i++)\n    c[i] += 2;\n}";
  const std::string text = transformed(kernel, "strip-mine(i, block=8)");
  EXPECT_THAT(text, HasSubstr("for (int j = 0; j < n; j++)"));
  EXPECT_THAT(text, HasSubstr("for (int i = 2; i < n; i++)"));
  EXPECT_THAT(text, Not(HasSubstr("int i, j;")));
}

TEST(Transform, AVariableThatIsUsedElsewhereStaysInFrontOfItsLoop) {
  const auto why = [](const std::string &body) {
    return refusal("int f(int *c, int n) {\n  int i, k = 0;\n" + body + "\n}", "loop");
  };
  for (const char *body : {
           "for (i = 0; i < n; ++i) c[i] = 2;\nreturn i;",
           "i = 2; for (i = 0; i < n; ++i) c[i] = 2;\nreturn 0;",
           "int *at = &i; for (i = 0; i < n; ++i) c[i] = 2;\nreturn *at;",
           "for (i = 0; i < n; ++i) { c[i] = 2; for (i = i + 1; i < k; ++i) c[i] = 3; }\nreturn 0;",
           "if (n > 9) goto in;\nfor (i = 0; i < n; ++i) { in: c[i] = 2; }\nreturn 0;",
           "switch (n) { case 1: for (i = 0; i < n; ++i) { case 2: c[i] = 2; } }\nreturn 0;",
           "for (i = 0; i < n; ++i) c[i] = 2;\nwhile (i < n) ++i;\nreturn 0;",
       })
    EXPECT_THAT(why(body), HasSubstr("does not declare")) << body;
  EXPECT_THAT(
      refusal("int f(int *c, int n) {\n  static int i;\n  for (i = 0; i < n; ++i) c[i] = 2;\n  return 0;\n}", "loop"),
      HasSubstr("does not declare"));
}

TEST(Transform, NewNamesDoNotClash) {
  const std::string text = transformed(R"(void f(const float *jj, float *j0, size_t n) {
  int kBlockJ = 1;
  for (size_t j = 0; j < n; ++j) { float jEnd = 0; for (size_t p = 0; p < n; ++p) jEnd += jj[p]; j0[j] = jEnd; }
})",
                                       "strip-mine(j, block=8)");
  for (const std::string name : {"kBlockJ_2 = 8", "jj_2 = 0", "j0_2 = 0", "jEnd_2 = n"})
    EXPECT_THAT(text, HasSubstr(name));
}

TEST(Transform, RecipesReadBack) {
  const Recipe recipe = {{"strip-mine", "j#2", {{"block", 16}}},
                         {"fission", "j#2", {}},
                         {"loop-pragma", "p", {{"unroll", 4}, {"width", 0}}}};
  EXPECT_EQ(recipeText(recipe), "strip-mine(j#2, block=16); fission(j#2); loop-pragma(p, unroll=4, width=0)");
  const auto back = parseRecipe(recipeText(recipe));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, recipe);
  EXPECT_TRUE(parseRecipe("") && parseRecipe("")->empty());
  for (const std::string bad : {"strip-mine", "(j)", "a(b, c)", "a(b, c=)", "a(b, c=1x)", "a(b"})
    EXPECT_FALSE(parseRecipe(bad)) << bad;
}

// The loops of a specialised kernel stand in another function: an estimate without them promised 4,750x.
TEST(Transform, SpecialiseIsEstimatedAsTheKernelItself) {
  const auto transformer =
      Transformer::create(kernelSpec(kBinaryGemm), {.family = Family::Clang, .observed = {{"K", {3072}}, {"M", {64}}}});
  ASSERT_TRUE(transformer);
  const Recipe special = *parseRecipe("specialise(f, K=3072, M=64); vector-width(f, bits=256)");
  ASSERT_TRUE((*transformer)->apply(special));
  EXPECT_EQ((*transformer)->estimate(special).value(), (*transformer)->estimate({}).value());
}

double estimateOf(const std::string &text, Family family = Family::Clang) {
  const auto transformer =
      Transformer::create(kernelSpec(text), {.family = family, .observed = {{"n", {100}}, {"m", {1000}}}});
  EXPECT_TRUE(transformer) << transformer.error().message;
  return (*transformer)->estimate({}).value();
}

// Loops that were cut stand in a block; an estimate without them promised 2,345x.
TEST(Transform, LoopsInBlocksAreEstimatedLikeOthers) {
  const std::string inner = "for (size_t p = 0; p < m; ++p) a[p] *= b[p];";
  const auto around = [](const std::string &body) {
    return "void f(float *a, const float *b, size_t n, size_t m) {\n  for (size_t j = 0; j < n; ++j) {\n" + body +
           "\n  }\n}";
  };
  const double plain = estimateOf(around(inner)),
               block = estimateOf(around("{ const int k = 3; (void)k; " + inner + " }"));
  EXPECT_NEAR(block / plain, 1, 0.1);
  for (const char *rare : {"if (__builtin_expect(a[j] == 0, 0)) { $ }", "if (a[j] == 0) { $ break; }"})
    EXPECT_LT(estimateOf(around(replaceAll(rare, "$", inner))), plain / 10) << rare;
  EXPECT_NEAR(estimateOf(around("if (a[j] == 0) { break; " + inner + " }")) / plain, 1, 0.1);
  // What a block repeats of another one's names is no statement that is not understood.
  const std::string once = "{ float t = 0; " + inner + " }";
  EXPECT_NEAR(estimateOf(around(once + once)) / plain, 2, 0.2);
}

TEST(Transform, BoundsThatAreMadeOfParametersHaveTheirValues) {
  const auto with = [](const std::string &bound) {
    return estimateOf(
        "void f(float *a, size_t n, size_t m) {\n  for (size_t j = 0; j < n; ++j) {\n    const size_t end = " + bound +
        ";\n    for (size_t p = 0; p < end; ++p) a[p] *= 3;\n  }\n}");
  };
  EXPECT_NEAR(with("m > 1 ? m - 1 : 0") / with("m"), 1, 0.1);
  EXPECT_NEAR(with("m / 2 + m % 2") / with("500"), 1, 0.1);
}

// A `while` counted as one statement, in a loop as none: whatever stood behind `normalise` looked 30 times slower.
TEST(Transform, LoopsThatDoNotCountAreEstimatedLikeThoseThatDo) {
  const auto with = [](const std::string &loop) {
    return estimateOf("unsigned f(const unsigned char *a, unsigned k) {\n  unsigned s = 0, i = 0;\n" + loop +
                      "\n  return s;\n}");
  };
  const double counting = with("for (unsigned j = 0; j < k; ++j) s = s * 31 + a[j];");
  EXPECT_NEAR(with("while (i < k) { s = s * 31 + a[i]; ++i; }") / counting, 1, 0.5);
  EXPECT_NEAR(with("while (i < k) { if (a[i] == 7) break; s = s * 31 + a[i]; ++i; }") / counting, 1.5, 0.5);
  EXPECT_GT(with("do { s = s * 31 + a[i]; ++i; } while (i < k);"), counting);
  const std::string inner = "i = 0; while (i < k) { s = s * 31 + a[i]; ++i; }";
  EXPECT_NEAR(with("for (unsigned r = 0; r < k; ++r) { " + inner + " }") / counting / 64, 1, 0.5);
  EXPECT_NEAR(with("while (s < k) { ++s; " + inner + " }") / counting / 64, 1, 0.5);
}

// No vector code divides integers, and a matrix in one loop costs as many divisions as it has elements.
TEST(Transform, DivisionsOfIntegersAreNoVectorCode) {
  const std::string text =
      "void f(const unsigned char *a, const unsigned char *b, unsigned char *c, size_t m, size_t n) {\n"
      "for (size_t i = 0; i < m; ++i)\nc[i] = a[i] ^ b[i $ n];\n}";
  EXPECT_GT(estimateOf(replaceAll(text, "$", "%")), 10 * estimateOf(replaceAll(text, "$", "+")));
  const auto transformer =
      Transformer::create(kernelSpec(replaceAll(text, "$", "%")), {.observed = {{"n", {100}}, {"m", {1000}}}});
  ASSERT_TRUE(transformer);
  EXPECT_GT((*transformer)->estimate({}).value(), 4 * (*transformer)->estimate(*parseRecipe("unflatten(i)")).value());
}

TEST(Transform, BoundsThatDependOnLoopsAroundAreThoseOfTheirMiddle) {
  const auto with = [](const std::string &inner) {
    return estimateOf("void f(float *a, size_t n, size_t m) {\n  for (size_t j = 0; j < n; ++j) {\n" + inner +
                      "\n  }\n}");
  };
  const double half = with("for (size_t p = 0; p < 50; ++p) a[p] *= 3;");
  EXPECT_NEAR(with("for (size_t p = 0; p < j; ++p) a[p] *= 3;") / half, 1, 0.2);
  EXPECT_NEAR(with("for (size_t p = j; p < j + 50; ++p) a[p] *= 3;") / half, 1, 0.2);
  EXPECT_NEAR(with("const size_t end = j + 50; for (size_t p = j; p < end; ++p) a[p] *= 3;") / half, 1, 0.2);
}

// A compiler calls the library for a root that might set errno.
TEST(Transform, RootsOfWhatMayBeNegativeAreNoVectorCode) {
  const auto of = [](const std::string &number, Family family = Family::Clang) {
    return estimateOf("void f(float *a, size_t n) {\nfor (size_t i = 0; i < n; ++i)\na[i] = __builtin_sqrtf(" + number +
                          ");\n}",
                      family);
  };
  EXPECT_GT(of("a[i] + 2.0f"), 2 * of("a[i] * a[i] + 2.0f"));
  EXPECT_GT(of("a[i] * a[i]", Family::Gcc), 2 * of("a[i] * a[i]"));
  EXPECT_LT(of("__builtin_fabsf(a[i]) / 2.0f"), of("a[i] / 2.0f"));
}

TEST(Transform, BlocksOfAConstantLength) {
  const std::string kernel =
      "void f(const float *a, float *c) {\n  for (size_t j = 0; j < 12; ++j) {\n    float sum = 0;\n"
      "    for (size_t p = 0; p < 4; ++p)\n      sum += a[p * 12 + j];\n    c[j] = sum;\n  }\n}\n";
  EXPECT_THAT(transformed(kernel, "strip-mine(j, block=16)"), HasSubstr("'j' has only 12 iterations"));
  EXPECT_THAT(transformed(kernel, "strip-mine(j, block=8)"),
              HasSubstr("// The rest, when 12 is no multiple of kBlockJ."));
  const std::string whole = transformed(kernel, "strip-mine(j, block=4)");
  EXPECT_THAT(whole, HasSubstr("for (size_t j0 = 0; j0 < 12; j0 += kBlockJ) {"));
  EXPECT_THAT(whole, testing::Not(HasSubstr("rest"))) << "no test could run it";
}

TEST(Transform, IllegalStepsAreErrors) {
  for (const std::string recipe :
       {"strip-mine(p, block=8)", "strip-mine(q, block=8)", "strip-mine(j, block=1)", "strip-mine(j)",
        "strip-mine(j, block=8); strip-mine(j, block=8)", "fission(j)", "loop-pragma(p, width=8)", "teleport(j)",
        "strip-mine(j, block=256); unroll-and-jam(i, rows=64)", "vector-width(f, bits=1)"})
    EXPECT_THAT(transformed(kBinaryGemm, recipe), HasSubstr("error: ")) << recipe;
}

// `head` is everything around the body of `for (j)`.
std::string functionWith(const std::string &body, const std::string &before = "") {
  return "void f(float *a, const float *b, const int *idx, size_t n, size_t m, float (*call)(float)) {\n" + before +
         "  for (size_t j = 0; j < n; ++j) {\n" + body + "\n    for (size_t p = 0; p < m; ++p) a[j] += b[p];\n  }\n}";
}

TEST(Refusals, SayWhy) {
  EXPECT_EQ(refusal(functionWith(""), "j"), "offered");
  EXPECT_THAT(refusal(functionWith("a[j + 1] = a[j];"), "j"), HasSubstr("another iteration of 'j' writes"));
  EXPECT_THAT(refusal(functionWith("a[j] = a[j + 2];"), "j"), HasSubstr("another iteration of 'j' writes"));
  EXPECT_THAT(refusal(functionWith("a[0] = b[j];"), "j"), HasSubstr("another iteration of 'j' writes as 'a[j]'"));
  EXPECT_THAT(refusal(functionWith("a[idx[j]] = b[j];"), "j"), HasSubstr("subscript of 'a[idx[j]]'"));
  EXPECT_THAT(refusal(functionWith("a[j / 2] = b[j];"), "j"), HasSubstr("subscript of 'a[j / 2]'"));
  EXPECT_THAT(refusal(functionWith("a[j * m] = b[j];"), "j"), HasSubstr("may"));
  EXPECT_THAT(refusal(functionWith("s += b[j];", "  float s = 0;\n"), "j"), HasSubstr("'s' carries a value"));
  EXPECT_THAT(refusal(functionWith("a[j] = call(b[j]);"), "j"), HasSubstr("not known at compile time"));
  EXPECT_THAT(refusal(functionWith("if (b[j] > 0) break;"), "j"), HasSubstr("'break'"));
  EXPECT_THAT(refusal(functionWith("if (b[j] > 0) continue;"), "j"), HasSubstr("'continue'"));
  EXPECT_THAT(refusal(functionWith("if (b[j] > 0) return;"), "j"), HasSubstr("'return'"));
  EXPECT_THAT(refusal(functionWith("if (b[j] > 0) goto out; out:;"), "j"), HasSubstr("'goto'"));
  EXPECT_THAT(refusal(functionWith("while (a[j] < 1) a[j] += 1;"), "j"), HasSubstr("while loop"));
  EXPECT_THAT(refusal(functionWith("switch (idx[j]) { case 1: return; default: a[j] = 1; }"), "j"),
              HasSubstr("'return'"));
  EXPECT_THAT(refusal(functionWith("asm volatile(\"\");"), "j"), HasSubstr("inline assembly"));
  EXPECT_THAT(refusal(functionWith("static float s; s = 1;"), "j"), HasSubstr("outlives the call"));
  EXPECT_THAT(refusal(functionWith("float t[4]; t[0] = b[j]; a[j] = t[0];"), "j"), HasSubstr("local array"));
  EXPECT_THAT(refusal(functionWith("const float &r = b[j]; a[j] = r;"), "j"), HasSubstr("reference 'r'"));
  EXPECT_THAT(refusal(functionWith("float t = b[j]; float *q = &t; a[j] = *q;"), "j"), HasSubstr("address"));
  EXPECT_THAT(refusal(functionWith("volatile float t = b[j]; a[j] = t;"), "j"), HasSubstr("volatile"));
  EXPECT_THAT(refusal(functionWith("a[j] = *(const float *)(idx + j);"), "j"),
              HasSubstr("cast to another kind of pointer"));
  EXPECT_THAT(refusal(functionWith("*p++ = b[j];", "  float *p = a;\n"), "j"), HasSubstr("'p'"));
  EXPECT_THAT(refusal(functionWith("#pragma GCC unroll 2\nfor (size_t q = 0; q < m; ++q) a[j] += b[q];"), "j"),
              HasSubstr("directives"));
}

TEST(Refusals, LoopsThatAreNotCanonical) {
  const auto with = [](const std::string &header) {
    return "void f(float *a, int n, unsigned long m) {\n  int g = 0;\n  " + header +
           " {\n    a[g] = 1;\n    for (int q = 0; q < n; ++q) a[q] = 2;\n  }\n}";
  };
  EXPECT_THAT(refusal(with("for (int j = 0; j <= n; ++j)"), "j"), HasSubstr("'j < bound'"));
  EXPECT_THAT(refusal(with("for (int j = 0; j < n; j += 2)"), "j"), HasSubstr("step by one"));
  EXPECT_THAT(refusal(with("for (int j = n; j > 0; --j)"), "j"), HasSubstr("'j < bound'"));
  EXPECT_THAT(refusal(with("a[g] = 0; for (g = 0; g < n; ++g)"), "loop"), HasSubstr("declare and initialise"));
  EXPECT_THAT(refusal(with("for (unsigned j = 0; j < m; ++j)"), "j"), HasSubstr("wider"));
  EXPECT_THAT(refusal(with("for (;;)"), "loop"), HasSubstr("declare and initialise"));
  EXPECT_THAT(refusal("void f(float *a, int n) { for (int j = 0; j < n; ++j) { a[j] = 1; n = 3; } }", "j"),
              HasSubstr("'n' of the loop 'j' may change"));
  EXPECT_THAT(refusal("void f(float *a, int n) { for (int j = 0; j < n; ++j) { a[j] = 1; ++j; } }", "j"),
              HasSubstr("changed in its body"));
  EXPECT_THAT(
      refusal("void f(float *a, int n) { for (int j = 0; j < n; ++j) for (int p = 0; p < j; ++p) a[j] += 1; }", "j"),
      HasSubstr("bounds of the loop 'p' differ"));
  EXPECT_THAT(
      refusal("void f(float *a, int n) { for (int j = 1; j < n; ++j) for (int p = 0; p < n; ++p) a[j] += 1; }", "j"),
      HasSubstr("does not start at 0"));
}

TEST(Refusals, UnsignedSubscriptsThatMayWrap) {
  const auto kernel = [](const std::string &type) {
    return "void f(float *a, " + type + " n, " + type + " m) { for (" + type + " i = 0; i < m; ++i) for (" + type +
           " j = 0; j < n; ++j) for (" + type + " p = 0; p < n; ++p) a[i * n + j] += 1; }";
  };
  EXPECT_EQ(refusal(kernel("size_t"), "i"), "offered");
  EXPECT_EQ(refusal(kernel("int"), "i"), "offered");
  EXPECT_THAT(refusal(kernel("unsigned"), "i"), HasSubstr("subscript"));
}

TEST(Refusals, CallsArePureOrRefused) {
  KernelSpec spec = kernelSpec("void f(float *a, size_t n) { for (size_t j = 0; j < n; ++j) for (size_t p = 0; p < n; "
                               "++p) a[j] += g(a[j]); }");
  const auto with = [&](const std::string &helper) {
    spec.closure = {{Fragment::Kind::Function, "g", helper, {""}, false}};
    return refusalOf(spec, "strip-mine", "j");
  };
  EXPECT_EQ(with("float g(float x) { return x * x; }"), "offered");
  EXPECT_EQ(with("float g(float x) { unsigned u; __builtin_memcpy(&u, &x, 4); return u ? x : 1; }"), "offered");
  EXPECT_EQ(with("float h(float x) { return __builtin_sqrtf(x); } float g(float x) { return h(x); }"), "offered");
  for (const std::string impure :
       {"float g(float x) { static int calls; ++calls; return x; }", "int n; float g(float x) { n = 1; return x; }",
        "float g(float x) { __builtin_printf(\"\"); return x; }", "float g(float &x) { x = 2; return x; }",
        "float g(float x) { return g(x); }", "float *q; float g(float x) { return *q; }",
        "extern int n; float g(float x) { return n; }"})
    EXPECT_THAT(with(impure), HasSubstr("the call to 'g'")) << impure;
}

TEST(Recipe, OrdersOfStepsThatDoNotSeeEachOtherAreOne) {
  const auto key = [](const char *text) { return recipeKey(*parseRecipe(text)); };
  EXPECT_EQ(key("hoist(y); hoist(x); restrict(f)"), key("hoist(x); hoist(y); restrict(f)"));
  EXPECT_EQ(key("specialise(n, value=3); specialise(m, value=4)"),
            key("specialise(m, value=4); specialise(n, value=3)"));
  EXPECT_NE(key("hoist(y); restrict(f); hoist(x)"), key("hoist(x); restrict(f); hoist(y)"));
  EXPECT_NE(key("interchange(i); interchange(j)"), key("interchange(j); interchange(i)"));
  EXPECT_NE(key("strip-mine(i, block=8)"), key("strip-mine(i, block=16)"));
}

} // namespace
} // namespace agentic
