#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kScale = "void f(const float *a, float *b, size_t n) noexcept {\n"
                           "  for (size_t i = 0; i < n; ++i)\n    b[i] = a[i] * 2;\n}\n";

TransformOptions observing(std::map<std::string, std::vector<std::int64_t>> values) {
  return {.observed = std::move(values)};
}

TEST(Specialise, ACopyThatKnowsTheValue) {
  EXPECT_EQ(transformedBy(kernelSpec(kScale), "specialise(n, value=4096)"),
            R"(// Moves: specialise(n, value=4096).
// The benchmarks have n == 4096; all other calls take 'fFor' in general.
static inline __attribute__((always_inline)) void fFor(const float *a, float *b,
                                                       size_t n) noexcept {
  for (size_t i = 0; i < n; ++i)
    b[i] = a[i] * 2;
}

void f(const float *a, float *b, size_t n) noexcept {
  if (n == 4096)
    return fFor(a, b, 4096);
  return fFor(a, b, n);
}
)");
}

TEST(Specialise, ValuesOfIntegerParametersAreOffered) {
  KernelSpec spec = kernelSpec("int f(const float *a, short n, size_t m, float x) { return n + m; }");
  const auto transformer =
      Transformer::create(spec, observing({{"n", {3, -1, 40000}}, {"m", {64, 0x100000000}}, {"x", {1}}, {"q", {1}}}));
  ASSERT_TRUE(transformer);
  const auto offers = (*transformer)->offers({});
  ASSERT_TRUE(offers);
  std::map<std::string, std::vector<int>> values;
  for (const MoveOffer &offer : *offers)
    if (offer.move == "specialise" && offer.target == "f") {
      EXPECT_EQ(offer.parameters, (std::map<std::string, std::vector<int>>{{"n", {3}}, {"m", {64}}}));
    } else if (offer.move == "specialise")
      values[offer.target] = offer.parameters.at("value");
  EXPECT_EQ(values, (std::map<std::string, std::vector<int>>{{"n", {3}}, {"m", {64}}}));
}

TEST(Specialise, OneParameterAfterTheOther) {
  const std::string text =
      transformedBy(kernelSpec("unsigned f(const unsigned *a, size_t n, int m) {\n  unsigned s = 0;\n"
                               "  for (size_t i = 0; i < n; ++i)\n    s += a[i] * m;\n  return s;\n}\n"),
                    "specialise(n, value=8); specialise(m, value=3)");
  EXPECT_THAT(text, HasSubstr("  if (n == 8)\n    return fFor(a, 8, m);\n  return fFor(a, n, m);\n"));
  EXPECT_THAT(text, HasSubstr("  if (m == 3)\n    return fFor_2(a, n, 3);\n  return fFor_2(a, n, m);\n"));
}

TEST(Specialise, SeveralParametersAtOnce) {
  EXPECT_THAT(transformedBy(kernelSpec("int f(int n, const int *a, int m) { return a[n] * m; }"),
                            "specialise(f, m=3, n=8); specialise(f, m=4, n=9)"),
              HasSubstr("  if (n == 9 && m == 4)\n    return fFor_2(9, a, 4);\n  return fFor_2(n, a, m);\n"));
}

TEST(Specialise, BenchmarksThatDifferInAllParametersAreOfferedOneByOne) {
  const auto transformer = Transformer::create(kernelSpec("int f(int n, int m) { return n * m; }"),
                                               observing({{"n", {8, 9}}, {"m", {3, 4}}}));
  ASSERT_TRUE(transformer);
  const auto offers = (*transformer)->offers({});
  ASSERT_TRUE(offers);
  std::vector<std::map<std::string, std::vector<int>>> found;
  for (const MoveOffer &offer : *offers)
    if (offer.move == "specialise" && offer.target == "f")
      found.push_back(offer.parameters);
  EXPECT_THAT(found, testing::ElementsAre(std::map<std::string, std::vector<int>>{{"n", {8}}, {"m", {3}}},
                                          std::map<std::string, std::vector<int>>{{"n", {9}}, {"m", {4}}}));
}

TEST(Specialise, TheCopyStandsBehindWhatItNeeds) {
  const std::string text = transformedBy(kernelSpec("#define TWICE(x) \\\n  (2 * (x))\n"
                                                    "static const char kEnd = '}'; static int g() { return 3; }\n"
                                                    "// The kernel; really.\n"
                                                    "extern \"C\" int f(int n) { return TWICE(n) + g() + kEnd; }\n"),
                                         "specialise(n, value=2)");
  EXPECT_THAT(text, HasSubstr("return 3; }\n\nstatic inline __attribute__((always_inline)) int fFor(int n) {"));
  EXPECT_THAT(text, HasSubstr("// The kernel; really.\nextern \"C\" int f(int n) {\n  if (n == 2)"));
}

TEST(Specialise, KeepsTheTargetForGcc) {
  EXPECT_THAT(
      transformedBy(kernelSpec(kScale), "vector-width(f, bits=512); specialise(n, value=4)", {.family = Family::Gcc}),
      HasSubstr("__attribute__((target(\"prefer-vector-width=512\"))) static inline\n"
                "    __attribute__((always_inline)) void\n    fFor("));
}

TEST(Specialise, Refusals) {
  const auto why = [](const std::string &kernel, std::vector<std::string> prelude = {}) {
    return refusalOf(kernelSpec(kernel, std::move(prelude)), "specialise", "f", observing({{"n", {4}}}));
  };
  EXPECT_EQ(why("int f(int n) { return n < 2 ? n : f(n - 1); }"), "the function calls itself");
  EXPECT_EQ(why("int f(int n) { static int calls = 0; return calls += n; }"), "a variable outlives the call");
  EXPECT_EQ(why("int f(int n, S s) { return n + s.x; }", {"struct S { S(const S &); int x; };"}),
            "a parameter is an object that would be copied");
  EXPECT_EQ(why("int f(int n, ...) { return n; }"), "the function takes variable arguments");
  EXPECT_EQ(why("int f(int n, int) { return n; }"), "a parameter has no name");
  EXPECT_THAT(transformedBy(kernelSpec("int f(unsigned char n) { return n; }"), "specialise(n, value=256)"),
              HasSubstr("'n' never has that value"));
  EXPECT_THAT(transformedBy(kernelSpec("int f(float n) { return n; }"), "specialise(n, value=2)"),
              HasSubstr("there is no integer parameter 'n'"));
  EXPECT_EQ(
      refusalOf(kernelSpec("int f(int n, const S &s) { return n + s.x; }", {"struct S { S(const S &); int x; };"}),
                "specialise", "n", observing({{"n", {4}}})),
      "offered");
}

} // namespace
} // namespace agentic
