// Every handled form of a baseline goes through extraction and the candidate unit, and both compilers accept the
// result.
#include "tests/source/candidate_fixture.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::ElementsAre;

struct Form {
  const char *name;
  const char *source;
  const char *header = "";
  const char *standard = "-std=c++20";
};

void PrintTo(const Form &form, std::ostream *stream) {
  *stream << form.name;
}

std::string lineEnds(const Form &form) {
  return std::string(form.name) == "Crlf" ? replaceAll(form.source, "\n", "\r\n") : std::string(form.source);
}

class Forms : public testing::TestWithParam<Form> {
protected:
  KernelSpec spec() {
    project_.write("src/k.h", GetParam().header);
    project_.write("lib/deep/table.h", "#pragma once\n#define WIDTH 8\nconstexpr float kShared[2] = {1, 2};\n");
    project_.write("src/k.cpp", lineEnds(GetParam()));
    Result<Extraction> extraction = extractKernel(project_.request("src/k.cpp", "", {"-O2", GetParam().standard}));
    EXPECT_TRUE(extraction) << extraction.error().message;
    return extraction ? extraction->spec : KernelSpec();
  }
  ScratchProject project_;
};

TEST_P(Forms, BaselineUnitCompilesToOneSymbol) {
  const KernelSpec spec = this->spec();
  ASSERT_FALSE(spec.text.empty());
  for (const Family family : {Family::Clang, Family::Gcc}) {
    const std::string candidate = baselineCandidate(spec);
    const CandidateUnit unit = unitOf(spec, candidate, family);
    ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
    expectSpansExact(unit);
    const std::string compiler = family == Family::Clang ? "clang++-19" : "g++";
    EXPECT_THAT(externalSymbols(project_, unit.text, compiler, GetParam().standard), ElementsAre(unit.symbol))
        << unit.text;
  }
}

/// A model often returns the whole file.
TEST_P(Forms, WholeFileIsACandidate) {
  const KernelSpec spec = this->spec();
  ASSERT_FALSE(spec.text.empty());
  const std::string candidate = lineEnds(GetParam());
  const CandidateUnit unit = unitOf(spec, candidate);
  ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
  expectSpansExact(unit);
  EXPECT_THAT(externalSymbols(project_, unit.text, "clang++-19", GetParam().standard), ElementsAre(unit.symbol))
      << unit.text;
}

const Form kForms[] = {
    {"Global", "AGENTIC_KERNEL void f(float *x, int n) {\n  for (int i = 0; i < n; ++i)\n    x[i] *= 2;\n}\n"},
    {"Namespaces",
     "namespace a::b {\ninline namespace v1 {\nAGENTIC_KERNEL int f(const int *x) { return x[0]; }\n}\n}\n"},
    {"FeatureTestMacroFirst", "#define _GNU_SOURCE 1\n#include <math.h>\nAGENTIC_KERNEL double f(double x) { double s, "
                              "c; sincos(x, &s, &c); return s * c; }\n"},
    {"OwnMarkerDefinition",
     "#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\nAGENTIC_KERNEL\nvoid f(float *x) { *x = 1; }\n"},
    {"Overloads",
     "#include \"k.h\"\nnamespace n {\nAGENTIC_KERNEL void f(float *x) { x[0] = 1; }\nvoid g(double *x) { x[0] = 1; "
     "}\n}\n",
     "namespace n { void f(float *); void f(double *); }\n"},
    {"Noexcept", "namespace n { AGENTIC_KERNEL void f(float *x) noexcept { *x = 1; } }\n"},
    {"HeaderDefaults", "#include \"k.h\"\nAGENTIC_KERNEL int n::f(int a, int b) { return a + b; }\n",
     "namespace n { int f(int a, int b = 3); }\n"},
    {"SourceDefaults", "#include <array>\n#include <utility>\nAGENTIC_KERNEL int f(int a, std::array<int, 2> b = {1, "
                       "2}, std::pair<int, int> c = std::pair<int, int>(1, 2)) {\n  return a + b[0] + c.first;\n}\n"},
    {"StaticKernel", "static AGENTIC_KERNEL int f(int a) { return a; }\n"},
    {"StaticHelper", "namespace n {\nstatic float relu(float x) { return x > 0 ? x : 0; }\nAGENTIC_KERNEL float "
                     "f(float x) { return relu(x); }\n}\n"},
    {"ExternalHelperOfTheFile",
     "#include \"k.h\"\nfloat relu(float x) { return x > 0 ? x : 0; }\nAGENTIC_KERNEL float f(float x) { return "
     "relu(x) + ::relu(-x); }\n",
     "float relu(float);\nfloat f(float);\n"},
    {"AnonymousHelper", "namespace n {\nnamespace {\nstruct Acc { float s = 0; void add(float x) { s += x; } };\nfloat "
                        "one() { return 1; }\n}\n"
                        "AGENTIC_KERNEL float f(const float *x) { Acc a; a.add(x[0] + one()); return a.s; }\n}\n"},
    {"DetailNamespace",
     "#include \"k.h\"\nnamespace detail { static float half(float x) { return x / 2; } }\n"
     "namespace n { namespace detail { static float twice(float x) { return x * 2 + declared(1); } }\n"
     "AGENTIC_KERNEL float f(float x) { return detail::twice(x) + ::detail::half(x) + n::detail::twice(1); } }\n",
     "namespace n { namespace detail { inline float declared(float x) { return x; } } }\n"},
    {"ForwardDeclaredHelper",
     "static int b(int);\nstatic int a(int x) { return x ? b(x - 1) : 0; }\nstatic int b(int x) { return a(x); }\n"
     "AGENTIC_KERNEL int f(int x) { return a(x); }\n"},
    {"ExternC", "extern \"C\" AGENTIC_KERNEL int f(int x) { return x; }\n"},
    {"ExternCBlock",
     "extern \"C\" {\nstatic int g(int x) { return x; }\nAGENTIC_KERNEL int f(int x) { return g(x); }\n}\n"},
    {"IncludeInLinkageBlock",
     "extern \"C\" {\n#include \"k.h\"\n}\nnamespace n { AGENTIC_KERNEL int f(int x) { return c_function(x); } }\n",
     "int c_function(int);\n"},
    {"MacroForOneHelperOnly",
     "#define foo bar\nstatic int bar(int x) { return x; }\nstatic int one(int x) { return foo(x); }\n#undef foo\n"
     "static float foo(int x) { return -x; }\n"
     "AGENTIC_KERNEL int f(int x) { float y = foo(x); return one(x) + int(y); }\n"},
    {"TypeThatAHeaderNames",
     "#include \"k.h\"\nenum { kTaps = 8 };\nstruct State_ { int taps; float memory[kTaps]; };\n"
     "AGENTIC_KERNEL void f(State *s, float *x) { for (int i = 0; i < s->taps; ++i) x[i] += s->memory[i]; }\n",
     "struct State_;\ntypedef struct State_ State;\nvoid f(State *, float *);\n"},
    {"TypeThatAHeadersMemberPointsTo",
     "#include \"k.h\"\nnamespace q { struct Inner { int x; struct Part { int y; } part; }; }\nnamespace n {\n"
     "static int twice(const q::Inner &i) { return 2 * i.x; }\n"
     "AGENTIC_KERNEL int f(const q::Outer &o) { return twice(*o.inner) + o.inner->part.y; }\n}\n",
     "namespace q { struct Inner; struct Outer { Inner *inner; }; }\nnamespace n { int f(const q::Outer &); }\n"},
    {"PrototypeInSource",
     "namespace n {\nfloat elsewhere(float);\nAGENTIC_KERNEL float f(float x) { return elsewhere(x); }\n}\n"},
    {"Span", "#include <span>\nAGENTIC_KERNEL float f(std::span<const float> x) { float s = 0; for (float v : x) s += "
             "v; return s; }\n"},
    {"Vector", "#include <vector>\n#include <cstddef>\nAGENTIC_KERNEL void f(std::vector<float> &x) { for (std::size_t "
               "i = 0; i < x.size(); ++i) x[i] += 1; }\n"},
    {"StructInHeader", "#include \"k.h\"\nvoid n::f(Mat &m) { m.at(0) = 1; }\n",
     "#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\nnamespace n { struct Mat { float *p; float &at(int i) { "
     "return p[i]; } };\nAGENTIC_KERNEL void f(Mat &m); }\n"},
    {"StructInSource",
     "namespace n {\nconstexpr int kN = 4;\nenum class Mode { A, B };\nstruct Row { float x[kN]; Mode mode; };\nusing "
     "Rows = Row *;\n"
     "AGENTIC_KERNEL float f(const Row &r, Rows o) { o[0] = r; return r.mode == Mode::B ? r.x[kN - 1] : 0; }\n}\n"},
    {"TypedefStruct",
     "typedef struct { float x, y; } Point;\nAGENTIC_KERNEL float f(const Point *p) { return p->x; }\n"},
    {"ConstexprTable",
     "namespace n { constexpr int kTable[] = {1, 2, 3}; AGENTIC_KERNEL int f(int i) { return kTable[i]; } }\n"},
    {"ConstTable", "static const struct { int a; } kTable[2] = {{1}, {2}};\nconst float kA = 1, kB = "
                   "2;\nAGENTIC_KERNEL float f(int i) { return kTable[i].a + kB; }\n"},
    {"TemplateHelper",
     "template <class T, int N>\nstatic T power(T x) { T r = 1; for (int i = 0; i < N; ++i) r *= x; return r; }\n"
     "template <class T> struct Two { T a, b; };\nAGENTIC_KERNEL int f(int x) { Two<int> t{x, power<int, 3>(x)}; "
     "return t.b; }\n"},
    {"UsingStd", "#include <algorithm>\n#include <cmath>\nusing namespace std;\nnamespace n {\nusing "
                 "std::sqrt;\nAGENTIC_KERNEL float f(float x) { return max(sqrt(x), 1.0f); }\n}\n"},
    {"MacroInFile", "#define SQUARE(x) ((x) * (x))\nAGENTIC_KERNEL int f(int x) { return SQUARE(x); }\n"},
    {"MacroInBody",
     "AGENTIC_KERNEL int f(int x) {\n#define STEP(i) x += i;\n  STEP(1) STEP(2)\n#undef STEP\n  return x;\n}\n"},
    {"MacroUndefined",
     "#define ADD 3\nstatic int g(int x) { return x + ADD; }\n#undef ADD\n#define K 1\nAGENTIC_KERNEL int f(int x) { "
     "return g(x) + K; }\n#undef K\n#define K 2\nint h() { return K; }\n"},
    {"MacroMakesHelpers", "#define DEF(name, op) static int name(int a, int b) { return a op b; }\nDEF(add, "
                          "+)\nDEF(sub, -)\nAGENTIC_KERNEL int f(int x) { return add(x, 1) * sub(x, 1); }\n"},
    {"ConditionalInFile",
     "#if defined(__GNUC__) && !defined(NEVER)\n#define V 1\nstatic int g() { return V; }\n#else\nstatic int g() { "
     "return 0; }\n#endif\nAGENTIC_KERNEL int f(int x) { return g() + x; }\n"},
    {"ConditionalInHelper", "static int g(int x) {\n#ifdef LATE\n  return nowhere(x);\n#elif defined(NEVER)\n  return "
                            "nowhere(x, x);\n#else\n  return x;\n#endif\n}\n#define LATE 1\n"
                            "AGENTIC_KERNEL int f(int x) { return g(x) + LATE; }\n"},
    {"ConditionalThatIsUndefinedLater",
     "#define EARLY\nstatic int g(int x) {\n#if defined(EARLY) && !defined(NEVER)\n  return x;\n#else\n  return "
     "nowhere(x);\n#endif\n}\n#undef EARLY\nAGENTIC_KERNEL int f(int x) { return g(x); }\n"},
    {"PackedTypes",
     "#pragma pack(push, 1)\nstruct P { char a; int b; };\n#pragma pack(push)\n#pragma pack(2)\nnamespace {\nstruct R "
     "{ "
     "char a; int b; };\n}\n#pragma pack(pop)\ntypedef struct { short a; long b; } S;\n#pragma pack(pop)\n"
     "struct Q { char a; int b; };\nAGENTIC_KERNEL int f(const P *p, const Q *q) {\n"
     "  static_assert(sizeof(P) == 5 && sizeof(R) == 6 && sizeof(S) == 10 && sizeof(Q) == 8, \"\");\n"
     "  return p->b + q->b;\n}\n"},
    {"PackedToTheEnd",
     "struct P { char a; int b; };\n#pragma pack(1)\nstruct Q { char a; int b; };\n"
     "AGENTIC_KERNEL int f(const P *p, const Q *q) {\n  static_assert(sizeof(P) == 8 && sizeof(Q) == 5, \"\");\n"
     "  return p->b + q->b;\n}\n"},
    {"RelativeHeader",
     "#include \"../lib/deep/table.h\"\n#include \"k.h\"\nAGENTIC_KERNEL float f(int i) { return kShared[i] + WIDTH; "
     "}\n",
     "#pragma once\nfloat f(int);\n"},
    {"Crlf", "#include <cstddef>\n#define TWO \\\n  2\nnamespace n {\nstatic int g(int x) {\n  return x * TWO;\n}\n/* "
             "a\n comment */\nAGENTIC_KERNEL int f(int x) {\n  return g(x);\n}\n}\n"},
    {"Qualified", "#include \"k.h\"\nAGENTIC_KERNEL void a::b::f(float *x) {\n  *x = 1;\n}\n",
     "namespace a { namespace b { void f(float *); } }\n"},
    {"Attributes",
     "[[gnu::hot]] AGENTIC_KERNEL __attribute__((noinline)) static int f [[maybe_unused]] (int x) { return x; }\n"},
    {"TrailingReturn", "namespace n { struct P { int x; }; AGENTIC_KERNEL auto f(int x) -> P { return P{x}; } }\n"},
    {"Lambda", "AGENTIC_KERNEL int f(int x) { auto g = [&](int y) { return x + y; }; return g(1); }\n"},
    {"Immintrin", "#include <immintrin.h>\nAGENTIC_KERNEL void f(float *x) {\n#ifdef __AVX2__\n  _mm256_storeu_ps(x, "
                  "_mm256_setzero_ps());\n#else\n  *x = 0;\n#endif\n}\n"},
    {"OldStandard", "AGENTIC_KERNEL int f(const int *x) { return x[0]; }\n", "", "-std=c++11"},
};

/// The project's own kernels, with the compile options that a consumer's release build has.
TEST(RealKernels, CompileToOneSymbolWithBothCompilers) {
  const fs::path root = fs::path(AGENTIC_TEST_DATA).parent_path().parent_path(), folder = root / "kernels";
  const std::string contracts = "-I" + (root / "cmake-module" / "include").string();
  int kernels = 0;
  for (const auto &entry : fs::directory_iterator(folder)) {
    const std::string kernel = entry.path().filename().string();
    if (!fs::exists(folder / kernel / "generated")) // the set quick
      continue;
    SCOPED_TRACE(kernel);
    ++kernels;
    ScratchProject project;
    ExtractRequest request =
        project.request("unused.cpp", "", {"-O3", "-DNDEBUG", "-march=native", "-std=gnu++20", contracts});
    request.kernel = kernel;
    request.source = (folder / kernel / (kernel + ".cpp")).string();
    request.projectRoot = folder.string();
    const Result<Extraction> extraction = extractKernel(request);
    ASSERT_TRUE(extraction) << extraction.error().message;
    EXPECT_TRUE(extraction->findings.empty());
    fs::create_directories(project.path("src"));
    for (const auto &file : fs::directory_iterator(folder / kernel))
      if (file.path().extension() == ".h")
        fs::copy_file(file.path(), fs::path(project.path("src")) / file.path().filename());
    for (const Family family : {Family::Clang, Family::Gcc}) {
      const CandidateUnit unit = unitOf(extraction->spec, baselineCandidate(extraction->spec), family);
      ASSERT_TRUE(unit.findings.empty()) << findingText(unit);
      EXPECT_THAT(externalSymbols(project, unit.text, family == Family::Clang ? "clang++-19" : "g++", "-std=gnu++20",
                                  {contracts}),
                  ElementsAre(unit.symbol))
          << unit.text;
    }
  }
  EXPECT_GE(kernels, 14);
}

/// Variants are compiled without it, and on other machines.
TEST(PrecompiledHeader, ItsIncludesAreThePreludes) {
  ScratchProject project;
  project.write("src/k.h", "#pragma once\n#include <cstddef>\nusing Word = unsigned;\n");
  project.write("src/k.cpp", "#include <cmath>\nAGENTIC_KERNEL Word f(const uint8_t *p, size_t n) { return p[n] + "
                             "kOwn + kFar + kOther; }\n");
  project.write("include/lib/own.h", "#pragma once\nconstexpr int kOwn = 1;\n");
  project.write("include/lib/other.h", "#pragma once\nconstexpr int kOther = 3;\n");
  project.write("far/far.h", "#pragma once\nconstexpr int kFar = 2;\n");
  const auto quoted = [&](const char *file) { return "#include \"" + project.path(file) + "\"\n"; };
  project.write("build/cmake_pch.hxx", "#pragma clang system_header\n#ifdef __cplusplus\n#include <cstdint>\n" +
                                           quoted("src/k.h") + quoted("include/lib/own.h") + quoted("far/far.h") +
                                           "#include \"lib/other.h\"\n#include <cmath>\n#endif\n");
  const std::string include = "-I" + project.path("include");
  for (const std::vector<std::string> &way :
       {std::vector<std::string>{"-include", project.path("build/cmake_pch.hxx")},
        std::vector<std::string>{"-Xclang", "-include-pch", "-Xclang", "none.pch", "-Xclang", "-include", "-Xclang",
                                 project.path("build/cmake_pch.hxx")}}) {
    std::vector<std::string> options = {"-std=c++20", include};
    options.insert(options.end(), way.begin(), way.end());
    const Result<Extraction> extraction = extractKernel(project.request("src/k.cpp", "", options));
    ASSERT_TRUE(extraction) << extraction.error().message;
    EXPECT_THAT(extraction->spec.prelude,
                ElementsAre("#include <cstdint>", "#include \"k.h\"", "#include \"lib/own.h\"",
                            "#include \"../far/far.h\"", "#include \"lib/other.h\"", "#include <cmath>",
                            "#include <cmath>"));
    for (const Family family : {Family::Clang, Family::Gcc}) {
      const CandidateUnit unit = unitOf(extraction->spec, baselineCandidate(extraction->spec), family);
      EXPECT_THAT(externalSymbols(project, unit.text, family == Family::Clang ? "clang++-19" : "g++", "-std=gnu++20",
                                  {include}),
                  ElementsAre(unit.symbol))
          << unit.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Forms, testing::ValuesIn(kForms),
                         [](const testing::TestParamInfo<Form> &info) { return std::string(info.param.name); });

} // namespace
} // namespace agentic
