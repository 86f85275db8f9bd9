// Tests mutants of kernels made in memory: each kind, its place, and what is left alone.
#include "tool/source/mutants/mutants.h"

#include "tests/source/transform_fixture.h"
#include "tool/source/parse/kernel_parse.h"

#include <algorithm>
#include <set>

namespace agentic {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

/// Makes mutants of a kernel at line 10, column 1 of SOURCE. Every mutant must parse.
std::vector<Mutant> mutantsOf(const std::string &text, const MutantOptions &options = {},
                              std::vector<std::string> prelude = {}) {
  KernelSpec spec = kernelSpec(text, std::move(prelude));
  spec.line = 10;
  spec.column = 1;
  auto mutants = makeMutants(spec, options);
  EXPECT_TRUE(mutants) << mutants.error().message;
  if (!mutants)
    return {};
  for (const Mutant &mutant : *mutants) {
    auto parsed = parseKernel(spec, mutant.text, "this test", [](const ParsedKernel &) {});
    EXPECT_TRUE(parsed) << parsed.error().message << "\n" << mutant.change << "\n" << mutant.text;
    EXPECT_NE(mutant.text, text) << mutant.change;
    EXPECT_FALSE(mutant.advice.empty()) << mutant.change;
  }
  return *mutants;
}

std::vector<std::string> changes(const std::vector<Mutant> &mutants, MutantKind kind) {
  std::vector<std::string> list;
  for (const Mutant &mutant : mutants)
    if (mutant.kind == kind)
      list.push_back(mutant.change);
  return list;
}

std::vector<std::string> changesOf(const std::string &text, MutantKind kind) {
  return changes(mutantsOf(text), kind);
}

const std::string kScaled = R"(void f(const float *a, const float *b, float *c, size_t n, float scale) {
  for (size_t i = 0; i < n; ++i) {
    float sum = 0.0f;
    sum += a[i] - b[i];
    c[i] = sum * scale;
  }
}
)";

TEST(Mutants, EveryKindOfAPlainLoop) {
  const auto mutants = mutantsOf(kScaled);
  EXPECT_THAT(changes(mutants, MutantKind::Zeros), UnorderedElementsAre("`c[i] = sum * scale` becomes `c[i] = 0`"));
  EXPECT_THAT(changes(mutants, MutantKind::LastElement), UnorderedElementsAre("`i < n` becomes `i + 1 < n`"));
  EXPECT_THAT(changes(mutants, MutantKind::FirstRows), UnorderedElementsAre("`i < n` becomes `i < (n + 1) / 2`"));
  EXPECT_THAT(
      changes(mutants, MutantKind::OffByOne),
      AllOf(Contains("`i < n` becomes `i <= n`"), Contains("`0` becomes `0 + 1`"), Contains("`i` becomes `i + 1`")));
  EXPECT_THAT(changes(mutants, MutantKind::Narrowed),
              UnorderedElementsAre("`sum += a[i] - b[i]` becomes `sum = agenticHalf(sum + (a[i] - b[i]))`",
                                   "`c[i] = sum * scale` becomes `c[i] = agenticHalf((sum * scale))`"));
  EXPECT_EQ(changes(mutants, MutantKind::StaleOutput).size(), 2u);
  EXPECT_THAT(changes(mutants, MutantKind::IgnoredArgument),
              AllOf(Contains("`a` is `b` whatever is passed"), Contains("`n` is `1` whatever is passed"),
                    Contains("`scale` is `0` whatever is passed"), Not(Contains(HasSubstr("`c`")))));
  EXPECT_THAT(changes(mutants, MutantKind::SwappedOperands),
              UnorderedElementsAre("`a[i] - b[i]` becomes `(b[i] - a[i])`"));
  EXPECT_THAT(changes(mutants, MutantKind::Operator),
              UnorderedElementsAre("`sum += a[i] - b[i]` becomes `sum -= (a[i] - b[i])`",
                                   "`a[i] - b[i]` becomes `(a[i] + b[i])`", "`sum * scale` becomes `(sum + scale)`"));
  EXPECT_THAT(changes(mutants, MutantKind::Constant), UnorderedElementsAre("`0.0f` becomes `(0.0f + 1)`"));
  EXPECT_THAT(changes(mutants, MutantKind::Removed), Contains("`c[i] = sum * scale` is left out"));
  EXPECT_THAT(changes(mutants, MutantKind::EarlyReturn), IsEmpty());
}

TEST(Mutants, StandWhereTheChangeIs) {
  const auto mutants = mutantsOf(kScaled);
  const auto place = [&](const std::string &change) {
    const auto found = std::ranges::find(mutants, change, &Mutant::change);
    return found == mutants.end() ? std::pair(0u, 0u) : std::pair(found->line, found->column);
  };
  EXPECT_EQ(place("`i < n` becomes `i + 1 < n`"), std::pair(11u, 22u));
  EXPECT_EQ(place("`a[i] - b[i]` becomes `(b[i] - a[i])`"), std::pair(13u, 12u));
  EXPECT_EQ(place("`scale` is `0` whatever is passed"), std::pair(10u, 66u));
}

TEST(Mutants, OneOfEachKindComesFirstAndTheListIsTheSameAgain) {
  const auto mutants = mutantsOf(kBinaryGemm), again = mutantsOf(kBinaryGemm);
  std::set<MutantKind> first, all;
  for (const Mutant &mutant : mutants)
    all.insert(mutant.kind);
  for (std::size_t i = 0; i < all.size(); ++i)
    first.insert(mutants[i].kind);
  EXPECT_EQ(first, all);
  ASSERT_EQ(mutants.size(), again.size());
  for (std::size_t i = 0; i < mutants.size(); ++i)
    EXPECT_EQ(mutants[i].text, again[i].text);
  // Every loop is among the first that lose their last element.
  const auto last = changes(mutants, MutantKind::LastElement);
  EXPECT_THAT(last, UnorderedElementsAre("`i < M` becomes `i + 1 < M`", "`j < K` becomes `j + 1 < K`",
                                         "`p < K` becomes `p + 1 < K`"));
}

TEST(Mutants, BoundsAreParenthesised) {
  EXPECT_THAT(changesOf("void f(int *c, size_t n) {\n  for (size_t i = 1; i + 1 < n - 1; i += 2)\n    c[i] = i;\n}\n",
                        MutantKind::LastElement),
              UnorderedElementsAre("`i + 1 < n - 1` becomes `(i + 1) + 2 < (n - 1)`"));
  EXPECT_THAT(changesOf("void f(int *c, size_t n) {\n  for (size_t i = n; i-- > 0;)\n    c[i] = i;\n}\n",
                        MutantKind::LastElement),
              UnorderedElementsAre("`i-- > 0` becomes `(i--) > 0 + 1`"));
}

TEST(Mutants, LeaveMacrosAlone) {
  const auto mutants = mutantsOf("void f(const int *a, int *c, size_t n) {\n  for (size_t i = 0; i < n; ++i)\n"
                                 "    c[i] = DIFFERENCE(a[i], 7);\n}\n",
                                 {}, {"#define DIFFERENCE(x, y) ((x) - (y) * 3)"});
  EXPECT_THAT(changes(mutants, MutantKind::SwappedOperands), IsEmpty());
  EXPECT_THAT(changes(mutants, MutantKind::Operator), IsEmpty());
  EXPECT_THAT(changes(mutants, MutantKind::Constant), IsEmpty());
  EXPECT_THAT(changes(mutants, MutantKind::Zeros),
              UnorderedElementsAre("`c[i] = DIFFERENCE(a[i], 7)` becomes `c[i] = 0`"));
}

TEST(Mutants, OfOtherLoops) {
  const auto whiles = mutantsOf("int f(const int *a, int n) {\n  int sum = 0, i = 0;\n  while (i < n) {\n"
                                "    sum += a[i];\n    ++i;\n  }\n  return sum;\n}\n");
  EXPECT_THAT(changes(whiles, MutantKind::FirstRows),
              UnorderedElementsAre("the loop `while (i < n) ` ends after its first iteration"));
  EXPECT_THAT(changes(whiles, MutantKind::OffByOne), Contains("`i < n` becomes `i <= n`"));
  EXPECT_THAT(changes(whiles, MutantKind::Zeros), UnorderedElementsAre("`sum` becomes `0`"));
  // Without `++i` it would never end.
  EXPECT_THAT(changes(whiles, MutantKind::Removed), UnorderedElementsAre("`sum += a[i]` is left out"));
  const auto ranges = mutantsOf("void f(int (&a)[8]) {\n  for (int &x : a) {\n    x = x * 2;\n  }\n}\n");
  EXPECT_THAT(changes(ranges, MutantKind::FirstRows),
              UnorderedElementsAre("the loop `for (int &x : a) ` ends after its first iteration"));
  EXPECT_THAT(changes(ranges, MutantKind::Zeros), UnorderedElementsAre("`x = x * 2` becomes `x = 0`"));
}

TEST(Mutants, OfTemplatesAndLambdas) {
  const auto mutants = mutantsOf("void f(const int *a, int *c, size_t n) {\n"
                                 "  const auto apart = [](auto x, auto y) { return x - y; };\n"
                                 "  for (size_t i = 0; i < n; ++i)\n    c[i] = twice<int>(apart(a[i], 3));\n}\n",
                                 {}, {"template <class T> T twice(T x) { return x + x; }"});
  EXPECT_THAT(changes(mutants, MutantKind::SwappedOperands), UnorderedElementsAre("`x - y` becomes `(y - x)`"));
  EXPECT_THAT(changes(mutants, MutantKind::Constant), UnorderedElementsAre("`3` becomes `(3 + 1)`"));
}

TEST(Mutants, NoneThatMeanTheSame) {
  const std::string largest = "int f(const int *a, size_t n) {\n  int m = a[0];\n  for (size_t i = 1; i < n; ++i)\n"
                              "    if (a[i] > m)\n      m = a[i];\n  return m;\n}\n";
  EXPECT_THAT(changesOf(largest, MutantKind::Comparison), IsEmpty());
  EXPECT_THAT(changesOf(largest, MutantKind::SwappedOperands), Contains("`a[i] > m` becomes `(m > a[i])`"));
  EXPECT_THAT(changesOf("void f(int *c, int a, int b) {\n  c[0] = a < b ? a : b;\n}\n", MutantKind::Comparison),
              IsEmpty());
  EXPECT_THAT(changesOf("void f(int *c, int a) {\n  c[0] = a < 3 ? 5 : 7;\n}\n", MutantKind::Comparison),
              UnorderedElementsAre("`a < 3` becomes `(a <= 3)`"));
  EXPECT_THAT(changesOf("void f(int *c, int n) {\n  if (n == 0)\n    return;\n  c[0] = n;\n}\n", MutantKind::Removed),
              UnorderedElementsAre("`c[0] = n` is left out"));
}

TEST(Mutants, NarrowAsFarAsAValueCanTell) {
  // A sum of bytes fits 16 bits in most tests; one of 64-bit words does not fit 32.
  EXPECT_THAT(changesOf("unsigned long f(const unsigned char *a, size_t n) {\n  unsigned long s = 0;\n"
                        "  for (size_t i = 0; i < n; ++i)\n    s += a[i];\n  return s;\n}\n",
                        MutantKind::Narrowed),
              Contains("`s += a[i]` becomes `s = static_cast<unsigned long>(static_cast<unsigned short>(s + a[i]))`"));
  EXPECT_THAT(
      changesOf("void f(const unsigned long *a, unsigned long *c) {\n  c[0] += a[0];\n}\n", MutantKind::Narrowed),
      Contains(HasSubstr("static_cast<unsigned>(c[0] + a[0])")));
  EXPECT_THAT(changesOf("void f(const double *a, double *c) {\n  c[0] = a[0] * 2;\n}\n", MutantKind::Narrowed),
              UnorderedElementsAre("`c[0] = a[0] * 2` becomes `c[0] = "
                                   "static_cast<double>(static_cast<float>((a[0] * 2)))`"));
  EXPECT_THAT(changesOf("void f(const unsigned char *a, unsigned *c) {\n  c[0] = a[0];\n}\n", MutantKind::Narrowed),
              IsEmpty());
  KernelSpec loose = kernelSpec(kScaled);
  loose.contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-2};
  auto mutants = makeMutants(loose, {});
  ASSERT_TRUE(mutants);
  EXPECT_THAT(changes(*mutants, MutantKind::Narrowed), IsEmpty());
}

TEST(Mutants, KeepResultsOfEarlierCalls) {
  const auto mutants = mutantsOf("int f(const int *a, int n) {\n  return a[0] + n;\n}\n");
  std::vector<std::string> texts;
  for (const Mutant &mutant : mutants)
    if (mutant.kind == MutantKind::StaleOutput)
      texts.push_back(mutant.text);
  EXPECT_THAT(texts, UnorderedElementsAre(HasSubstr("if (agenticCalled) return agenticLast;"),
                                          HasSubstr("agenticOld0 == a && agenticOld1 == n")));
}

TEST(Mutants, TakeTheValuesOfTheBenchmarks) {
  const auto mutants = mutantsOf(kScaled, {.observed = {{"n", {4000, 5}}}});
  const auto found = std::ranges::find(mutants, "`n` is `4000` whatever is passed", &Mutant::change);
  ASSERT_NE(found, mutants.end());
  EXPECT_THAT(found->text, HasSubstr(" n = 4000;"));
  EXPECT_THAT(found->advice, HasSubstr("other than 4000"));
}

TEST(Mutants, ReturnBeforeEachOfSeveralSteps) {
  EXPECT_THAT(
      changesOf("int f(int *c, int n) {\n  c[0] = n;\n  c[1] = n + 1;\n  return n;\n}\n", MutantKind::EarlyReturn),
      UnorderedElementsAre("returns before `c[1] = n + 1`"));
}

TEST(Mutants, SayWhyAKernelHasNone) {
  auto mutants = makeMutants(kernelSpec("void f(int *c) {\n  c[0] = unknown;\n}\n"), {});
  ASSERT_FALSE(mutants);
  EXPECT_THAT(mutants.error().message, AllOf(HasSubstr("test adequacy"), HasSubstr("unknown")));
}

} // namespace
} // namespace agentic
