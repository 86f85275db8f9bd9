// Kernels made to be transformed wrongly: the iterations of each were once taken for independent, or look independent.
#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// Returns why strip-mine is not offered for `loop`; "offered" if it is.
std::string refusal(const KernelSpec &spec, const std::string &loop = "j") {
  return refusalOf(spec, "strip-mine", loop);
}

/// `before`, then `for (j) { body; for (p) a[j] += b[p]; }`, for which the move is offered without the trick.
KernelSpec loopWith(const std::string &body, const std::string &before = "", std::vector<std::string> prelude = {}) {
  return kernelSpec("void f(float *a, const float *b, size_t n, size_t m, int k, int h, bool c) {\n" + before +
                        "\n  for (size_t j = 0; j < n; ++j) {\n" + body +
                        "\n    for (size_t p = 0; p < m; ++p) a[j] += b[p];\n  }\n}",
                    std::move(prelude));
}

std::string transformed(const KernelSpec &spec, const std::string &recipe) {
  return transformedBy(spec, recipe);
}

TEST(Attack, LocalNamesOfMemoryThatIsWritten) {
  EXPECT_EQ(refusal(loopWith("a[j] = b[j];")), "offered");
  EXPECT_THAT(refusal(loopWith("a[j] = t;", "const float &t = a[3];")), HasSubstr("'t' may be memory"));
  EXPECT_THAT(refusal(loopWith("a[j] = t;", "const float &t = *a;")), HasSubstr("'t' may be memory"));
  EXPECT_THAT(refusal(kernelSpec("void f(size_t *a, size_t m) { const size_t &n = a[0]; for (size_t j = 0; j < n; ++j) "
                                 "for (size_t p = 0; p < m; ++p) a[j] += p; }")),
              HasSubstr("bounds of the loop 'j' read memory"));
  EXPECT_NE(
      refusal(kernelSpec("void f(float (&c)[8][8], size_t m) { float (&r)[8] = c[1], (&s)[8] = c[1]; for (size_t j "
                         "= 0; j < 7; ++j) for (size_t p = 0; p < m; ++p) r[j] += s[j + 1]; }")),
      "offered");
  EXPECT_THAT(refusal(loopWith("a[j] = q[j + 1];", "const float *q = c ? a : b;")), HasSubstr("may be memory"));
  EXPECT_THAT(refusal(loopWith("a[j] = q[j + 1];", "const float *q = a + 1;")), HasSubstr("another iteration"));
}

TEST(Attack, ViewsAreNotMemoryOfTheirOwn) {
  const std::string std =
      "namespace std { template <class T> struct span { T *p; size_t n; span(T *q, size_t m) : p(q), "
      "n(m) {} T &operator[](size_t i) const { return p[i]; } size_t size() const { return n; } }; "
      "template <class T> struct vector { T *p; T &operator[](size_t i) { return p[i]; } }; }";
  const auto kernel = [&](const std::string &signature, const std::string &before) {
    return kernelSpec("void f(" + signature + ", size_t n) { " + before +
                          " for (size_t j = 0; j < n; ++j) for (size_t p = 0; p < n; ++p) s[j] += a[j + 1]; }",
                      {std});
  };
  EXPECT_EQ(refusal(kernel("std::span<float> s, std::span<float> a", "")), "offered");
  EXPECT_THAT(refusal(kernel("std::span<float> a", "std::span<float> s = a;")), HasSubstr("may be memory"));
  EXPECT_THAT(refusal(kernel("std::vector<float> &a", "std::vector<float> &s = a;")),
              AnyOf(HasSubstr("may be memory"), HasSubstr("address of")));
  EXPECT_THAT(refusal(kernel("float *a", "std::span<float> s(a, n);")), HasSubstr("may be memory"));
}

TEST(Attack, VariablesChangedBehindTheirNames) {
  const std::string use = "a[j + x] = b[j];";
  EXPECT_EQ(refusal(loopWith(use, "int x = 0;")), "offered");
  for (const std::string change :
       {"int x = 1, y = 2; (c ? x : y) = k;", "int x = 1, y = 2; int &r = c ? x : y; r = k;",
        "int x = 1, y = 2; int *r = &(c ? x : y); *r = k;", "int x = 1; (k, x) = h;",
        "int x = 1; struct R { int &v; }; R r{x}; r.v = k;", "int x = 1; struct R { R(int &v) { v = 7; } }; R r(x);",
        "int x = 1; void (*g)(int &) = [](int &v) { v = 9; }; g(x);", "int x = 1; [&] { x = k; }();",
        "static const int x = k;"})
    EXPECT_THAT(refusal(loopWith(use, change)), AnyOf(HasSubstr("subscript of"), HasSubstr("address of"))) << change;
  // A change in front of the loop is none while it runs.
  for (const std::string read :
       {"int x = 1; (void)k, x = k;", "int x = 1, y = c ? x : k;", "int x = 1; int y = sizeof(x) + x; (void)x;",
        "int x = 1, y = (k, x);", "int x = 1; int t{x};", "const int x = 1; const decltype(x) y = x;"})
    EXPECT_THAT(refusal(loopWith(use, read)), HasSubstr("another iteration")) << read;
}

TEST(Attack, WritesThatDoNotLookLikeOnes) {
  for (const std::string body : {"(k, s) = b[j];", "++(0, s);", "(c ? s : u) += b[j];", "(s = 1) += b[j];",
                                 "(int &)s = h;", "reinterpret_cast<double &>(a[j]) = 2;"})
    EXPECT_NE(refusal(loopWith(body, "float s = 0, u = 0;")), "offered") << body;
  EXPECT_NE(
      refusal(kernelSpec("void f(_Complex float *a, size_t n) { _Complex float z = 0; for (size_t j = 0; j < n; ++j) "
                         "{ __real__ z = j; for (size_t p = 0; p < n; ++p) a[j] += z; } }")),
      "offered");
}

TEST(Attack, OneTextTwoValues) {
  // Both subscripts are 'j + k', cut to 8 and to 16 bits.
  EXPECT_NE(
      refusal(loopWith("a[j + s] = b[j]; a[j] += a[j + t];", "const unsigned char s = k; const unsigned short t = k;")),
      "offered");
  EXPECT_NE(refusal(loopWith("a[j + s] = a[j + (size_t)t];", "const unsigned s = k; const int t = k;")), "offered");
}

TEST(Attack, HeadersWhoseTextMeansSomethingElseElsewhere) {
  const auto with = [](const std::string &header, const std::string &bound = "int") {
    return refusal(kernelSpec("void f(float *a, " + bound + " n, size_t m) { for (" + header +
                              ") for (size_t p = 0; p < m; ++p) a[j] += 1; }"));
  };
  EXPECT_EQ(with("int j = 0; j < n; ++j"), "offered");
  EXPECT_THAT(with("size_t j = 0; (int)j < n; ++j"), HasSubstr("'j < bound'")); // n = -1: no iteration, not 2^64
  EXPECT_THAT(with("int j = 0; j < n; ++j", "double"), HasSubstr("not an integer"));
  EXPECT_THAT(with("unsigned short j = 0; j < n; ++j"), HasSubstr("wider"));
}

TEST(Attack, BoundsFarBelowZeroStayThere) {
  const KernelSpec spec =
      kernelSpec("void f(float *a, long n, int m) { for (int j = 0; j < n; ++j) for (int p = 0; p < m; "
                 "++p) a[j] += 1; }");
  EXPECT_THAT(transformed(spec, "strip-mine(j, block=8)"), HasSubstr("const int jEnd = n > 0 ? n - n % kBlockJ : 0;"));
}

TEST(Attack, BlocksFitTheirVariablesType) {
  const KernelSpec spec =
      kernelSpec("void f(float *a, signed char n, int m) { for (signed char j = 0; j < n; ++j) for (int "
                 "p = 0; p < m; ++p) a[j] += 1; }");
  EXPECT_THAT(transformed(spec, "strip-mine(j, block=64)"), HasSubstr("kBlockJ = 64"));
  EXPECT_THAT(transformed(spec, "strip-mine(j, block=128)"), HasSubstr("more than the type of 'j' holds"));
  const auto transformer = transformerFor(spec);
  const auto offers = transformer->offers({}); // a temporary would be gone within the loop, before P2718 (g++ 12)
  for (const MoveOffer &offer : *offers) {
    if (offer.move == "strip-mine") {
      EXPECT_THAT(offer.parameters.at("block"), testing::Each(testing::Le(64)));
    }
  }
}

TEST(Attack, EmptyBracesAreZeros) {
  const KernelSpec spec =
      loopWith("float s{}, t = {}; for (size_t p = 0; p < m; ++p) s += b[p], t -= s; a[j] = s + t;");
  const std::string text = transformed(spec, "strip-mine(j, block=8)");
  EXPECT_THAT(text, HasSubstr("float s = {};"));
  const KernelSpec lanes = loopWith("float s{}; for (size_t p = 0; p < m; ++p) s += b[p * n + j]; a[j] = s;");
  EXPECT_THAT(transformed(lanes, "strip-mine(j, block=8)"), HasSubstr("s[jj] = {};"));
}

TEST(Attack, NamesThatMeanSomethingElseWhereTheyAreMovedTo) {
  // 't = s' reads the outer 's'; as an array the inner one would be in front of it.
  EXPECT_THAT(
      refusal(loopWith("float s = b[j]; for (size_t p = 0; p < m; ++p) { float t = s; float s = t * b[j]; for (size_t "
                       "q = 0; q < m; ++q) a[j] += s; }")),
      HasSubstr("two variables are called 's'"));
  const KernelSpec hidden =
      loopWith("a[j] = SCALED(b[j]);", "", {"static const float jj = 2;", "#define SCALED(x) ((x) * jj)"});
  EXPECT_THAT(transformed(hidden, "strip-mine(j, block=8)"), HasSubstr("jj_2 = 0"));
}

TEST(Attack, AProjectsFunctionOfALibrarysName) {
  const std::string call = "a[j] = round_to(b[j]) + clamp(b[j]);";
  EXPECT_THAT(refusal(loopWith(call, "", {"extern \"C\" float round_to(float); extern \"C\" float clamp(float);"})),
              HasSubstr("may read or write memory"));
  EXPECT_THAT(refusal(loopWith("a[j] = max(b[j]);", "", {"extern \"C\" float max(float);"})),
              HasSubstr("the call to 'max'"));
}

} // namespace
} // namespace agentic
