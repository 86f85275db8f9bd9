// Instrumented candidates, compiled by both compilers and run: tests their places, which of them ran, and that results
// stay the same.
#include "tool/source/coverage/coverage.h"

#include "tests/source/candidate_fixture.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <dlfcn.h>

namespace agentic {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Way {
  const char *compiler, *standard;
};

constexpr const char *kHead = "#define AGENTIC_KERNEL\n#include <cstdint>\n";

/// A kernel `int f(int *, int)`.
class CoverageTest : public testing::TestWithParam<Way> {
protected:
  using Kernel = int(int *, int);

  void instrument(const std::string &candidate) {
    project_.write("src/k.cpp", std::string(kHead) + "AGENTIC_KERNEL int f(int *x, int n) { return x[n]; }\n");
    const Result<Extraction> extraction =
        extractKernel(project_.request("src/k.cpp", {}, {"-O2", GetParam().standard}));
    ASSERT_TRUE(extraction) << extraction.error().message;
    const Family family = std::string(GetParam().compiler).starts_with("clang") ? Family::Clang : Family::Gcc;
    original_ = unitOf(extraction->spec, candidate, family);
    ASSERT_THAT(findingText(original_), IsEmpty());
    Result<InstrumentedUnit> unit = instrumentCoverage(extraction->spec, original_);
    ASSERT_TRUE(unit) << unit.error().message;
    unit_ = std::move(*unit);
  }

  Kernel *compiled(const std::string &name, const std::string &text) {
    const std::string library = project_.path("out/" + name + ".so"), file = project_.path("out/" + name + ".cpp");
    const std::string way = "extern \"C\" int " + original_.symbol +
                            "(int *, int);\nextern \"C\" int call(int *x, int n) { return " + original_.symbol +
                            "(x, n); }\n";
    EXPECT_TRUE(writeFileAtomic(file, text));
    EXPECT_TRUE(writeFileAtomic(file + ".call.cpp", way));
    ProcessSpec compile;
    compile.argv = {GetParam().compiler,
                    GetParam().standard,
                    "-O2",
                    "-w",
                    "-fPIC",
                    "-shared",
                    "-march=x86-64-v3",
                    "-iquote",
                    project_.path("src"),
                    file,
                    file + ".call.cpp",
                    "-o",
                    library};
    const Result<ProcessResult> done = runProcess(compile);
    EXPECT_TRUE(done && done->ok()) << (done ? done->err : done.error().message) << text;
    void *object = done && done->ok() ? dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    return object ? reinterpret_cast<Kernel *>(dlsym(object, "call")) : nullptr;
  }

  /// Calls both with each of these, and returns which places did not run: "3:5 body of the loop".
  std::vector<std::string> missed(const std::vector<int> &arguments) {
    const std::string counts = project_.path("out/counts");
    EXPECT_TRUE(writeFileAtomic(counts, emptyCoverage(unit_.places.size())));
    ::setenv(kCoverageVariable, counts.c_str(), 1);
    const std::string again = std::to_string(++runs_); // a loaded object is not loaded again
    Kernel *instrumented = compiled("instrumented" + again, unit_.text),
           *plain = compiled("plain" + again, original_.text);
    ::unsetenv(kCoverageVariable);
    if (!instrumented || !plain)
      return {"does not compile"};
    for (const int argument : arguments) {
      std::array<int, 64> a{}, b{};
      for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = b[i] = static_cast<int>(i * i % 17);
      EXPECT_EQ(plain(a.data(), argument), instrumented(b.data(), argument)) << argument;
      EXPECT_EQ(a, b) << argument;
    }
    std::vector<bool> ran(unit_.places.size());
    EXPECT_TRUE(addCoverage(readFile(counts).value_or(""), ran));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < ran.size(); ++i)
      if (!ran[i])
        texts.push_back(std::to_string(unit_.places[i].line) + ":" + std::to_string(unit_.places[i].column) + " " +
                        unit_.places[i].what);
    return texts;
  }

  bool isAtLeast(const char *standard) const { return std::string(GetParam().standard) >= standard; }

  ScratchProject project_;
  CandidateUnit original_;
  InstrumentedUnit unit_;
  int runs_ = 0;
};

TEST_P(CoverageTest, Branches) {
  instrument("static int twice(int v) { return 2 * v; }\n" // 1
             "static int never(int v) {\n"                 // 2
             "  return v;\n"
             "}\n"
             "int f(int *x, int n) {\n"        // 5
             "  int sum = 0;\n"                // 6
             "  if (n > 3) sum += twice(n);\n" // 7
             "  else if (n > 100)\n"           // 8
             "    sum += never(n);\n"          // 9
             "  for (int i = 0; i < n; ++i)\n" // 10
             "    if (x[i] > 1000) sum += 3; else sum += x[i];\n"
             "  while (n > 50)\n" // 12
             "    --n;\n"
             "  return n > 1 && x[0] == 0 ? sum : x[1] > 5 || x[2] > 7 ? 1 : 2;\n" // 14
             "}\n");
  EXPECT_THAT(missed({5, 2, 1}),
              ElementsAre("2:12 body of function 'never'", "8:8 branch of the if", "11:5 branch of the if",
                          "12:3 body of the loop", "14:60 first alternative of ?:"));
}

TEST_P(CoverageTest, PragmasStayInFrontOfTheirLoops) {
  instrument("int f(int *x, int n) {\n"
             "  int sum = 0;\n"
             "  for (int j = 0; j < n; ++j) // outer\n"
             "#pragma GCC ivdep\n"
             "#pragma GCC unroll 4\n"
             "    for (int i = 0; i < 8; ++i)\n" // 6
             "      sum += x[i];\n"
             "  if (n > 2)\n"
             "#pragma GCC ivdep\n"
             "    for (int i = 0; i < n - 9; ++i)\n" // 10
             "      x[i] = sum;\n"
             "  return sum;\n"
             "}\n");
  EXPECT_THAT(missed({1, 3}), ElementsAre("10:5 body of the loop"));
}

TEST_P(CoverageTest, EverythingOfASmallKernelRuns) {
  instrument(
      "int f(int *x, int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i) {\n    s += x[i];\n  }\n  return s;\n}\n");
  EXPECT_EQ(unit_.places.size(), 2u);
  EXPECT_THAT(missed({7}), IsEmpty());
  EXPECT_THAT(missed({0}), ElementsAre("3:3 body of the loop"));
}

TEST_P(CoverageTest, AMissingElseIsABranch) {
  instrument("int f(int *x, int n) {\n  if (n > 2)\n    x[0] = 1;\n  return n;\n}\n");
  EXPECT_THAT(missed({5}), ElementsAre("2:3 way past the if (its condition was always true)"));
  EXPECT_THAT(missed({5, 1}), IsEmpty());
}

TEST_P(CoverageTest, SwitchesAndNestedStatementsWithoutBlocks) {
  instrument("int f(int *x, int n) {\n"
             "  switch (n & 3) {\n"
             "  case 0: case 1: x[0] += 1;\n" // 3
             "  case 2:\n"                    // 4
             "    x[1] += 2;\n"
             "    break;\n"
             "  default:\n" // 7
             "    for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) if (j & 1) x[j]++; else x[j]--;\n"
             "  }\n"
             "  do x[3]++; while (--n > 0);\n"
             "  return x[0];\n"
             "}\n");
  EXPECT_THAT(missed({1, 2}),
              ElementsAre("3:3 case label", "7:3 default label", "8:5 body of the loop", "8:33 body of the loop",
                          "8:61 branch of the if", "8:85 else of the if in line 8"));
  EXPECT_THAT(missed({4, 1, 2, 7}), IsEmpty());
}

TEST_P(CoverageTest, TemplatesCountPlacesOnce) {
  instrument("template <int N> static int part(int *x, int n) {\n" // 1
             "  if (N > 4 && n > 1)\n"                             // 2
             "    return x[0];\n"
             "  return N == 4 ? x[1] : x[2];\n"
             "}\n"
             "int f(int *x, int n) { return n > 9 ? part<8>(x, n) : part<4>(x, n); }\n");
  EXPECT_THAT(missed({3}), ElementsAre("2:3 branch of the if", "6:39 first alternative of ?:"));
  EXPECT_THAT(missed({3, 12}), IsEmpty());
}

TEST_P(CoverageTest, WhatTheCompilerEvaluatesIsNoPlace) {
  instrument("static constexpr int pick(int v) { return v > 3 ? 7 : 9; }\n"
             "static constexpr int only(int v) { return v > 3 && v < 5 ? 7 : 9; }\n" // at compile time
             "int f(int *x, int n) {\n"
             "  constexpr int k = only(4) + (sizeof(long) == 8 ? 1 : 2);\n"
             "  static const int table[2] = {only(1), only(2)};\n"
             "  static_assert(k > 0 && k < 100, \"k\");\n"
             "  int lanes[sizeof(int) > 2 && k > 1 ? 4 : 8] = {};\n"
             "  if (k > 4) lanes[0] = pick(n); else lanes[0] = 5;\n" // 8: the else cannot be
             "  if (n < 0) __builtin_unreachable();\n"
             "  return table[n & 1] + lanes[0];\n"
             "}\n");
  EXPECT_THAT(missed({1}), ElementsAre("1:51 first alternative of ?:"));
  EXPECT_THAT(missed({1, 5}), IsEmpty());
}

TEST_P(CoverageTest, LambdasAndLibraryCalls) {
  instrument("#include <algorithm>\n"
             "struct Less { constexpr bool operator()(int a, int b) const { return a < b; } };\n"
             "int f(int *x, int n) {\n"
             "  const auto add = [&](int v) { return v > 4 ? v + n : v; };\n"
             "  auto unused = [](int v) { return v; };\n"
             "  std::sort(x, x + n, Less());\n"
             "  std::for_each(x, x + n, [&](int &v) { v = add(v); });\n"
             "  return n == 77 ? unused(3) : x[0];\n"
             "}\n");
  EXPECT_THAT(missed({3}),
              ElementsAre("4:48 first alternative of ?:", "5:27 body of the lambda", "8:20 first alternative of ?:"));
}

TEST_P(CoverageTest, MacrosAreLeftAloneAndSaidSo) {
  instrument("#include <cassert>\n"
             "int f(int *x, int n) {\n"
             "#define STEP if (x[0] > n) x[0] = n;\n"
             "#define LIMIT 1000\n"
             "  STEP\n"
             "  assert(n > 0 && n < 64);\n"
             "  if (n > LIMIT) x[1] = 0;\n"
             "#undef STEP\n"
             "#undef LIMIT\n"
             "  return x[0];\n"
             "}\n");
  EXPECT_THAT(missed({3}), ElementsAre("7:3 branch of the if"));
  EXPECT_THAT(unit_.hidden, ElementsAre(HasSubstr("line 5: a macro of its own hides")));
}

TEST_P(CoverageTest, NoMacroOfItsOwnHidesCode) {
  instrument("int f(int *x, int n) {\n"
             "#define RARE (n == 4097)\n"
             "#define ZEROED (n == 4098 ? 0 : x[0])\n"
             "#define EITHER (n == 4099 && x[1] == 3)\n"
             "#define PLAIN 7\n"
             "  if (RARE) x[0] = 0;\n"                    // 6
             "  if (RARE) { x[0] = 1; } else x[1] = 2;\n" // 7
             "  x[2] = ZEROED;\n"
             "  x[3] = EITHER + PLAIN;\n"
             "  return x[0];\n"
             "}\n");
  EXPECT_THAT(missed({3}), ElementsAre("6:3 branch of the if", "7:3 branch of the if"));
  EXPECT_THAT(unit_.hidden, ElementsAre(HasSubstr("line 8: "), HasSubstr("line 9: ")));
}

TEST_P(CoverageTest, VectorsAreNoConditions) {
  instrument("typedef int V __attribute__((vector_size(16)));\n"
             "template <class T> static T both(T a, T b) { return (a > b) && (b > a) ? a : b; }\n"
             "int f(int *x, int n) {\n"
             "  V a = {x[0], n, 3, 4}, b = {4, 3, 2, n};\n"
             "  V c = (a > b) ? a : b;\n"
             "  return c[0] + c[3] + both(x[0], n);\n"
             "}\n");
  EXPECT_THAT(missed({3}), Not(Contains("does not compile")));
}

TEST_P(CoverageTest, NewerLanguage) {
  if (!isAtLeast("-std=c++17"))
    return; // the rest is not C++ there
  instrument("#include <initializer_list>\ntemplate <int N> static constexpr int part(int v) {\n"
             "  if constexpr (N > 4) return v + 1;\n" // 3
             "  else if constexpr (N < 0) return 0;\n"
             "  else if (v > 3) {\n" // 5
             "    return v;\n"
             "  } else return 5;\n"
             "}\n"
             "static constexpr int table() { int s = 0; for (int i = 0; i < 9; ++i) s += i > 4 ? i : 0; return s; }\n"
             "int f(int *x, int n) {\n"
             "  constexpr int sum = table();\n"
             "  if (const int first = x[0]; first > 3) [[unlikely]] return 1;\n" // 12
             "  if (const int second = x[1]) { n += second; }\n"                 // 13
             "  for (int v : {1, 2, n}) n += v;\n"
             "  return part<2>(n) + (n > 99 ? part<8>(n) : 0) + sum;\n" // 15
             "}\n");
  EXPECT_THAT(missed({3}), ElementsAre("3:3 branch of the if", "7:10 else of the if in line 5", "12:3 branch of the if",
                                       "15:33 first alternative of ?:"));
  EXPECT_THAT(unit_.remarks, ElementsAre(HasSubstr("line 13: not measured")));
}

// The compiler writes the constructor of Padded, and its place is the struct's.
TEST_P(CoverageTest, DefaultedFunctionsHaveNoPlaces) {
  instrument("struct Padded {\n  alignas(64) int first;\n  int second = 1;\n};\n"
             "int f(int *x, int n) {\n  Padded padded;\n  padded.first = x[n];\n  return padded.first;\n}\n");
  EXPECT_THAT(unit_.remarks, IsEmpty());
  EXPECT_THAT(missed({1}), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Ways, CoverageTest,
                         testing::Values(Way{"clang++-19", "-std=c++11"}, Way{"clang++-19", "-std=c++23"},
                                         Way{"g++", "-std=c++11"}, Way{"g++", "-std=c++17"}));

TEST(Coverage, OfAFileThatIsNone) {
  std::vector<bool> ran(3);
  EXPECT_FALSE(addCoverage("", ran));
  EXPECT_FALSE(addCoverage(std::string(5, '\1'), ran));
  EXPECT_THAT(ran, ElementsAre(false, false, false));
  EXPECT_TRUE(addCoverage(std::string("\1\0\1\0", 4), ran));
  EXPECT_TRUE(addCoverage(std::string("\0\0\0\1", 4), ran));
  EXPECT_THAT(ran, ElementsAre(false, true, true));
}

} // namespace
} // namespace agentic
