// Tests properties of the table, and of units as a whole.
#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

namespace agentic::checks {
namespace {

namespace fs = std::filesystem;

TEST(Registry, EveryCheckHasASummary) {
  for (const CheckInfo &info : allChecks())
    EXPECT_FALSE(info.summary.empty()) << info.name;
}

TEST(RunChecks, FindingsStandInOrderWithTheirOffsets) {
  CheckRequest request;
  request.path = "/nowhere/x.cpp";
  request.text = "static int b;\n  static int a; int f() { throw 1; }\n";
  request.arguments = {"-std=c++17"};
  auto outcome = runChecks(request);
  ASSERT_TRUE(outcome);
  ASSERT_EQ(outcome->findings.size(), 3u);
  EXPECT_EQ(outcome->findings[0].line, 1u);
  EXPECT_EQ(outcome->findings[1].line, 2u);
  EXPECT_EQ(outcome->findings[1].column, 14u);
  EXPECT_EQ(outcome->findings[1].file, "/nowhere/x.cpp");
  EXPECT_EQ(outcome->findings[2].check, "exceptions");
  EXPECT_EQ(request.text.substr(outcome->offsets[1], 2), "a;");
}

TEST(RunChecks, ManyErrorsAreOnesOfTheText) {
  std::string text;
  for (int i = 0; i < 30; ++i)
    text += "int f" + std::to_string(i) + "() { return undeclared; }\n";
  EXPECT_EQ(outcomeOf(text).errors.size(), 20u); // "too many errors" has no place, as wrong arguments have none
}

TEST(RunChecks, ErrorsOfClangAreReportedWithTheirPlace) {
  CheckOutcome outcome = outcomeOf("int f() {\n  return undeclared;\n}\nstatic int state;");
  ASSERT_EQ(outcome.errors.size(), 1u);
  EXPECT_EQ(outcome.errors[0].check, "clang");
  EXPECT_EQ(outcome.errors[0].line, 2u);
  EXPECT_EQ(outcome.errorOffsets[0], 19u);
  EXPECT_THAT(outcome.errors[0].message, testing::HasSubstr("undeclared"));
}

TEST(RunChecks, RequestThatCannotBe) {
  CheckRequest request;
  request.path = "x.cpp";
  request.text = "int f();";
  request.workingDirectory = "/nowhere/at/all";
  EXPECT_FALSE(runChecks(request));
  request.workingDirectory = "/";
  request.arguments = {"-std=c++99"};
  auto outcome = runChecks(request);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, testing::HasSubstr("c++99"));
  request.arguments.clear();
  request.own = {{4, 99}};
  EXPECT_FALSE(runChecks(request));
}

TEST(RunChecks, LineMarkersDoNotMoveOwnText) {
  // The classic evasion: pretend to be a system header.
  CheckOutcome outcome = outcomeOf("# 1 \"/usr/include/math.h\" 1 3\nstatic int cache;\n");
  EXPECT_THAT(outcome.findings, testing::Contains(testing::Field(&Finding::check, "state-outlives-call")));
  EXPECT_EQ(outcome.findings.back().line, 2u);
}

TEST(RunChecks, TextOutsideOwnRangesIsFree) {
  CheckRequest request;
  request.path = "/nowhere/x.cpp";
  request.text = "static int tool;\nnamespace k {\nint own() { return 1; }\n}\nint *f() { return new int; }\n";
  request.own = {{31, 54}};
  request.kernelSymbol = "";
  auto outcome = runChecks(request);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->findings.empty());
  EXPECT_TRUE(outcome->errors.empty());
}

TEST(RunChecks, RunawayConstantsEnd) {
  EXPECT_FALSE(
      outcomeOf("constexpr int f() { while (true) {} return 1; }\nconstexpr int kValue = f();").errors.empty());
  EXPECT_FALSE(outcomeOf("template <int N> struct R { static constexpr int v = R<N + 1>::v; };\n"
                         "constexpr int kV = R<0>::v;")
                   .errors.empty());
}

std::string repeated(const std::string &text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i)
    result += text;
  return result;
}

TEST(RunChecks, NestingEnds) {
  EXPECT_FALSE(outcomeOf("int g() { return " + repeated("(", 5000) + "1" + repeated(")", 5000) + "; }").errors.empty());
  // Each of these is a level of recursion in the parser, which would overflow without a bound.
  EXPECT_FALSE(outcomeOf("int u() { return " + repeated("+ ", 100000) + "1; }").errors.empty());
  std::string chain = repeated("if (x == 1) x = 2; else ", 4000);
  EXPECT_TRUE(outcomeOf("static int c(int x) { " + chain + "x = 3; return x; }").errors.empty());
}

TEST(RunChecks, MacrosThatDoubleEnd) {
  std::string doubling = "int m() {\n#define M0 1;\n";
  for (int i = 1; i < 40; ++i)
    doubling += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " M" + std::to_string(i - 1) + "\n";
  EXPECT_FALSE(outcomeOf(doubling + "M39 }").errors.empty());
}

TEST(RunChecks, VectorHeaders) {
  Unit unit;
  unit.mocks = "#include <immintrin.h>\n#include <cmath>\n#include <algorithm>";
  unit.arguments = {"-std=c++20", "-mavx512f", "-mfma"};
  expectFindings(R"cpp(namespace {
__m512 a(const float *p) { return _mm512_fmadd_ps(_mm512_loadu_ps(p), _mm512_set1_ps(2), _mm512_setzero_ps()); }
float b(const float *p) { return _mm512_reduce_add_ps(a(p)) + std::sqrt(std::max(p[0], std::fabs(p[1]))); }
__m256 c(__m256 x) { return _mm256_permute_ps(_mm256_blend_ps(x, x, 3), _MM_SHUFFLE(0, 1, 2, 3)); }
unsigned long long d() { return __rdtsc(); }
}
)cpp",
                 {{"io-and-clocks", 5}}, unit);
}

// A unit in C is judged like one in C++, and advised in words that it has.
TEST(RunChecks, UnitsInC) {
  Unit unit;
  unit.arguments = {"-std=c99", "-x", "c"};
  unit.addKernel = false;
  const std::string code = R"c(extern int outside(void) { return 1; }
const int kSeen = 1;
static int *const kKept = (int[2]){1, 2};
static int calls;
static int implicit(void) { return system("true") + mystery(); }
static int old(void) { extern int time(); return time(0); }
static int counted(void) { static int n; return ({ static int m; m++; }) + n++ + calls++ + kKept[0]; }
static int forged(void) { return ((int (*)(void))0x1000)(); }
static const int kTable[2] = {1, 2};
static void write_constant(void) { *(int *)kTable = 3; }
void agentic_kernel_test(void) { outside(); old(); counted(); forged(); write_constant(); }
)c";
  const CheckOutcome outcome = outcomeOf(code, unit);
  const auto finds = [&](const std::string &check, unsigned line) {
    EXPECT_TRUE(std::ranges::any_of(
        outcome.findings, [&](const Finding &finding) { return finding.check == check && finding.line == line; }))
        << check << " in line " << line;
  };
  finds("declarations-outside", 1);
  finds("declarations-outside", 2);
  for (const unsigned line : {3u, 4u, 7u})
    finds("state-outlives-call", line);
  for (const unsigned line : {5u, 6u})
    finds("io-and-clocks", line);
  for (const unsigned line : {5u, 8u}) // C declares what is called, if it must
    finds("calls", line);
  finds("const-casts", 10);
  for (const Finding &finding : outcome.findings)
    for (const char *word : {"constexpr", "extern \"C\""})
      EXPECT_THAT(finding.message, testing::Not(testing::HasSubstr(word)));
}

} // namespace
} // namespace agentic::checks
