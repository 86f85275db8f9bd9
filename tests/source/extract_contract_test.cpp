// Tests the contract macros through the real parse: from a SOURCE text to KernelSpec::contract, and their effect on
// candidates, hashes and generated text.
#include "tests/source/candidate_fixture.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char *kGuards = "#include <cstddef>\n#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n"
                                "#ifndef AGENTIC_IN\n#define AGENTIC_IN(...)\n#define AGENTIC_OUT(...)\n"
                                "#define AGENTIC_REQUIRES(...)\n#define AGENTIC_TOLERANCE(...)\n"
                                "#define AGENTIC_SPECIAL_VALUES\n#endif\n";
constexpr const char *kContract = "AGENTIC_KERNEL\nAGENTIC_IN(A, M  *  K) AGENTIC_OUT(C, M * K)\n"
                                  "AGENTIC_REQUIRES(K % 32 == 0) // of a word\nAGENTIC_TOLERANCE(absolute 0.01)\n";
constexpr const char *kFunction =
    "void matmul(const float *A, float *C, std::size_t M, std::size_t K) {\n  C[M * K - 1] = A[0];\n}";

std::string source(const std::string &before, const std::string &function = kFunction) {
  return kGuards + std::string("namespace bmm {\nint one();\n") + before + function + "\n}\n";
}

Result<Extraction> extracted(const std::string &text) {
  ScratchProject project;
  return project.extract(text);
}

KernelSpec contractSpecOf(const std::string &text) {
  const Result<Extraction> extraction = extracted(text);
  EXPECT_TRUE(extraction) << extraction.error().message;
  return extraction ? extraction->spec : KernelSpec();
}

TEST(ExtractContract, StandsInTheSpecAndInTheKernelsText) {
  const KernelSpec spec = contractSpecOf(source(kContract));
  EXPECT_THAT(contractLines(spec.contract),
              ElementsAre("in A[M * K]", "out C[M * K]", "requires K % 32 == 0", "tolerance absolute 0.01"));
  EXPECT_EQ(spec.text, std::string(kContract) + kFunction); // so an edit of it makes the variants stale
  EXPECT_TRUE(mayReassociate(spec));
  EXPECT_THAT(spec.macros, IsEmpty());
  EXPECT_THAT(spec.closure, IsEmpty());
  EXPECT_FALSE(mayReassociate(contractSpecOf(source("AGENTIC_KERNEL "))));
}

TEST(ExtractContract, EitherSideOfTheMarker) {
  for (const std::string before :
       {"AGENTIC_IN(A, M) AGENTIC_KERNEL\n", "AGENTIC_KERNEL AGENTIC_IN(A, M)\n",
        "AGENTIC_IN(A,\n  M)\nAGENTIC_KERNEL ",
        "[[gnu::hot]] AGENTIC_IN(A, M) AGENTIC_KERNEL __attribute__((noinline)) ",
        "AGENTIC_IN(A, M) static AGENTIC_KERNEL ", "AGENTIC_KERNEL static AGENTIC_IN(A, M) "}) {
    const KernelSpec spec = contractSpecOf(source(before));
    EXPECT_THAT(contractLines(spec.contract), ElementsAre("in A[M]")) << before;
    EXPECT_EQ(spec.text, before + kFunction);
  }
}

TEST(ExtractContract, SourceOrderAndEveryMacro) {
  const KernelSpec spec =
      contractSpecOf("AGENTIC_SPECIAL_VALUES AGENTIC_FP(contract)\nAGENTIC_MAY_ALIAS(b, a)\nAGENTIC_INOUT(b, n)\n"
                     "AGENTIC_REQUIRES(n > 1)\nAGENTIC_REQUIRES(n < 9)\nAGENTIC_KERNEL AGENTIC_IN(a, 2 * n)\n"
                     "void f(const int *a, int b[], int n) { b[0] = a[n]; }\n");
  EXPECT_THAT(contractLines(spec.contract),
              ElementsAre("inout b[n]", "in a[2 * n]", "requires n > 1", "requires n < 9", "b and a may overlap",
                          "floating point may be contracted", "NaN, infinities and -0 as in the baseline"));
}

TEST(ExtractContract, AProjectsOwnMacroMayHoldIt) {
  const KernelSpec spec = contractSpecOf("#define CONTRACT AGENTIC_IN(a, n) AGENTIC_REQUIRES(n > 0)\n"
                                         "#define n 7\n#undef n\n"
                                         "CONTRACT AGENTIC_KERNEL void f(const int *a, int n) { (void)a[n]; }\n");
  EXPECT_THAT(contractLines(spec.contract), ElementsAre("in a[n]", "requires n > 0"));
  ASSERT_NE(findFragment(spec, "CONTRACT"), nullptr) << "its text decides, so an edit of it must be seen";
}

TEST(ExtractContract, TextIsTakenAsWrittenNotAsExpanded) {
  const KernelSpec spec = contractSpecOf("#define M rows\nAGENTIC_KERNEL AGENTIC_IN(a, rows)\n"
                                         "void f(const int *a, int M) { (void)a[M]; }\n");
  EXPECT_THAT(contractLines(spec.contract), ElementsAre("in a[rows]"));
}

TEST(ExtractContract, AHeadersUnconditionalMacroIsOverruled) {
  ScratchProject project;
  project.write("src/m.h", "#undef AGENTIC_IN\n#define AGENTIC_IN(...)\n#define AGENTIC_SPECIAL_VALUES\n");
  const Result<Extraction> extraction = project.extract(
      "#include \"m.h\"\nAGENTIC_SPECIAL_VALUES AGENTIC_IN(x, 1) AGENTIC_KERNEL void f(int *x) { *x = 1; }\n");
  ASSERT_TRUE(extraction) << extraction.error().message;
  EXPECT_EQ(extraction->spec.contract.extents.size(), 1u);
  EXPECT_TRUE(extraction->spec.contract.specialValues);
}

TEST(ExtractContract, ParametersOfEveryKind) {
  const auto lines = [](const std::string &contract, const std::string &parameters) {
    const Result<Extraction> extraction =
        extracted(std::string(parameters.contains("std::") ? "#include <vector>\n#include <string>\n" : "") +
                  "enum Mode { kA };\nenum class Level : int { kB };\nstruct S;\n" + contract +
                  " AGENTIC_KERNEL void f(" + parameters + ") {}\n");
    return extraction ? std::string("ok") : extraction.error().message;
  };
  EXPECT_EQ(lines("AGENTIC_IN(a, n + m + c)", "const double *a, const unsigned &n, long m, char c"), "ok");
  EXPECT_EQ(lines("AGENTIC_IN(a, v.size() * s.size())", "const int *a, const std::vector<int> &v, std::string s"),
            "ok");
  EXPECT_EQ(lines("AGENTIC_REQUIRES(on && x > 0 && v.size() > 2)", "bool on, double x, std::vector<int> &v"), "ok");
  EXPECT_EQ(lines("AGENTIC_OUT(a, 4)", "int (&b)[4], int *const a"), "ok");
  EXPECT_EQ(lines("AGENTIC_OUT(a, 4)", "const char *a[]"), "ok");
  EXPECT_EQ(lines("AGENTIC_MAY_ALIAS(v, r) AGENTIC_MAY_ALIAS(p, q)",
                  "std::vector<int> &v, int &r, const void *p, void (*q)()"),
            "ok");
  EXPECT_EQ(lines("AGENTIC_IN(a, n) AGENTIC_OUT(b, n)", "const void *a, void *const b, int n"), "ok"); // bytes
  EXPECT_THAT(lines("AGENTIC_IN(a, n)", "S *a, int n"), HasSubstr("no pointer to elements"));
  EXPECT_THAT(lines("AGENTIC_IN(a, n)", "void (*a)(), int n"), HasSubstr("no pointer to elements"));
  EXPECT_THAT(lines("AGENTIC_IN(a, n)", "int *a, Mode n"), HasSubstr("no integer parameter"));
  EXPECT_THAT(lines("AGENTIC_IN(a, n)", "int *a, Level n"), HasSubstr("no integer parameter"));
  EXPECT_THAT(lines("AGENTIC_IN(a, n)", "int *a, int &n"), HasSubstr("no integer parameter"));
  EXPECT_THAT(lines("AGENTIC_IN(a, n)", "int *a, bool n"), HasSubstr("no integer parameter"));
  EXPECT_THAT(lines("AGENTIC_IN(v, n)", "const std::vector<int> &v, int n"), HasSubstr("carries its own"));
  EXPECT_THAT(lines("AGENTIC_INOUT(a, n)", "const char *a, int n"), HasSubstr("points to const"));
  EXPECT_THAT(lines("AGENTIC_MAY_ALIAS(a, n)", "const char *a, int n"), HasSubstr("refers to no memory"));
}

TEST(ExtractContract, ErrorsNameThePlace) {
  const Result<Extraction> extraction = extracted(source("AGENTIC_KERNEL\nAGENTIC_IN(a, M * K)\n"));
  ASSERT_FALSE(extraction);
  EXPECT_THAT(extraction.error().message,
              HasSubstr("src/k.cpp:15:1: kernel 'matmul': AGENTIC_IN(a, M * K) names 'a', which is no parameter"));
  EXPECT_EQ(extraction.error().next, "did you mean 'A'?");
  EXPECT_THAT(extraction.error().message, Not(HasSubstr("unparsable"))); // that alone would be a warning
}

TEST(ExtractContract, AContractOnAnotherDeclarationIsRefused) {
  ScratchProject project;
  project.write("src/h.h", "#pragma once\nAGENTIC_IN(a, n) AGENTIC_KERNEL void f(const int *a, int n);\n");
  const Result<Extraction> extraction =
      project.extract("#include \"h.h\"\nvoid f(const int *a, int n) { (void)a[n]; }\n");
  ASSERT_FALSE(extraction);
  EXPECT_THAT(extraction.error().message, HasSubstr("h.h:2:1: kernel 'f': AGENTIC_IN stands on a declaration"));
  EXPECT_THAT(extraction.error().next, HasSubstr("in front of the definition"));
}

TEST(ExtractContract, AnEditedContractIsAnotherFingerprint) {
  const std::string one = contractSpecOf(source("AGENTIC_KERNEL AGENTIC_IN(A, M)\n")).fingerprint;
  EXPECT_EQ(one, contractSpecOf(source("AGENTIC_KERNEL\n  AGENTIC_IN( A,M ) // why\n")).fingerprint);
  EXPECT_NE(one, contractSpecOf(source("AGENTIC_KERNEL AGENTIC_IN(A, K)\n")).fingerprint);
  EXPECT_NE(one, contractSpecOf(source("AGENTIC_KERNEL\n")).fingerprint);
}

TEST(ExtractContract, CandidatesMayRepeatItAndCannotChangeIt) {
  const KernelSpec spec = contractSpecOf(source(kContract));
  const std::string plain = unitOf(spec, kFunction).text;
  for (const std::string &before :
       {std::string(kContract), std::string("AGENTIC_IN(A, 7 * M) AGENTIC_TOLERANCE(absolute 1e9)\n"),
        std::string("AGENTIC_SPECIAL_VALUES "), std::string("static AGENTIC_KERNEL AGENTIC_FP(reassociate) "),
        std::string("AGENTIC_REQUIRES(nonsense ( = )\n)")}) {
    const std::string candidate = before + kFunction;
    const CandidateUnit unit = unitOf(spec, candidate);
    EXPECT_EQ(findingText(unit), "") << before;
    EXPECT_EQ(replaceAll(unit.text, "\n// of a word\n", ""), plain) << before;
    expectSpansExact(unit);
  }
  const CandidateUnit inside = unitOf(spec, "namespace bmm {\nAGENTIC_IN(A, M) " + std::string(kFunction) + "\n}\n");
  EXPECT_EQ(findingText(inside), "");
  const CandidateUnit helper =
      unitOf(spec, "AGENTIC_IN(x, 1) inline float twice(float x) { return 2 * x; }\n" + std::string(kFunction));
  EXPECT_EQ(findingText(helper), "");
  EXPECT_THAT(helper.text, HasSubstr("inline float twice"));
}

TEST(ExtractContract, BothCompilersTakeTheUnitOfTheBaseline) {
  ScratchProject project;
  const Result<Extraction> extraction = project.extract(source(kContract));
  ASSERT_TRUE(extraction) << extraction.error().message;
  for (const Family family : {Family::Clang, Family::Gcc}) {
    const CandidateUnit unit = unitOf(extraction->spec, baselineCandidate(extraction->spec), family);
    ASSERT_EQ(findingText(unit), "");
    EXPECT_THAT(externalSymbols(project, unit.text, family == Family::Clang ? "clang++-19" : "g++", "-std=c++20"),
                ElementsAre(unit.symbol));
  }
}

} // namespace
} // namespace agentic
