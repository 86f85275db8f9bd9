#include "tests/source/candidate_fixture.h"

#include <gmock/gmock.h>

#include <random>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The result of extraction for a small kernel in a namespace, written out: these tests need no Clang parse.
KernelSpec smallSpec() {
  KernelSpec spec;
  spec.kernel = "k";
  spec.function = "bmm::f";
  spec.identifier = "f";
  spec.namespaces = {"bmm"};
  spec.text = "AGENTIC_KERNEL void f(const float *x, float *y, int n = 3) noexcept {\n  y[0] = relu(x[0]) * kA + n;\n}";
  spec.signature = "AGENTIC_KERNEL void f(const float *x, float *y, int n = 3) noexcept";
  spec.nameBegin = spec.text.find(" f(") + 1;
  spec.nameEnd = spec.nameBegin + 1;
  spec.isNoexcept = true;
  spec.parameters = {{"x", "const float *", ""}, {"y", "float *", ""}, {"n", "int", ""}};
  spec.prelude = {"#include <cstddef>", "#include \"f.h\"", "#ifndef AGENTIC_KERNEL", "#define AGENTIC_KERNEL",
                  "#endif"};
  spec.includes = {"<cstddef>", "\"f.h\""};
  spec.closure = {
      {Fragment::Kind::Function, "bmm::relu", "static float relu(float x) { return x > 0 ? x : 0; }", {"bmm"}, false},
      {Fragment::Kind::Constant, "bmm::kA", "constexpr float kA = 2;", {"bmm"}, false}};
  return spec;
}

const std::string kBody = "(const float *x, float *y, int n) noexcept { y[0] = x[0] + n; }\n";

std::string squeezed(const std::string &text) {
  return replaceAll(replaceAll(text, "\n", " "), "  ", " ");
}

TEST(CandidateUnit, LayoutOfTheUnit) {
  const CandidateUnit unit =
      unitOf(smallSpec(), "#include <cmath>\nstatic int g() { return 1; }\nvoid f" + kBody + "int h() { return 2; }\n");
  ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
  EXPECT_EQ(unit.symbol, "agentic_kernel_k__x86_64_v3__clang");
  std::size_t position = 0;
  for (const char *part :
       {"// Kernel 'k'", "#include <cstddef>", "#endif\n", "#include <cmath>\n",
        "#pragma clang attribute push(__attribute__((target(\"sse3,", "namespace bmm {\n",
        "namespace agentic_k_x86_64_v3_clang {\n", "namespace {\nstatic float relu", "kA = 2;\n} // namespace\n",
        "namespace {\nstatic int g() { return 1; }\n} // namespace\n",
        "extern \"C\" __attribute__((visibility(\"hidden\"))) void agentic_kernel_k__x86_64_v3__clang(const float *x",
        "namespace {\n\nint h()", "} // namespace bmm\n#pragma clang attribute pop\n"}) {
    const std::size_t found = unit.text.find(part, position);
    ASSERT_NE(found, std::string::npos) << part << "\n" << unit.text;
    position = found + 1;
  }
  const CandidateUnit gcc = unitOf(smallSpec(), "void f" + kBody, Family::Gcc);
  EXPECT_THAT(gcc.text, HasSubstr("#pragma GCC push_options\n#pragma GCC target(\"sse3,"));
  EXPECT_TRUE(gcc.text.ends_with("#pragma GCC pop_options\n"));
}

TEST(CandidateUnit, AllWaysOfWritingTheKernelGiveTheSameFunction) {
  const std::string expected = "void agentic_kernel_k__x86_64_v3__clang" + kBody;
  for (const std::string start : {"void f", "AGENTIC_KERNEL void f", "static void f", "inline static void f",
                                  "AGENTIC_KERNEL\nstatic inline void f", "void bmm::f", "void ::bmm::f",
                                  "extern \"C\" void f", "extern void f"}) {
    const CandidateUnit unit = unitOf(smallSpec(), start + kBody);
    ASSERT_TRUE(unit.findings.empty()) << start << findingText(unit);
    EXPECT_THAT(squeezed(unit.text), HasSubstr("((visibility(\"hidden\"))) " + squeezed(expected))) << start;
  }
  for (const std::string &candidate :
       {"namespace bmm {\nvoid f" + kBody + "}\n", "namespace bmm { namespace { void f" + kBody + "} }",
        "extern \"C\" { void f" + kBody + "}",
        "namespace bmm\n{\nvoid f(const float *, float *, int) noexcept;\nvoid f" + kBody + "}"}) {
    const CandidateUnit unit = unitOf(smallSpec(), candidate);
    ASSERT_TRUE(unit.findings.empty()) << candidate << findingText(unit);
    EXPECT_THAT(squeezed(unit.text), HasSubstr(squeezed(expected)));
    expectSpansExact(unit);
  }
}

TEST(CandidateUnit, NestedNamespacesInAnyGrouping) {
  KernelSpec spec = smallSpec();
  spec.namespaces = {"a", "b", "v1"};
  for (const std::string &candidate :
       {"namespace a::b::v1 { void f" + kBody + "}",
        "namespace a { namespace b { inline namespace v1 { void f" + kBody + "}}}",
        "namespace a::b { void f" + kBody + "}", "void a::b::v1::f" + kBody,
        "namespace a::b { int g(); } namespace a { namespace b { void f" + kBody + "} }"})
    EXPECT_TRUE(unitOf(spec, candidate).findings.empty()) << candidate << findingText(unitOf(spec, candidate));
  const CandidateUnit other = unitOf(spec, "namespace b::a { void f" + kBody + "}");
  EXPECT_TRUE(other.findings.empty()) << findingText(other);
  EXPECT_THAT(other.repairs, ElementsAre(HasSubstr("namespace")));
}

TEST(CandidateUnit, DefaultArgumentsAreDropped) {
  const CandidateUnit unit = unitOf(
      smallSpec(), "void f(const float *x, float *y = nullptr, int n = g<int, 3>(1, {2, 3}) + 1) noexcept { }\n");
  EXPECT_THAT(unit.text, HasSubstr("(const float *x, float *y, int n) noexcept { }"));
}

TEST(CandidateUnit, ConditionalsOnLevelFeaturesAreResolved) {
  const std::string candidate = "#ifdef __AVX512F__\n#include <nowhere.h>\nint wide;\n#elif defined(__AVX2__) && "
                                "!defined(__AVX512BW__)\nstatic int narrow() { return 1; }\n#else\n}}}\n#endif\n"
                                "void f" +
                                kBody;
  const CandidateUnit unit = unitOf(smallSpec(), candidate);
  ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
  EXPECT_THAT(unit.text, HasSubstr("narrow"));
  EXPECT_THAT(unit.text, Not(HasSubstr("wide")));
  EXPECT_THAT(unit.text, Not(HasSubstr("__AVX")));
  EXPECT_THAT(unit.text, Not(HasSubstr("}}}")));
  expectSpansExact(unit);
}

TEST(CandidateUnit, RepeatedSourceTextIsDropped) {
  const CandidateUnit unit = unitOf(
      smallSpec(),
      "#include <cstddef>\n#include \"f.h\"\n#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\nnamespace bmm {\n"
      "static float relu(float x) {\n  return x > 0 ? x : 0;\n}\nconstexpr float kA = 2;\nvoid f" +
          kBody + "}\n");
  ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
  EXPECT_EQ(unit.text.find("relu(float", unit.text.find("relu(float") + 1), std::string::npos);
  EXPECT_THAT(unit.text, Not(HasSubstr("namespace candidate")));
  EXPECT_EQ(unit.text.find("#include \"f.h\""), unit.text.rfind("#include \"f.h\""));
}

TEST(CandidateUnit, OwnVersionOfAClosureFunctionWins) {
  ScratchProject project;
  KernelSpec spec = smallSpec();
  spec.prelude = {};
  const CandidateUnit own = unitOf(spec, "constexpr int kA = 7; static float relu(float v) { return v * kA; }\nvoid "
                                         "f(const float *x, float *y, int n) noexcept { y[0] = relu(x[0]) + n; }\n");
  EXPECT_THAT(externalSymbols(project, own.text, "clang++-19", "-std=c++20"), ElementsAre(own.symbol)) << own.text;
  EXPECT_THAT(own.text, Not(HasSubstr("using agentic")));
  const CandidateUnit overload =
      unitOf(spec, "static double relu(double v) { return relu(float(v)); }\nvoid f(const float *x, float *y, int n) "
                   "noexcept { y[0] = relu(x[0]) + relu(1.0) + n; }\n");
  EXPECT_THAT(externalSymbols(project, overload.text, "g++", "-std=c++20"), ElementsAre(overload.symbol))
      << overload.text;
  EXPECT_THAT(overload.text, HasSubstr("using agentic_k_x86_64_v3_clang::relu;"));
}

TEST(CandidateUnit, OverloadsOfTheKernelsNameAreHelpers) {
  const CandidateUnit unit =
      unitOf(smallSpec(), "static void f(int) {}\ntemplate <class T> void f(T *, T *, T *) {}\nvoid f" + kBody);
  ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
  EXPECT_THAT(unit.text, HasSubstr("static void f(int) {}"));
}

TEST(CandidateUnit, PositionsMapBackToTheCandidate) {
  const std::string candidate = "#include <cstddef>\r\nstatic int g() {\r\n  return 41;\r\n}\r\nAGENTIC_KERNEL void "
                                "f(const float *x, float *y, int n) noexcept {\r\n  y[0] = x[0] + g();\r\n}\r\n";
  const CandidateUnit unit = unitOf(smallSpec(), candidate);
  ASSERT_TRUE(unit.findings.empty());
  const auto at = [&](const std::string &text) { return candidatePosition(unit, unit.text.find(text)); };
  EXPECT_EQ(at("41").line, 3u);
  EXPECT_EQ(at("41").column, 10u);
  EXPECT_EQ(at("const float *x").line, 5u);
  EXPECT_EQ(at("const float *x").column, 23u);
  EXPECT_EQ(at("y[0]").line, 6u);
  EXPECT_EQ(at("relu").line, 0u);
  EXPECT_EQ(at("agentic_kernel_k").line, 0u);
  EXPECT_EQ(candidatePosition(unit, 1u << 30).line, 0u);
}

TEST(CandidateUnit, CommentsAndStringsAreNoCode) {
  const CandidateUnit unit = unitOf(smallSpec(), "// namespace std { static #include \"x.h\"\n/* } */\nstatic const "
                                                 "char *g() { return \"} #define AGENTIC_KERNEL\"; }\nvoid f" +
                                                     kBody + "// }");
  EXPECT_TRUE(unit.findings.empty()) << findingText(unit);
  EXPECT_TRUE(unit.text.ends_with("#pragma clang attribute pop\n"));
}

struct BadCandidate {
  const char *text;
  unsigned line;
  const char *check, *message;
};
void PrintTo(const BadCandidate &bad, std::ostream *stream) {
  *stream << bad.text;
}

class BadCandidates : public testing::TestWithParam<BadCandidate> {};

TEST_P(BadCandidates, AreFindings) {
  const CandidateUnit unit = unitOf(smallSpec(), replaceAll(GetParam().text, "$", "void f" + kBody));
  ASSERT_FALSE(unit.findings.empty());
  EXPECT_EQ(unit.findings[0].check, GetParam().check);
  EXPECT_EQ(unit.findings[0].file, "fast.cpp");
  EXPECT_EQ(unit.findings[0].line, GetParam().line) << findingText(unit);
  EXPECT_THAT(unit.findings[0].message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadCandidates,
    testing::Values(
        BadCandidate{"", 1, "candidate-form", "no definition of the kernel function 'bmm::f'"},
        BadCandidate{"void g() {}\n", 1, "candidate-form", "no definition"},
        BadCandidate{"template <class T> void f(T x) {}\n", 1, "candidate-form", "no definition"},
        BadCandidate{"struct S { $ };\n", 1, "candidate-form", "no definition"},
        BadCandidate{"void other::f(const float *x, float *y, int n) {}\n", 1, "candidate-form", "no definition"},
        BadCandidate{"$\n$", 3, "candidate-form", "second definition"},
        BadCandidate{"$\nnamespace other {\nint x;\n}\n", 4, "candidate-form", "outside the kernel's namespaces"},
        BadCandidate{"namespace std { int x; }\n$", 1, "candidate-form", "namespace 'std' changes the library"},
        BadCandidate{"namespace bmm { namespace std { int x; } $ }", 1, "candidate-form", "namespace 'std'"},
        BadCandidate{"$\n}\n", 3, "candidate-form", "closes nothing"},
        BadCandidate{"void f() {\n  if (1) {\n}\n", 1, "candidate-form", "never closed"},
        BadCandidate{"void f( { ) }\n", 1, "candidate-form", "')' closes nothing"},
        BadCandidate{"$ /* open", 2, "candidate-form", "never closed"},
        BadCandidate{"$// a \\", 2, "candidate-form", "backslash"},
        BadCandidate{"$\n#include \"other.h\"\n", 3, "includes", "\"other.h\" is not allowed"},
        BadCandidate{"#include <thread>\n$", 1, "includes", "<thread> is not allowed"},
        BadCandidate{"#include HEADER\n$", 1, "includes", "not allowed"},
        BadCandidate{"#if __OPTIMIZE__\nint a;\n#endif\n$", 1, "directives", "only level-feature macros"},
        BadCandidate{"#ifdef __clang__\nint a;\n#endif\n$", 1, "directives", "only level-feature macros"},
        BadCandidate{"#if defined(__AVX2__) && __LINE__ > 3\n#endif\n$", 1, "directives", "only level-feature"},
        BadCandidate{"$\n#endif\n", 3, "directives", "#endif without #if"},
        BadCandidate{"#ifdef __AVX2__\n$", 1, "directives", "without #endif"},
        BadCandidate{"const char *g() { return \"caf\xc3\xa9\"; }\n$", 1, "characters", "0xc3"},
        BadCandidate{"$\nint a;\x01\n", 3, "characters", "0x01"},
        BadCandidate{"$\nint a; ?\?>\n", 3, "characters", "trigraph"},
        BadCandidate{"void g() {\n#define END }\n}\n$", 2, "directives", "opens or closes"},
        BadCandidate{"$ %> namespace a <%\n", 2, "candidate-form", "alternative spelling"},
        BadCandidate{"name\\\nspace a { }\n$", 1, "candidate-form", "split by a backslash"},
        BadCandidate{"# 1 \"other.cpp\"\n$", 1, "directives", "not allowed"},
        BadCandidate{"#line 7\n$", 1, "directives", "#line is not allowed"}));

TEST(CandidateUnit, BaselineMayHoldWhatACandidateMayNot) {
  KernelSpec spec = smallSpec();
  spec.text = "void f(const float *x, float *y, int n) {\n#ifdef PROJECT_SWITCH\n  if (n) { // \xc2\xb5\n#else\n  "
              "{\n#endif\n  y[0] = x[0]; }\n}";
  const CandidateUnit unit = unitOf(spec, baselineCandidate(spec));
  EXPECT_TRUE(unit.findings.empty()) << findingText(unit);
  EXPECT_THAT(unit.text, HasSubstr("#ifdef PROJECT_SWITCH"));
}

/// Any text must give a unit or findings, with spans in range: candidates are hostile.
TEST(CandidateUnit, SurvivesMutatedCandidates) {
  const KernelSpec spec = smallSpec();
  const std::vector<std::string> seeds = {
      spec.text,
      "#include <cmath>\n#if defined(__AVX512F__) || (__AVX2__ == 1)\nnamespace bmm { template <class T, int N = (3 > "
      "2)> T g(T x) { return x; } void f" +
          kBody + "}\n#else\n#endif\n",
      "extern \"C\" { [[gnu::hot]] void f" + kBody +
          "} struct S { S() : a{1} {} int a; }; using X = int; enum E : int { A, B };\n"};
  const std::vector<std::string> pieces = {"{",
                                           "}",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           "<",
                                           ">",
                                           "#",
                                           "\n",
                                           "\\\n",
                                           "/*",
                                           "*/",
                                           "//",
                                           "\"",
                                           "'",
                                           "R\"(",
                                           ";",
                                           "::",
                                           "namespace ",
                                           "#if ",
                                           "#endif\n",
                                           "#else\n",
                                           "#elif ",
                                           "#include ",
                                           "defined(",
                                           "f(",
                                           "operator",
                                           "template <",
                                           "extern \"C\" ",
                                           "AGENTIC_KERNEL",
                                           "=",
                                           "\r\n",
                                           "\xff",
                                           std::string(1, '\0'),
                                           "!",
                                           "&&"};
  std::mt19937 random(20261120);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  unsigned accepted = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string text = seeds[below(seeds.size())];
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size() + 1);
      if (below(3) == 0 && !text.empty())
        text.erase(at, 1 + below(12));
      else
        text.insert(at, pieces[below(pieces.size())]);
    }
    const CandidateUnit unit = unitOf(spec, text, round % 2 ? Family::Gcc : Family::Clang);
    accepted += unit.findings.empty();
    EXPECT_TRUE(!unit.findings.empty() || !unit.text.empty());
    expectSpansExact(unit);
    ASSERT_FALSE(testing::Test::HasFailure()) << text << "\n=====\n" << unit.text;
  }
  EXPECT_GT(accepted, 50u);
}

} // namespace
} // namespace agentic
