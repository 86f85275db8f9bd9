#include "tests/source/extract_fixture.h"
#include "tool/source/extract/member_layout.h"
#include "tool/source/parse/lexed_text.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

KernelSpec specOf(const std::string &text, const std::string &function = {}) {
  ScratchProject project;
  Result<Extraction> extraction = project.extract(text, function);
  EXPECT_TRUE(extraction) << extraction.error().message << "\n" << extraction.error().next;
  return extraction ? extraction->spec : KernelSpec();
}

TEST(Extract, DescribesAKernelInANamespace) {
  const std::string definition = "AGENTIC_KERNEL void matmul(const float* A, float *C, std::size_t n = 4) noexcept {\n"
                                 "  for (std::size_t i = 0; i < n; ++i)\n"
                                 "    for (std::size_t j = 0;\n         j < n; ++j)\n      C[i * n + j] = A[i];\n"
                                 "  while (n)\n    --n;\n}";
  const KernelSpec spec = specOf("#define _GNU_SOURCE 1\n#include <cstddef>\n#ifndef AGENTIC_KERNEL\n"
                                 "#define AGENTIC_KERNEL\n#endif\nnamespace bmm {\n// hot\n" +
                                 definition + "\n}\n");
  EXPECT_EQ(spec.text, definition);
  EXPECT_EQ(spec.line, 8u);
  EXPECT_EQ(spec.column, 1u);
  EXPECT_EQ(spec.function, "bmm::matmul");
  EXPECT_EQ(spec.identifier, "matmul");
  EXPECT_THAT(spec.namespaces, ElementsAre("bmm"));
  EXPECT_EQ(spec.mangled, "_ZN3bmm6matmulEPKfPfm");
  EXPECT_EQ(spec.canonicalType, "void (const float *, float *, unsigned long) noexcept");
  EXPECT_TRUE(spec.isNoexcept);
  EXPECT_FALSE(spec.isStatic);
  EXPECT_EQ(spec.text.substr(spec.nameBegin, spec.nameEnd - spec.nameBegin), "matmul");
  EXPECT_EQ(spec.signature, "AGENTIC_KERNEL void matmul(const float* A, float *C, std::size_t n = 4) noexcept");
  EXPECT_TRUE(spec.body.starts_with("{\n  for") && spec.body.ends_with("--n;\n}"));
  ASSERT_EQ(spec.parameters.size(), 3u);
  EXPECT_EQ(spec.parameters[2].name, "n");
  EXPECT_EQ(spec.parameters[2].type, "std::size_t");
  EXPECT_EQ(spec.parameters[2].canonicalType, "unsigned long");
  EXPECT_THAT(spec.prelude, ElementsAre("#define _GNU_SOURCE 1", "#include <cstddef>", "#ifndef AGENTIC_KERNEL",
                                        "#define AGENTIC_KERNEL", "#endif"));
  EXPECT_THAT(spec.includes, ElementsAre("<cstddef>"));
  ASSERT_EQ(spec.loops.size(), 3u);
  EXPECT_EQ(spec.loops[1].header, "for (std::size_t j = 0; j < n; ++j)");
  EXPECT_EQ(spec.loops[1].depth, 1);
  EXPECT_EQ(spec.loops[1].line, 10u);
  EXPECT_EQ(spec.loops[2].header, "while (n)");
  EXPECT_EQ(spec.loops[2].depth, 0);
}

TEST(Extract, TextBeginsAtTheFirstSpecifierOrAttribute) {
  for (const std::string start :
       {"AGENTIC_KERNEL static void", "static AGENTIC_KERNEL void", "[[gnu::hot]] AGENTIC_KERNEL void",
        "extern \"C\" AGENTIC_KERNEL void", "AGENTIC_KERNEL __attribute__((noinline)) void", "HOT AGENTIC_KERNEL void",
        "AGENTIC_KERNEL\nvoid", "alignas_free AGENTIC_KERNEL [[maybe_unused]] static void"}) {
    const std::string definition = start + " f(float *x) { x[0] = 1; }";
    const std::string source = "#define HOT __attribute__((hot))\n#define alignas_free\nint a;\n" + definition + "\n";
    ScratchProject project;
    const Result<Extraction> extraction = project.extract(source);
    if (start.starts_with("alignas_free")) // no attribute is permitted there: Clang's error must reach the user
      continue;
    ASSERT_TRUE(extraction) << start << ": " << extraction.error().message;
    EXPECT_EQ(extraction->spec.text, definition);
  }
}

TEST(Extract, ClosureHoldsWhatTheKernelReachesInOrder) {
  const KernelSpec spec = specOf("#include <cmath>\n"
                                 "#define SCALE 2.0f\n#define UNUSED 3\n"
                                 "namespace p {\n"
                                 "using Real = float;\n"
                                 "namespace {\nconstexpr Real kTable[2] = {1, 2}; struct Pair { Real a, b; };\n"
                                 "Real twice(Real x) { return x * SCALE; }\n}\n"
                                 "static Real unused(Real x) { return x; }\n"
                                 "static const int kA = 1, kB = 2;\n"
                                 "AGENTIC_KERNEL void f(Real *x) {\n  Pair p{kTable[kB - 1], twice(x[0])};\n"
                                 "  x[0] = std::sqrt(p.a) + p.b + __builtin_fabsf(p.a);\n}\n}\n");
  std::vector<std::string> names;
  for (const Fragment &fragment : spec.closure)
    names.push_back(fragment.text);
  EXPECT_THAT(names, ElementsAre("#define SCALE 2.0f", "using Real = float;", "constexpr Real kTable[2] = {1, 2};",
                                 "struct Pair { Real a, b; };", "Real twice(Real x) { return x * SCALE; }",
                                 "static const int kA = 1, kB = 2;"));
  EXPECT_TRUE(findFragment(spec, "Real")->inSignature);
  EXPECT_FALSE(findFragment(spec, "Pair")->inSignature);
  EXPECT_THAT(findFragment(spec, "Pair")->namespaces, ElementsAre("p", ""));
  EXPECT_THAT(spec.macros, ElementsAre("SCALE"));
  ASSERT_EQ(spec.externals.size(), 2u);
  EXPECT_EQ(spec.externals[0].name, "std::sqrt");
  EXPECT_EQ(spec.externals[1].name, "__builtin_fabsf");
  EXPECT_EQ(spec.externals[1].mangled, "");
}

TEST(Extract, SignatureTypesOfSourceAreMarked) {
  const KernelSpec spec =
      specOf("constexpr int kN = 4;\nstruct Row { float x[kN]; };\nenum class Mode { A, B };\n"
             "AGENTIC_KERNEL float f(const Row &row, Mode mode) { return mode == Mode::A ? row.x[0] : 0; }\n");
  ASSERT_EQ(spec.closure.size(), 3u);
  for (const Fragment &fragment : spec.closure)
    EXPECT_TRUE(fragment.inSignature) << fragment.name;
}

TEST(Extract, MacroThatIsRedefinedAfterUseIsAMacroFragment) {
  const KernelSpec spec =
      specOf("#define OP +\nstatic int add(int a, int b) { return a OP b; }\n#undef OP\n#define OP -\n"
             "#define ONE 1\n"
             "AGENTIC_KERNEL int f(int a) { return add(a, ONE) OP 1; }\n");
  ASSERT_EQ(spec.closure.size(), 5u);
  EXPECT_EQ(spec.closure[0].kind, Fragment::Kind::Macro);
  EXPECT_EQ(spec.closure[0].text, "#define OP +");
  EXPECT_EQ(spec.closure[2].text, "#undef OP"); // or the kernel would add
  EXPECT_EQ(spec.closure[3].kind, Fragment::Kind::Macro);
  EXPECT_EQ(spec.closure[3].text, "#define OP -");
  EXPECT_EQ(spec.closure[4].kind, Fragment::Kind::Directive);
  EXPECT_EQ(spec.closure[4].name, "ONE");
}

TEST(Extract, EachHelperHasTheMacrosOfItsPlace) {
  const std::string body = "{\n#if USE\n  return x;\n#else\n  return -x;\n#endif\n}";
  const KernelSpec spec =
      specOf("#define USE 1\nstatic int a(int x) " + body + "\n#undef USE\n#define USE 0\n" + "static int b(int x) " +
             body + "\n#ifdef NEVER\n#undef USE\n#endif\n" + "AGENTIC_KERNEL int f(int x) { return a(x) + b(x); }\n");
  std::vector<std::string> texts;
  for (const Fragment &fragment : spec.closure)
    texts.push_back(fragment.text);
  EXPECT_THAT(texts, ElementsAre("#define USE 1", "static int a(int x) " + body, "#undef USE", "#define USE 0",
                                 "static int b(int x) " + body));
}

TEST(Extract, MacrosOfTheBodyGoWhereverTheyAreUsed) {
  const KernelSpec spec = specOf("#define SQUARE(x) ((x) * (x))\n#define STORE(x) (x + OFFSET)\n"
                                 "AGENTIC_KERNEL int f(int a) {\n#define P 3\n#define OFFSET 7\n"
                                 "  return SQUARE(P + 1) + SQUARE(a) + STORE(a);\n#undef P\n#undef OFFSET\n}\n");
  EXPECT_THAT(spec.body, HasSubstr("return ((3 + 1) * (3 + 1)) + SQUARE(a) + (a + 7);"));
  ScratchProject project;
  const Result<Extraction> undone = project.extract(
      "#define limit(x) x\nAGENTIC_KERNEL int f(int a) {\n#undef limit\n  const int limit = a;\n  return limit;\n}\n");
  ASSERT_FALSE(undone);
  EXPECT_THAT(undone.error().message, HasSubstr("k.cpp:4:13: kernel 'f' undefines the macro 'limit' and then uses"));
}

TEST(Extract, DirectivesInsideDeclarationsAreNotPartOfThePrelude) {
  const KernelSpec spec =
      specOf("#ifdef X\n#define Y 1\n#else\n#define Y \\\n  2\n#endif\n"
             "static int g() {\n#define IN 1\n#ifdef X\n  return 1;\n#else\n  return IN;\n#endif\n}\n"
             "AGENTIC_KERNEL int f(int a) {\n#define LOCAL 3\n  return a + LOCAL + g() + Y;\n}\n#undef LOCAL\n");
  EXPECT_THAT(spec.prelude,
              ElementsAre("#ifdef X", "#define Y 1", "#else", "#define Y \\\n  2", "#endif", "#undef LOCAL"));
}

TEST(Extract, CrlfGivesTheSameSpecAsLf) {
  const std::string lf = "#define N \\\n  4\nstatic int g(int a) {\n  return a;\n}\nAGENTIC_KERNEL int f(int a) {\n  "
                         "return g(a) + N;\n}\n";
  std::string crlf;
  for (const char c : lf)
    crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const KernelSpec a = specOf(lf), b = specOf(crlf);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.prelude, b.prelude);
  EXPECT_EQ(a.fingerprint, b.fingerprint);
  ASSERT_EQ(b.closure.size(), 2u);
  EXPECT_EQ(b.closure[1].text, "static int g(int a) {\n  return a;\n}");
}

TEST(Extract, FingerprintIsBlindToCommentsAndLayoutOnly) {
  const std::string base =
      specOf("static int g(int a) { return a; }\nAGENTIC_KERNEL int f(int a) { return g(a); }\n").fingerprint;
  EXPECT_EQ(
      base,
      specOf(
          "// other\nstatic int g(int a)\n{ return a; /* x */ }\nAGENTIC_KERNEL int f(int  a) {\n  return g(a);\n}\n")
          .fingerprint);
  EXPECT_NE(base,
            specOf("static int g(int a) { return -a; }\nAGENTIC_KERNEL int f(int a) { return g(a); }\n").fingerprint);
}

TEST(Extract, ProjectHeadersAreThoseThatDeclareSomethingUsed) {
  ScratchProject project;
  project.write("src/used.h", "#pragma once\nfloat decode(int);\n");
  project.write("src/unused.h", "#pragma once\nfloat other(int);\n");
  project.write("include/macros.h", "#define LIMIT 5\n");
  project.write("src/k.cpp", "#include \"used.h\"\n#include \"unused.h\"\n#include \"../include/macros.h\"\n"
                             "AGENTIC_KERNEL float f(int a) { return a < LIMIT ? decode(a) : 0; }\n");
  const Result<Extraction> extraction = extractKernel(project.request("src/k.cpp"));
  ASSERT_TRUE(extraction) << extraction.error().message;
  EXPECT_THAT(extraction->spec.projectHeaders,
              ElementsAre(project.path("include/macros.h"), project.path("src/used.h")));
  EXPECT_THAT(extraction->spec.includes, ElementsAre("\"used.h\"", "\"unused.h\"", "\"../include/macros.h\""));
  ASSERT_EQ(extraction->spec.externals.size(), 1u);
  EXPECT_EQ(extraction->spec.externals[0].mangled, "_Z6decodei");
}

TEST(Extract, QualifiedDefinitionKnowsItsNamespaces) {
  const KernelSpec spec =
      specOf("namespace a { namespace b { void f(int *); } }\nAGENTIC_KERNEL void a::b::f(int *x) { *x = 1; }\n");
  EXPECT_THAT(spec.namespaces, ElementsAre("a", "b"));
  EXPECT_EQ(spec.text.substr(spec.nameBegin, spec.nameEnd - spec.nameBegin), "a::b::f");
}

TEST(Extract, AHeadersUnconditionalMarkerIsOverruled) {
  ScratchProject project;
  project.write("src/m.h", "#undef AGENTIC_KERNEL\n#define AGENTIC_KERNEL [[gnu::hot]]\n");
  const Result<Extraction> extraction =
      project.extract("#include \"m.h\"\nAGENTIC_KERNEL void f(int *x) { *x = 1; }\n");
  ASSERT_TRUE(extraction) << extraction.error().message;
  EXPECT_EQ(extraction->spec.identifier, "f");
}

TEST(Extract, MutableVariableOfSourceIsAFinding) {
  ScratchProject project;
  const Result<Extraction> extraction =
      project.extract("static float gain = 1;\nAGENTIC_KERNEL float f(float x) { return x * gain; }\n");
  ASSERT_TRUE(extraction) << extraction.error().message;
  ASSERT_EQ(extraction->findings.size(), 1u);
  EXPECT_EQ(extraction->findings[0].line, 1u);
  EXPECT_THAT(extraction->findings[0].message, HasSubstr("'gain'"));
}

TEST(Extract, FunctionChoosesAmongSeveral) {
  const std::string source =
      "namespace n { AGENTIC_KERNEL void f(int *x) { *x = 1; } AGENTIC_KERNEL void g(int *x) { *x = 2; }\n"
      "void g(float *x) { *x = 3; } }\n";
  EXPECT_EQ(specOf(source, "n::g").function, "n::g");
  EXPECT_EQ(specOf(source, "g").mangled, "_ZN1n1gEPi");
  EXPECT_EQ(specOf(source, "::n::f").function, "n::f");
}

TEST(Extract, WhereAFunctionLives) {
  const KernelSpec anonymous =
      specOf("namespace a { namespace { AGENTIC_KERNEL int f(int x) { return x; } } int g() { return f(1); } }\n");
  EXPECT_THAT(anonymous.namespaces, ElementsAre("a"));
  EXPECT_TRUE(anonymous.isStatic);

  const KernelSpec member = specOf("namespace a { struct S { struct T {}; static int f(const int *x, T *t); }; }\n"
                                   "AGENTIC_KERNEL int a::S::f(const int *x, a::S::T *) { return *x; }\n");
  EXPECT_EQ(member.function, "a::S::f");
  EXPECT_EQ(member.text, "AGENTIC_KERNEL int f(const int *x, a::S::T *) { return *x; }");
  EXPECT_EQ(member.text.substr(member.nameBegin, member.nameEnd - member.nameBegin), "f");
  EXPECT_EQ(member.written.text.substr(member.written.nameBegin, 7), "a::S::f");
  EXPECT_EQ(member.classes, 1u);
  EXPECT_THAT(member.namespaces, ElementsAre("a"));
}

struct RefusalCase {
  const char *text, *function, *message, *next;
};

class ExtractErrors : public testing::TestWithParam<RefusalCase> {};

TEST_P(ExtractErrors, SayWhatAndWhatToDo) {
  ScratchProject project;
  project.write("src/h.h", "#pragma once\nAGENTIC_KERNEL static void hot(int *x) { *x = 1; }\n");
  const Result<Extraction> extraction = project.extract(GetParam().text, GetParam().function);
  ASSERT_FALSE(extraction);
  EXPECT_THAT(extraction.error().message, HasSubstr(GetParam().message));
  EXPECT_THAT(extraction.error().next, HasSubstr(GetParam().next));
}

INSTANTIATE_TEST_SUITE_P(
    All, ExtractErrors,
    testing::Values(
        RefusalCase{"template <class T> AGENTIC_KERNEL void f(T *x) { *x = 1; }\n", "", "is a template", "no instance"},
        RefusalCase{"struct S { int n; AGENTIC_KERNEL void f(int *x) { *x = n; } };\n", "", "member function",
                    "define it outside"},
        RefusalCase{"struct S { int n; AGENTIC_KERNEL void f(int *x); };\nvoid S::f(int *x) { *x = n; }\n", "",
                    "member function", "agentic-kernel wrap --build-dir "},
        RefusalCase{"struct S { enum { kTwo = 2 }; static int f(int x); };\n"
                    "AGENTIC_KERNEL int S::f(int x) { return x * kTwo; }\n",
                    "", "uses 'kTwo' of its class", "agentic-kernel wrap"},
        RefusalCase{"AGENTIC_KERNEL inline int f(const int *x) { return *x; }\n", "", "is inline",
                    "the free function 'f_kernel' with its loops, which 'f' then calls"},
        RefusalCase{"AGENTIC_KERNEL constexpr int f(int x) { return x; }\n", "", "is constexpr",
                    "asked for while compiling"},
        RefusalCase{"#include \"h.h\"\n", "", "defined in a header", "put its definition into a .cpp"},
        RefusalCase{"namespace { struct T { int n; }; }\nAGENTIC_KERNEL void f(T *x) { x->n = 1; }\n", "", "'T *'",
                    "move that type"},
        RefusalCase{"AGENTIC_KERNEL auto f(int x) { return x; }\n", "", "deduced return type", "'f_kernel'"},
        RefusalCase{"AGENTIC_KERNEL int f(int x, ...) { return x; }\n", "", "variadic", "move its loops"},
        RefusalCase{"AGENTIC_KERNEL int main() { return 0; }\n", "", "main", "move its loops"},
        RefusalCase{"#define DEF(n) AGENTIC_KERNEL void n(int *x) { *x = 1; }\nDEF(f)\n", "", "written by a macro",
                    "is written by a macro"},
        RefusalCase{
            "#ifdef X\nAGENTIC_KERNEL void f(long *x)\n#else\nAGENTIC_KERNEL void f(int *x)\n#endif\n{ *x = 1; }\n", "",
            "conditional begins or ends", "#if"},
        RefusalCase{"void f(int *x) { *x = 1; }\n", "", "no function in", "write AGENTIC_KERNEL"},
        RefusalCase{"AGENTIC_KERNEL void f(int *x) { *x = 1; }\nAGENTIC_KERNEL void g(int *x) { *x = 1; }\n", "",
                    "'f' (line 1), 'g' (line 2)", "FUNCTION"},
        RefusalCase{"AGENTIC_KERNEL void f(int *x) { *x = 1; }\nAGENTIC_KERNEL void f(long *x) { *x = 1; }\n", "f",
                    "several marked", "one overload"},
        RefusalCase{"namespace a { AGENTIC_KERNEL void matmul(int *x) { *x = 1; } }\n", "matmull",
                    "no function 'matmull'", "did you mean FUNCTION a::matmul?"},
        RefusalCase{"AGENTIC_KERNEL void f(int *x) { *x = 1; }\nvoid g(int *x) { *x = 1; }\n", "g", "is not marked",
                    "in front"},
        RefusalCase{"AGENTIC_KERNEL void f(int *x) { *x = y; }\n", "", "unparsable", "baseline"},
        RefusalCase{"#include <missing.h>\nAGENTIC_KERNEL void f(int *x) { *x = 1; }\n", "",
                    "'missing.h' file not found", "baseline"}));

// Candidates begin with what the compiler sees of the kernel: macros of the file, which they have, stay as written.
TEST(Extract, WhatThePreprocessorDoesInsideTheKernelIsDone) {
  const std::string source = "#define SCALE 3\n#define RESULT(type) __attribute__((hot)) type\n"
                             "AGENTIC_KERNEL\nRESULT(int) f(const int *x, int n) {\n"
                             "  int s = 0;\n"
                             "#define STEP(v) do { s += (v)*SCALE; \\\n  } while (0)\n"
                             "#if defined(USE_ASM) && defined(__x86_64__)\n"
                             "  asm(\"nop\");\n"
                             "#elif SCALE == 3 // taken\n"
                             "# ifdef NOWHERE\n"
                             "  STEP(7);\n"
                             "# else\n"
                             "  for (int i = 0; i < n; ++i) STEP(x[i]);\n"
                             "# endif\n"
                             "#else\n"
                             "  return SCALE;\n"
                             "#endif\n"
                             "#undef STEP\n"
                             "#define TIMES 2\n"
                             "#if 1\n"
                             "#pragma unroll TIMES\n"
                             "#endif\n"
                             "  for (int i = 0; i < 2; ++i) s += SCALE;\n"
                             "  return s;\n"
                             "}\n";
  ScratchProject project;
  const Result<Extraction> extraction = project.extract(source);
  ASSERT_TRUE(extraction) << extraction.error().message;
  const KernelSpec &spec = extraction->spec;
  EXPECT_NE(source.find(spec.written.text), std::string::npos);
  EXPECT_EQ(spec.written.text.substr(spec.written.nameBegin, spec.written.nameEnd - spec.written.nameBegin), "f");
  EXPECT_EQ(std::ranges::count(spec.text, '\n'), std::ranges::count(spec.written.text, '\n')) << spec.text;
  EXPECT_EQ(tokenText(spec.text),
            tokenText("AGENTIC_KERNEL __attribute__((hot)) int f(const int *x, int n) {\nint s = 0;\n"
                      "for (int i = 0; i < n; ++i) do { s += (x[i])*3; } while (0);\n#define TIMES 2\n"
                      "#pragma unroll TIMES\n"
                      "for (int i = 0; i < 2; ++i) s += SCALE;\nreturn s;\n}"))
      << spec.text;
  EXPECT_EQ(spec.text.substr(spec.nameBegin, spec.nameEnd - spec.nameBegin), "f");
  EXPECT_TRUE(spec.body.starts_with("{"));
}

TEST(Extract, WordsThatSayWhereTheTextStandsAreNamed) {
  ScratchProject project;
  const auto extraction =
      project.extract("#define HERE __LINE__\n#include <cassert>\nint g(int x) { return x + __LINE__; }\n"
                      "AGENTIC_KERNEL int f(int x) {\n  assert(x > 0);\n  const int y = __LINE__;\n"
                      "  return g(x) + y + HERE +\n         int(sizeof __func__);\n}\n");
  ASSERT_TRUE(extraction) << extraction.error().message;
  ASSERT_EQ(extraction->findings.size(), 2u);
  EXPECT_EQ(extraction->findings[1].line, 6u);
  EXPECT_EQ(extraction->findings[1].column, 17u);
  EXPECT_THAT(extraction->findings[1].message, HasSubstr("'__LINE__' says where this text stands"));
  EXPECT_EQ(extraction->findings[0].line, 8u);
  EXPECT_THAT(extraction->findings[0].message, HasSubstr("'__func__'"));
}

TEST(Extract, MissingSourceIsNamed) {
  ScratchProject project;
  const Result<Extraction> extraction = extractKernel(project.request("src/none.cpp"));
  ASSERT_FALSE(extraction);
  EXPECT_THAT(extraction.error().message, HasSubstr("src/none.cpp"));
}

TEST(MemberLayouts, AreThoseOfTheStructsBehindParameters) {
  ScratchProject project;
  const Result<Extraction> extraction = project.extract(
      "#include <cstdint>\n#include <span>\n#define AGENTIC_KERNEL __attribute__((annotate(\"agentic_kernel\")))\n"
      "struct Point { float x, y; };\n"
      "struct Block { std::uint16_t scale; bool isSet; std::int8_t values[32]; Point at; int bits : 3; void *link; };\n"
      "AGENTIC_KERNEL int f(const Block *a, std::span<const Point> b, const int *c, int n) { return n + c[0]; }\n");
  ASSERT_TRUE(extraction) << extraction.error().message;
  const auto layouts = memberLayouts(extraction->spec);
  ASSERT_TRUE(layouts) << layouts.error().message;
  ASSERT_EQ(layouts->size(), 2u);
  std::string text;
  for (const auto &[parameter, members] : *layouts)
    for (const ScalarMember &member : members)
      text += parameter + "." + member.name + ":" + std::to_string(int(member.kind)) + "@" +
              std::to_string(member.offset) + "+" + std::to_string(member.size) + "*" + std::to_string(member.count) +
              " ";
  EXPECT_EQ(text, "a.scale:1@0+2*1 a.values:0@3+1*32 a.at.x:2@36+4*1 a.at.y:2@40+4*1 b.x:2@0+4*1 b.y:2@4+4*1 ");
}

} // namespace
} // namespace agentic
