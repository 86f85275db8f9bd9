#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHead = "long f(const int *in, int *out, const unsigned char *s, size_t n, int m, unsigned u) {\n";

/// `functions` stand beside the kernel.
KernelSpec specOf(const std::string &functions, const std::string &body) {
  return kernelSpec(kHead + body + "\n}\n", {functions});
}
/// Returns the body after inlining, or the error.
std::string written(const std::string &functions, const std::string &body, const std::string &function) {
  const std::string text = transformedBy(specOf(functions, body), "inline-call(" + function + ")");
  const std::string last = "unsigned u) {\n";
  const auto begin = text.find(last);
  return begin == std::string::npos ? text : text.substr(begin + last.size());
}
std::string why(const std::string &functions, const std::string &body, const std::string &function) {
  return refusalOf(specOf(functions, body + "\nreturn 0;"), "inline-call", function);
}

const std::string kRow = "static void row(int *q, const int *p, size_t n, int by) {\n  for (size_t j = 0; j < n; ++j)\n"
                         "    q[j] = p[j] * by;\n}";
const std::string kClip =
    "static unsigned char clip(int v) {\n  if (v < 0)\n    return 0;\n  if (v > 255) {\n    return "
    "255;\n  }\n  return v;\n}";

TEST(InlineCall, ALoopOfItsOwn) {
  EXPECT_EQ(transformedBy(specOf(kRow, "for (int i = 0; i < m; ++i)\n  row(out + i * n, in + i * n, n, 3);\nreturn 0;"),
                          "inline-call(row)"),
            R"(// Moves: inline-call(row).
// What 'row' does is written where it was called.
long f(const int *in, int *out, const unsigned char *s, size_t n, int m,
       unsigned u) {
  for (int i = 0; i < m; ++i) {
    int *q = out + i * n;
    const int *p = in + i * n;
    const int by = 3;
    for (size_t j = 0; j < n; ++j)
      q[j] = p[j] * by;
  }
  return 0;
}
)");
}

TEST(InlineCall, OtherMovesThenSeeTheLoop) {
  const auto transformer =
      transformerFor(specOf(kRow, "for (size_t i = 0; i < n; ++i)\n  row(out + i, in + i * n, n, 3);\nreturn 0;"));
  const auto steps = parseRecipe("inline-call(row)");
  const auto offers = transformer->offers(*steps);
  ASSERT_TRUE(offers) << offers.error().message;
  EXPECT_TRUE(std::ranges::any_of(*offers, [](const MoveOffer &offer) { return offer.target == "j"; }));
}

TEST(InlineCall, ValuesStandInTheirPlace) {
  EXPECT_THAT(written("static int twice(int v) { return v * 2; }",
                      "for (int i = 0; i < m; ++i)\n  out[i] = twice(in[i]) + twice(3);\nreturn 0;", "twice"),
              HasSubstr("out[i] = (in[i] * 2) + (3 * 2);"));
  EXPECT_THAT(
      written(kClip, "for (int i = 0; i < m; ++i)\n  out[i] = clip(in[i]);\nreturn 0;", "clip"),
      HasSubstr(
          "out[i] =\n        ((in[i] < 0) ? static_cast<unsigned char>(0)\n                     : ((in[i] > 255) ? "
          "static_cast<unsigned char>(255)\n                                      : static_cast<unsigned "
          "char>(in[i])));"));
  EXPECT_THAT(
      written("static int at(const int *p, size_t i) { return p[2 * i]; }",
              "long sum = 0;\nfor (int i = 0; i < m && at(in, i) > 3; ++i)\n  sum += at(in + 1, i);\nreturn sum;",
              "at"),
      HasSubstr("i < m && (in[2 * static_cast<unsigned long>(i)]) > 3; ++i)\n    sum += ((in + 1)[2 *"));
}

TEST(InlineCall, ArgumentsAreConvertedAndEvaluatedOnce) {
  // Long ones are not written several times.
  EXPECT_THAT(
      written(kClip, "for (int i = 0; i < m; ++i)\n  out[i] = clip(in[i] * in[i + 1] + in[i + 2]);\nreturn 0;", "clip"),
      HasSubstr("const int v = in[i] * in[i + 1] + in[i + 2];\n    out[i] ="));
  EXPECT_THAT(written("static long halve(unsigned char v) { return v / 2; }",
                      "for (int i = 0; i < m; ++i)\n  out[i] = halve(in[i]);\nreturn 0;", "halve"),
              HasSubstr("static_cast<long>(static_cast<unsigned char>(in[i]) / 2)"));
  EXPECT_THAT(written("static int twice(int v) { return v * 2; }",
                      "for (int i = 0; i < m; ++i)\n  out[i] = twice(*in++);\nreturn 0;", "twice"),
              HasSubstr("const int v = *in++;\n    out[i] = (v * 2);"));
}

TEST(InlineCall, NamesOfTheKernelAreOthers) {
  const std::string text =
      written("static int sum3(const int *p) {\n  int i = 0, m = 0;\n  while (i < 3)\n    m += p[i++];\n"
              "  return m;\n}",
              "for (int i = 0; i < m; ++i) {\n  out[i] = sum3(in + i);\n}\nreturn 0;", "sum3");
  EXPECT_THAT(text, HasSubstr("const int *p = in + i;\n    int i_2 = 0, m_2 = 0;\n    while (i_2 < 3)\n      m_2 += "
                              "p[i_2++];\n    out[i] = m_2;"));
}

TEST(InlineCall, WhatChangesAVariableOfTheKernel) {
  EXPECT_THAT(written("static void turn(unsigned &low, unsigned x) { low = low * 3 ^ x; }",
                      "for (int i = 0; i < m; ++i)\n  turn(u, s[i]);\nreturn u;", "turn"),
              HasSubstr("const unsigned int x = s[i];\n    u = u * 3 ^ x;"));
  // The other argument keeps the value that it had.
  EXPECT_THAT(written("static void turn(unsigned &low, unsigned x) { low = 1; low += x; }",
                      "for (int i = 0; i < m; ++i)\n  turn(u, u);\nreturn u;", "turn"),
              HasSubstr("const unsigned int x = u;\n    u = 1;\n    u += x;"));
  EXPECT_THAT(written("static unsigned down(unsigned v) { while (v > 9) v -= 7; return v; }",
                      "for (int i = 0; i < m; ++i)\n  u = down(u);\nreturn u;", "down"),
              HasSubstr("unsigned int v = u;\n    while (v > 9)\n      v -= 7;\n    u = v;"));
}

TEST(InlineCall, OneAfterTheOther) {
  EXPECT_THAT(written("static int twice(int v) { return v * 2; }",
                      "for (int i = 0; i < m; ++i)\n  out[i] = twice(twice(i));\nreturn 0;", "twice"),
              HasSubstr("out[i] = twice((i * 2));"));
  const std::string both = transformedBy(specOf("static int twice(int v) { return v * 2; }",
                                                "for (int i = 0; i < m; ++i)\n  out[i] = twice(twice(i));\nreturn 0;"),
                                         "inline-call(twice); inline-call(twice)");
  EXPECT_THAT(both, HasSubstr("out[i] = (((i * 2)) * 2);"));
}

TEST(InlineCall, ValuesThatNobodyUses) {
  const std::string next = "static int next(int *p) { return ++*p; }\nstatic int twice(int v) { return v * 2; }";
  EXPECT_THAT(written(next, "for (int i = 0; i < m; ++i)\n  next(out + i);\nreturn 0;", "next"),
              HasSubstr("int *p = out + i;\n    static_cast<void>((++*p));"));
  EXPECT_THAT(written(next, "for (int i = 0; i < m; ++i)\n  twice(i);\nreturn 0;", "twice"), Not(HasSubstr("* 2")));
}

const std::string kLibrary =
    "namespace std {\ntemplate <class I, class T> T accumulate(I, I, T);\n"
    "template <class I, class J, class T> T inner_product(I, I, J, T);\n"
    "template <class I, class T> void fill(I, I, const T &);\ntemplate <class I, class J> J copy(I, I, J);\n"
    "template <class I, class T> long count(I, I, const T &);\ntemplate <class I> I max_element(I, I);\n"
    "template <class I, class T> I find(I, I, const T &);\n"
    "template <class T> struct vector { T *begin() const; T *end() const; size_t size() const; const T "
    "&operator[](size_t) const; "
    "};\n}\n"
    "extern \"C\" void *memcpy(void *, const void *, size_t);\nextern \"C\" void *memset(void *, int, size_t);";

TEST(InlineCall, AlgorithmsOfTheLibrary) {
  EXPECT_THAT(written(kLibrary, "return std::accumulate(in, in + n, 0L);", "accumulate"),
              HasSubstr("const int *first = in;\n  const long length = (in + n) - first;\n  long sum = 0L;\n"
                        "  for (long i = 0; i < length; ++i)\n    sum += first[i];\n  return sum;"));
  EXPECT_THAT(written(kLibrary, "out[0] = 2 * std::inner_product(in, in + n, out + 1, 0);\nreturn 0;", "inner_product"),
              HasSubstr("sum += first[i] * second[i];\n  out[0] = 2 * sum;"));
  EXPECT_THAT(written(kLibrary, "return std::count(s, s + n, 'x') + *std::max_element(in, in + m);", "count"),
              HasSubstr("if (first[i] == value)\n      ++equal;\n  return equal + *std::max_element(in, in + m);"));
  EXPECT_THAT(written(kLibrary, "return *std::max_element(in, in + m);", "max_element"),
              HasSubstr("int best = length > 0 ? first[0] : 0;\n  for (long i = 0; i < length; ++i)\n    if (best < "
                        "first[i]) {\n      best = first[i];\n      at = i;\n    }\n  return *(first + at);"));
  EXPECT_THAT(written(kLibrary, "return std::find(in, in + n, m) - in;", "find"),
              HasSubstr("if (first[i] == value) {\n      at = i;\n      break;"));
  EXPECT_THAT(
      written(kLibrary,
              "for (int j = 0; j < m; ++j) {\n  memcpy(out + j * n, in, n * sizeof(int));\n  out[j] += 1;\n}\n"
              "return 0;",
              "memcpy"),
      HasSubstr("const unsigned long length = n;\n    for (unsigned long i = 0; i < length; ++i)\n      first[i] = "
                "second[i];\n\n    out[j] += 1;"));
  EXPECT_THAT(written(kLibrary,
                      "memset(out, 0, sizeof(*out) * m);\nfor (int j = 0; j < m; ++j)\n  out[j] += "
                      "in[j];\nreturn 0;",
                      "memset"),
              HasSubstr("first[i] = 0;"));
  EXPECT_THAT(written(kLibrary,
                      "std::fill(out, out + n, 3);\nfor (int j = 0; j < m; ++j)\n  out[j] += in[j];\n"
                      "return 0;",
                      "fill"),
              HasSubstr("const int value = 3;\n  for (long i = 0; i < length; ++i)\n    first[i] = value;"));
  EXPECT_EQ(why(kLibrary, "memcpy(out, in, n * sizeof(int));", "memcpy"), "not mentioned"); // it copies best alone
  EXPECT_EQ(why(kLibrary, "memcpy(out, s, n);\nfor (int j = 0; j < m; ++j)\n  out[j] += in[j];", "memcpy"),
            "not mentioned"); // of other elements
  const std::string vector = transformedBy(
      kernelSpec("long f(const std::vector<int> &v) { return std::accumulate(v.begin(), v.end(), 0L); }", {kLibrary}),
      "inline-call(accumulate)");
  EXPECT_THAT(vector, HasSubstr("const unsigned long length = v.size();"));
  EXPECT_THAT(vector, HasSubstr("sum += v[i];"));
  EXPECT_THAT(transformedBy(kernelSpec("long f(const std::vector<int> &v, const int *w) {\n"
                                       "return 3 + std::inner_product(v.begin(), v.end(), w, 0L); }",
                                       {kLibrary}),
                            "inline-call(inner_product)"),
              HasSubstr("sum += v[i] * second[i];\n  return 3 + sum;"));
  EXPECT_EQ(why(kLibrary, "for (int i = 0; i < m; ++i)\n  out[i] = std::accumulate(in, in += 3, 0);", "accumulate"),
            "not mentioned");
}

TEST(InlineCall, WhatItCannotDo) {
  const std::string loop = "for (int i = 0; i < m; ++i)\n  out[i] = g(in[i]);";
  EXPECT_EQ(why("static int g(int v) { return v; }", loop, "g"), "offered");
  EXPECT_EQ(why("static int g(int v) { for (int i = 0; i < 9; ++i) if (v < i) return i; return v; }", loop, "g"),
            "the call of 'g': it returns from its middle, or by a macro");
  EXPECT_EQ(why("static int g(int v) { static int before; before += v; return before; }", loop, "g"),
            "the call of 'g': 'before' outlives the call");
  EXPECT_EQ(why("static int g(int v) { return v > 3 ? g(v - 1) : v; }", loop, "g"), "the call of 'g': it calls itself");
  EXPECT_EQ(why("static int g(int v) { again: if (v > 9) { v -= 7; goto again; } return v; }", loop, "g"),
            "the call of 'g': it holds what is bound to its place: a label, a lambda, assembly or the like");
  EXPECT_EQ(why("template <class T> static T g(T v) { return v; }", loop, "g"),
            "the call of 'g': it is a template, or takes any number of arguments");
  EXPECT_EQ(why("static int g(int v) { using number = int; return number(v); }", loop, "g"),
            "the call of 'g': it declares more than variables");
  EXPECT_EQ(why("static int m = 4;\nstatic int g(int v) { return v * m; }", loop, "g"),
            "the call of 'g': 'm' is something else here");
  EXPECT_EQ(why("#define ADD(to) to += w\nstatic int g(int w) { int v = 3; ADD(v); return v; }", loop, "g"),
            "the call of 'g': a macro's body names 'w'");
  EXPECT_EQ(why("struct pair { int a, b; };\nstatic int g(pair p) { return p.a; }",
                "for (int i = 0; i < m; ++i)\n  out[i] = g({in[i], 3});", "g"),
            "the call of 'g': the argument 'p' is an object");
  EXPECT_EQ(why("static int g(int v) { int w = v; w += v; return w; }",
                "for (int i = 0; i < m && g(in[i]) > 2; ++i)\n  out[i] = 0;", "g"),
            "the call of 'g': it is called within an expression or a condition, and is more than one value");
  EXPECT_EQ(why("int g(int v);", loop, "g"), "not mentioned");
  EXPECT_EQ(why("static int g(int v) { return v; }", "out[0] = g(in[0]);", "g"), "not mentioned"); // no loop
}

} // namespace
} // namespace agentic
