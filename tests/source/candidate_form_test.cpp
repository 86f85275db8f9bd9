// What people and models write around a right kernel is repaired; what only looks like it stays, and is found.
#include "tests/source/candidate_fixture.h"
#include "tool/source/candidate/candidate_form.h"
#include "tool/source/candidate/own_macros.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

KernelSpec spec() {
  KernelSpec spec;
  spec.kernel = "k";
  spec.function = "bits::f";
  spec.identifier = "f";
  spec.namespaces = {"bits"};
  spec.signature = "unsigned f(const unsigned *x, unsigned n)";
  spec.text = spec.signature + " {\n  return x[0] + n; // \xc2\xb5s\n}";
  spec.nameBegin = spec.text.find("f(");
  spec.nameEnd = spec.nameBegin + 1;
  spec.parameters = {{"x", "const unsigned *", ""}, {"n", "unsigned", ""}};
  spec.prelude = {"#include \"bits.h\""};
  spec.includes = {"\"bits.h\""};
  return spec;
}

const std::string kKernel = "unsigned f(const unsigned *x, unsigned n) {\n  return n + x[0];\n}\n";

struct Form {
  std::string text;   ///< '$' is the kernel
  std::string repair; ///< words of the repair
};
void PrintTo(const Form &form, std::ostream *stream) {
  *stream << form.text;
}

std::string whole(const std::string &text) {
  return replaceAll(text, "$", kKernel);
}

class HarmlessForms : public testing::TestWithParam<Form> {};

TEST_P(HarmlessForms, AreRepairedAndNamed) {
  const CandidateUnit unit = unitOf(spec(), whole(GetParam().text));
  EXPECT_TRUE(unit.findings.empty()) << findingText(unit);
  EXPECT_THAT(unit.repairs, testing::ElementsAre(HasSubstr(GetParam().repair)));
  const bool isAscii = std::ranges::all_of(unit.text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
  EXPECT_TRUE(isAscii) << unit.text;
  EXPECT_THAT(unit.text, HasSubstr("return n + x[0];"));
  EXPECT_THAT(unit.text, Not(HasSubstr("pragma once")));
}

INSTANTIATE_TEST_SUITE_P(
    All, HarmlessForms,
    testing::Values(
        Form{"\xef\xbb\xbf$", "byte order mark"}, Form{"\xef\xbb\xbf#include <cstdint>\r\n$", "byte order mark"},
        Form{"#pragma once\n$", "'#pragma once'"}, Form{"  # pragma  once // first\n$", "'#pragma once'"},
        Form{"// A kernel.\n#pragma once\n#include <cstddef>\n$", "'#pragma once'"},
        Form{"#pragma once\n#pragma once\n$", "'#pragma once'"},
        Form{"#ifndef F_H\n#define F_H\n$#endif\n", "include guard 'F_H'"},
        Form{"/* A. */\n#ifndef F_H_\n#define F_H_\n\n#include <cmath>\n$\n#endif // F_H_\n// end\n", "include guard"},
        Form{"#ifndef F_H\n#define F_H\n#ifdef __AVX2__\nint a;\n#else\nint b;\n#endif\n$#endif\n", "include guard"},
        Form{"#if !defined(F_H)\n#define F_H 1\n$#endif\n", "include guard 'F_H'"},
        Form{"#if !defined F_H\n#define F_H\n$#endif\n", "include guard"}, Form{"~~~ cpp\n$~~~\n", "code fence"},
        Form{"```\n$```\n", "code fence"}, Form{"```cpp\n$```\n", "code fence"}, Form{"\n```c++\n$\n```", "code fence"},
        Form{"$```", "code fence"}, Form{"```cpp\n$", "code fence"}, Form{"\f$", "form feeds"},
        Form{"$\v\f\n", "form feeds"}, Form{"#include \"include/bits.h\"\n$", "#include \"include/bits.h\""},
        Form{"#include <bits.h>\n$", "#include <bits.h>"}, Form{"#include \"../src/bits.h\" // own\n$", "left out"},
        Form{"// 4\xc3\x97 unrolled\n$", "characters in comments"},
        Form{"// a \xe2\x80\x93 b \xe2\x80\x94 c\n$", "characters in comments"},
        Form{"/* \xe2\x80\x9cquoted\xe2\x80\x9d\n   \xe2\x80\xa6 */\n$", "characters in comments"},
        Form{"#include <cmath> // f\xc3\xbcr\n$", "characters in comments"},
        Form{"int a; // \xce\xa3\n$", "characters in comments"},
        Form{"int a /* \xf0\x9f\x9a\x80 */ = 1;\n$// \xe2\x9c\x93", "characters in comments"},
        Form{"unsigned f(const unsigned *x, unsigned n) noexcept {\n  return n + x[0];\n}\n", "'noexcept' is left out"},
        Form{"unsigned pop(unsigned v) { return unsigned(std::popcount(v)); }\n$", "#include <bit> is added"},
        Form{"int least(int a, int b) { return std::min(a, b); }\n$", "#include <algorithm> is added"},
        Form{"#ifdef __AVX2__\n__m256i zero() { return _mm256_setzero_si256(); }\n#endif\n$",
             "#include <immintrin.h> is added"},
        Form{"namespace kernels {\nint g() { return 1; }\n$}\n", "namespace around the kernel"},
        Form{"namespace my::fast {\n$} // namespace\n", "namespace around the kernel"},
        Form{"using namespace std;\n$", "'using namespace std;' is moved"},
        Form{"double root(double v) { return std::sqrt(v); }\n$", "#include <cmath> is added"},
        Form{"#define STEP(k, sum) sum += k;\nint g(int a) { STEP(1, a) STEP(2, a) return a; }\n$",
             "macros are expanded: STEP"},
        Form{"#define TWICE(x) x x\nint g(int a) { TWICE(++a;) return a; }\n#undef TWICE\n$", "expanded: TWICE"},
        Form{"#define INLINE static inline\n#define likely(x) __builtin_expect(!!(x), 1)\n"
             "INLINE int g(int a) { return likely(a > 0) ? 1 : 2; }\n$",
             "expanded: INLINE, likely"},
        Form{"#define ALL(...) h(__VA_ARGS__)\nint h(int a, int b) { return a + b; }\nint g() { return ALL(1, 2); }\n$",
             "expanded: ALL"},
        Form{"#ifdef __AVX2__\n#define LANES(x) (8 * (x))\n#else\n#define LANES(x) (4 * (x))\n#endif\n"
             "static_assert(LANES(2) == 16);\n$",
             "expanded: LANES"},
        Form{"int g(int a) {\n#define ADD(x) \\\n  a += x;\n  ADD(1)\n#undef ADD\n  return a;\n}\n$", "expanded: ADD"},
        Form{"#define UNUSED(x)\n$", "expanded: UNUSED"},
        Form{"#define A /* \xc3\x97 */ 1\nint a = A;\n$", "macros are expanded: A"},
        Form{"Here it is:\n\n```cpp\n$```\n\nIt keeps the order of f(x).\n", "the text around the code fence"},
        Form{"  ```\n$  ```\n", "code fence"},
        Form{"__attribute__((target(\"avx2,fma\"))) int g() { return 1; }\n__attribute__((target(\"avx2\")))\n$",
             "'target' attributes are left out"},
        Form{"unsigned f(const unsigned *x, unsigned n) noexcept(true) {\n  return n + x[0];\n}\n",
             "'noexcept' is left out"}));

class HostileLookAlikes : public testing::TestWithParam<Form> {};

TEST_P(HostileLookAlikes, AreFindings) {
  const CandidateUnit unit = unitOf(spec(), whole(GetParam().text));
  ASSERT_FALSE(unit.findings.empty()) << unit.text;
  EXPECT_THAT(findingText(unit), HasSubstr(GetParam().repair));
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileLookAlikes,
    testing::Values(Form{"$\xef\xbb\xbf", "characters"}, Form{"int a\xef\xbb\xbf;\n$", "characters"},
                    Form{"#ifndef F_H\n#define F_H 2\n$#endif\n", "directives"},
                    Form{"#if !defined(F_H) && 1\n#define F_H\n$#endif\n", "directives"},
                    Form{"#if defined(F_H)\n#define F_H\n$#endif\n", "directives"},
                    Form{"#ifndef F_H\n#define F_H\n$#else\nint x;\n#endif\n", "directives"},
                    Form{"#ifndef F_H\n#define F_H\n$#endif\nint outside;\n", "directives"},
                    Form{"int outside;\n#ifndef F_H\n#define F_H\n$#endif\n", "directives"},
                    Form{"#ifndef F_H\n#define F_H\nint g() { return F_H 1; }\n$#endif\n", "directives"},
                    Form{"#ifndef F_H\n#define F_H\n#undef F_H\n$#endif\n", "directives"},
                    Form{"#ifndef F_H\n#define G_H\n$#endif\n", "directives"},
                    Form{"#ifndef F_H\n#define F_H\n#endif\n$#ifndef G\n#endif\n", "directives"},
                    Form{"#ifndef NDEBUG\nint a;\n#endif\n$", "directives"},
                    Form{"#ifdef F_H\n#define F_H\n$#endif\n", "directives"},
                    Form{"int a; {\n```\n$```\n", "candidate-form"}, Form{"#include \"bits.hpp\"\n$", "includes"},
                    Form{"#include \"bits.h.h\"\n$", "includes"}, Form{"#include \"bits.h/other\"\n$", "includes"},
                    Form{"#include \"notbits.h\"\n$", "includes"},
                    Form{"const char *a = \"4\xc3\x97\";\n$", "characters"},
                    Form{"char a = '\xc3\x97';\n$", "characters"}, Form{"int dist\xc3\xa9;\n$", "characters"},
                    Form{"int a =\xc2\xa0"
                         "1;\n$",
                         "characters"},
                    Form{"const char *a = R\"(// \xc3\x97)\";\n$", "characters"},
                    Form{"// \xc3\x97 \\\nint a;\n$", "characters"}, Form{"// \xc3\x97 ?\?/\nint a;\n$", "characters"},
                    Form{"// \xe2\x80\xae"
                         "evil\xe2\x80\xac\n$",
                         "characters"},
                    Form{"// \xe2\x80\xa8 next\n$", "characters"}, Form{"/* a\xe2\x80\x8b */\n$", "characters"},
                    Form{"// \xc3\n$", "characters"}, Form{"// \x80\n$", "characters"},
                    Form{"// \xc0\xaf\n$", "characters"}, Form{"// \xff\xfe\n$", "characters"},
                    Form{"// \x01\n$", "characters"}, Form{"/* \xc3\x97 *\\\n/ int a; /* */\n$", "characters"},
                    Form{"const char *a = \"\f\";\n$", "characters"}));

TEST(CandidateForm, AUsingDirectiveReachesOnlyTheFunctionsBehindIt) {
  const CandidateUnit unit =
      unitOf(spec(), "int g() { return 1; }\nusing namespace std;\nint h() { return 2; }\n" + kKernel);
  EXPECT_THAT(unit.text, HasSubstr("int g() { return 1; }"));
  EXPECT_THAT(unit.text, HasSubstr("int h() { using namespace std; return 2; }"));
  EXPECT_THAT(unit.text, HasSubstr("unsigned n) { using namespace std;\n"));
  EXPECT_EQ(unit.text.find("\nusing namespace std;"), std::string::npos);
}

TEST(CandidateForm, LinesStayWhereTheyWere) {
  const std::string text = "\xef\xbb\xbf```cpp\n#pragma once\n#include \"a/bits.h\"\n// \xc3\x97\n" + kKernel + "```\n";
  const CandidateForm form = repairForm(spec(), nullptr, text);
  EXPECT_EQ(std::ranges::count(form.text, '\n'), std::ranges::count(text, '\n'));
  EXPECT_EQ(form.repairs.size(), 5u);
  EXPECT_THAT(form.text, HasSubstr("// x\n" + kKernel));
  const CandidateUnit unit = unitOf(spec(), text);
  EXPECT_EQ(candidatePosition(unit, unit.text.find("return n")).line, 6u);
}

TEST(CandidateForm, ARepairedTextIsRepaired) {
  for (const char *text : {"#pragma once\n$", "```\n$```\n", "// \xc3\x97\n$", "#ifndef A_H\n#define A_H\n$#endif\n"}) {
    const CandidateForm form = repairForm(spec(), nullptr, repairForm(spec(), nullptr, whole(text)).text);
    EXPECT_TRUE(form.repairs.empty()) << text;
  }
}

// Candidates are hostile: each of these took minutes when a part of the work was done again for every character.
TEST(CandidateForm, LongTextsAreRepairedAtOnce) {
  const std::string line = "// " + std::string(200000, 'x') + "\xc3\x97\n";
  EXPECT_EQ(repairForm(spec(), nullptr, line + kKernel).text, "// " + std::string(200000, 'x') + "x\n" + kKernel);
  const std::string feeds = std::string(100000, '\f') + replaceAll(std::string(15000, '$'), "$", "int a;\n") + kKernel;
  EXPECT_EQ(repairForm(spec(), nullptr, feeds).text, replaceAll(feeds, "\f", " "));
  const std::string comments = replaceAll(std::string(40000, '$'), "$", "// \xc3\x97\n");
  EXPECT_EQ(repairForm(spec(), nullptr, comments + kKernel).text, replaceAll(comments, "\xc3\x97", "x") + kKernel);
}

TEST(CandidateForm, WhatTheKernelItselfHasStays) {
  const CandidateForm form = repairForm(spec(), nullptr, baselineCandidate(spec()));
  EXPECT_TRUE(form.repairs.empty());
  EXPECT_THAT(form.text, HasSubstr("// \xc2\xb5s"));
}

TEST(CandidateForm, HeadersThatAreThereAreNotAdded) {
  const auto missing = [](const KernelSpec &spec, const std::string &text) {
    return missingHeaders(spec, lexText(text));
  };
  const std::string use = "int a = std::popcount(1u);";
  EXPECT_THAT(missing(spec(), use), testing::ElementsAre("<bit>"));
  EXPECT_THAT(missing(spec(), "#include <bit>\n" + use), testing::IsEmpty());
  EXPECT_THAT(missing(spec(), "int popcount(int); int a = popcount(1);"), testing::IsEmpty());
  KernelSpec knows = spec();
  knows.text += "// std::popcount";
  EXPECT_THAT(missing(knows, use), testing::IsEmpty());
  EXPECT_THAT(missing(spec(), "#include <emmintrin.h>\n__m128i a;"), testing::IsEmpty());
}

TEST(CandidateForm, AForbiddenHeaderIsNotAdded) {
  KernelSpec forbids = spec();
  forbids.policy.forbid.headers = {"<bit>"};
  const CandidateUnit unit =
      unitOf(forbids, "unsigned g(unsigned v) { return unsigned(std::popcount(v)); }\n" + kKernel);
  EXPECT_TRUE(unit.repairs.empty());
}

std::string expanded(const std::string &text) {
  return expandOwnMacros(spec(), findLevel("x86-64-v3"), text).text;
}

TEST(OwnMacros, ExpandAsACompilerDoes) {
  EXPECT_EQ(expanded("#define F(x) x * x\nF(a + b)"), "\na + b * a + b");
  EXPECT_EQ(expanded("#define F(x) -x\n-F(-1)+F(2)"), "\n- - -1+ -2");
  EXPECT_EQ(expanded("#define F(x) G(x)\n#define G(x) F(x)\nF(1)"), "\n\nF(1)"); // no name comes from itself
  EXPECT_EQ(expanded("#define F(x) x\nF(F)(1)"), "\nF(1)");
  EXPECT_EQ(expanded("#define F(x) x\n#define G F\nG(2) F"), "\n\n2 F"); // the parenthesis comes from the text
  EXPECT_EQ(expanded("#define F() 1\nF() F"), "\n1 F");
  EXPECT_EQ(expanded("#define F(x, ...) x{__VA_ARGS__}\nF(a) F(b, 1, (2, 3))"), "\na{} b{1, (2, 3)}");
  EXPECT_EQ(expanded("#define F(x) x\nF((a, b)) F([a])"), "\n(a, b) [a]");
  EXPECT_EQ(expanded("#define F(x)\n#define G(x) +x\na F(1)b +G(1)+"), "\n\na  b + +1+");
  EXPECT_EQ(expanded("#define F(x) x;\nF(\n  1)\nb"), "\n1;\n\nb"); // lines keep their numbers
  EXPECT_EQ(expanded("#define F(x) x\n\"F(1)\" /* F(1) */ F(2)"), "\n\"F(1)\" /* F(1) */ 2");
  EXPECT_EQ(expanded("#define F(x) x\nF(1)\n#undef F\nF(1)\n#define F(y) [y]\nF(1)"), "\n1\n\nF(1)\n\n[1]");
}

TEST(OwnMacros, ConditionalsDecideWhereTheyCan) {
  EXPECT_EQ(expanded("#ifdef __AVX2__\n#define F(x) 2 x\n#else\n#define F(x) 1 x\n#endif\nF(0)"),
            "#ifdef __AVX2__\n\n#else\n#define F(x) 1 x\n#endif\n2 0");
  EXPECT_EQ(expanded("#ifdef __AVX512F__\n#define F(x) 2 x\n#else\n#define F(x) 1 x\n#endif\nF(0)"),
            "#ifdef __AVX512F__\n#define F(x) 2 x\n#else\n\n#endif\n1 0");
  const std::string own = "#ifdef X\n#define F(x) 2\nF(0)\n#undef F\n#else\n#define F(x) 1\nF(0)\n#endif\n";
  EXPECT_EQ(expanded(own), "#ifdef X\n\n2\n\n#else\n\n1\n#endif\n");
  EXPECT_EQ(expanded(own + "F(0)"), own + "F(0)");
  const std::string undone = "#define F(x) 2\n#ifdef X\n#undef F\n#endif\nF(0)";
  EXPECT_EQ(expanded(undone), undone);
}

TEST(OwnMacros, LegalOnesAndThoseOfSourceStay) {
  const std::string local = "int g() {\n#define N 4\n  return N;\n}\n";
  EXPECT_EQ(expanded(local), local);
  KernelSpec known = spec();
  known.prelude = {"#define SCALE(x) (2 * (x))"};
  const std::string same = "#define SCALE(x) (2 * (x))\nint g() { return SCALE(1); }\n";
  EXPECT_EQ(expandOwnMacros(known, nullptr, same).text, same);
  const std::string other = "#define SCALE(x) (3 * (x))\nint g() { return SCALE(1); }\n";
  EXPECT_EQ(expandOwnMacros(known, nullptr, other).text, other);
}

TEST(OwnMacros, WhatCouldHideSomethingStays) {
  for (const std::string text :
       {"#define PASTE(a, b) a##b\nint PASTE(sta, tic) = 1;", "#define TEXT(a) #a\nconst char *t = TEXT(x);",
        "#define __builtin_expect(a, b) a\n__builtin_expect(1, 2)", "#define assert(x)\n#define ID(x) x\nID(1)",
        "#define AGENTIC_KERNEL(x)\nAGENTIC_KERNEL(1)", "#define const\nconst int a = 1;",
        "#define while(x) if (x)\nwhile (1) {}", "#define OPEN(x) {\nint g() OPEN(1) return 1; }",
        "#define A(x) x x x x x x x x\nint a[] = {A(A(A(A(A(A(A(1,)))))))};",
        "#ifdef NDEBUG\n#define V(x) 1\n#else\n#define V(x) 2\n#endif\nint g() { return V(0); }",
        "#define N(x) 8\n#if N(1) > 4\nint a;\n#endif", "#define N(x) 8\n#pragma GCC unroll N(1)",
        "#define F(a, b) a + b\nint g() { return F(1); }", "#define F(a) a\nint g() { return F(1\n#define E\n); }",
        "#define F(a) a\nint g() { return F(1; }", "#define F(a b) a\nF(1)", "#define F(a\nF(1)", "#define (a) a\n",
        "#define F(...) __VA_OPT__(1)\nF(2)"})
    EXPECT_EQ(expanded(text), text);
}

TEST(OwnMacros, HostileTextsEndSoon) {
  std::string many = "#define F(x) x\n";
  for (int i = 0; i < 30000; ++i)
    many += "#ifdef A" + std::to_string(i) + "\n#define F(x) x\n#endif\n";
  EXPECT_EQ(expanded(many), many);
  std::string deep = "#define F(x) x x\n";
  for (int i = 0; i < 2000; ++i)
    deep += "F(";
  EXPECT_EQ(expanded(deep), deep);
  std::string nested = "1";
  for (int i = 0; i < 200; ++i)
    nested = "F(" + nested + ")";
  EXPECT_EQ(expanded("#define F(x) x x\n" + nested), "#define F(x) x x\n" + nested);
}

} // namespace
} // namespace agentic
