#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string restricted(const std::string &kernel) {
  return transformedBy(kernelSpec(kernel), "restrict(f)");
}

TEST(Restrict, EveryPlainPointerParameter) {
  const std::string text =
      restricted("void f(const float *A, float *const B, const float C[], float (*D), size_t n) {\n"
                 "  for (size_t i = 0; i < n; ++i)\n    B[i] = A[i] + C[i] + D[i];\n}\n");
  EXPECT_THAT(text, HasSubstr("void f(const float *__restrict A, float *const __restrict B, const float C[],\n"
                              "       float(*__restrict D), size_t n)"));
  EXPECT_THAT(text, HasSubstr("// Nothing else in the function leads to the memory of 'A', 'B', 'D'."));
}

TEST(Restrict, TheNewTextParsesAndIsNotRestrictedAgain) {
  EXPECT_THAT(
      transformedBy(kernelSpec("void f(const float *A, float *B) { B[0] = A[0]; }"), "restrict(f); restrict(f)"),
      HasSubstr("error: the step 'restrict(f)' does not apply: every parameter is restricted, assigned"));
}

TEST(Restrict, OneDeclaredElsewhereWithoutItStaysTheSameFunction) {
  KernelSpec spec = kernelSpec("void f(const float *A, float *B) { B[0] = A[0]; }");
  spec.closure.push_back({.kind = Fragment::Kind::Function, .text = "void f(const float *A, float *B);"});
  EXPECT_THAT(transformedBy(spec, "restrict(f)"), HasSubstr("const float *__restrict A, float *__restrict B"));
}

TEST(Restrict, SteppedPointersMayAssignedOnesNot) {
  const std::string text = restricted("void f(const float *A, float *B, const float *C, size_t n) {\n"
                                      "  while (n--)\n    *B++ = *A++;\n  C = A;\n  B[0] = C[0];\n}\n");
  EXPECT_THAT(text,
              HasSubstr("void f(const float *__restrict A, float *__restrict B, const float *C,\n       size_t n)"));
}

TEST(Restrict, WhatMayAliasStays) {
  KernelSpec spec = kernelSpec("void f(const float *A, float *B, float *C) { C[0] = B[0] = A[0]; }");
  spec.contract.mayAlias = {{"A", "C"}};
  EXPECT_THAT(transformedBy(spec, "restrict(f)"), HasSubstr("(const float *A, float *__restrict B, float *C)"));
  std::swap(spec.contract.mayAlias, spec.overlaps); // calls of the tests count as much as declarations
  EXPECT_THAT(transformedBy(spec, "restrict(f)"), HasSubstr("(const float *A, float *__restrict B, float *C)"));
  spec.contract.mayAlias = {{"B", "C"}};
  EXPECT_THAT(transformedBy(spec, "restrict(f)"), HasSubstr("error: "));
}

TEST(Restrict, RefusedWhenMemoryMayBeReachedAnotherWay) {
  const auto reason = [](const std::string &kernel, std::vector<std::string> prelude = {}) {
    return refusalOf(kernelSpec(kernel, std::move(prelude)), "restrict", "f");
  };
  EXPECT_EQ(reason("void f(float *a, size_t n) { a[0] = n; }"), "there are no two pointers that could overlap");
  EXPECT_EQ(reason("float f(const float *a, const float *b) { return a[0] + b[0]; }"),
            "the function writes no memory of its arguments");
  EXPECT_EQ(reason("void f(float *a, const float *b) { a[0] = shared[1] + b[0]; }", {"extern float shared[8];"}),
            "the global 'shared' may lead to the arguments' memory as well");
  EXPECT_EQ(reason("void f(float *a, const float *b) { a[0] = view[1] + b[0]; }", {"extern const float *const view;"}),
            "the global 'view' may lead to the arguments' memory as well");
  EXPECT_EQ(reason("void f(float *a, const float *b) { static float last; a[0] = last; last = b[0]; }"),
            "the global 'last' may lead to the arguments' memory as well");
  EXPECT_EQ(reason("void f(float **a, const float *b) { a[0][0] = b[0]; }"),
            "a pointer that is itself read from memory may lead to the arguments' memory as well");
  EXPECT_EQ(reason("void f(float *a, S *s) { a[0] = s->p[0]; }", {"struct S { float *p; };"}),
            "a pointer that is itself read from memory may lead to the arguments' memory as well");
  EXPECT_EQ(reason("void f(float *a, const float *b) { g(); a[0] = b[0]; }", {"void g();"}),
            "the call to 'g' may lead to the arguments' memory as well");
  EXPECT_EQ(reason("void f(float *a, const float *b, void (*g)()) { g(); a[0] = b[0]; }"),
            "a call to something that is not known at compile time may lead to the arguments' memory as well");
  EXPECT_EQ(reason("void f(float *a, const float *b) { [&] { a[0] = b[0]; }(); }"),
            "the call to 'operator()' may lead to the arguments' memory as well");
}

TEST(Restrict, ConstantsAndPureFunctionsDoNotMatter) {
  EXPECT_THAT(
      transformedBy(kernelSpec("void f(float *a, const float *b) { a[0] = kTable[1] * twice(b[0]); }",
                               {"const float kTable[2] = {1, 2};", "inline float twice(float x) { return 2 * x; }"}),
                    "restrict(f)"),
      HasSubstr("float *__restrict a, const float *__restrict b"));
}

TEST(Restrict, AFailedAssertionEndsTheProgram) {
  const std::string kernel = "void f(float *a, const float *b) { b ? void(0) : __assert_fail(\"b\"); a[0] = b[0]; }";
  EXPECT_THAT(transformedBy(kernelSpec(kernel, {"[[noreturn]] void __assert_fail(const char *);"}), "restrict(f)"),
              HasSubstr("float *__restrict a, const float *__restrict b"));
  EXPECT_EQ(refusalOf(kernelSpec(kernel, {"void __assert_fail(const char *);"}), "restrict", "f"),
            "the call to '__assert_fail' may lead to the arguments' memory as well");
}

TEST(Restrict, MacrosAreLeftAlone) {
  EXPECT_THAT(transformedBy(kernelSpec("void f(POINTER(a), float *b, const float *c) { b[0] = a[0] + c[0]; }",
                                       {"#define POINTER(x) float *x##_; float *x", "#undef POINTER",
                                        "#define POINTER(x) float *a"}),
                            "restrict(f)"),
              HasSubstr("void f(POINTER(a), float *__restrict b, const float *__restrict c)"));
}

} // namespace
} // namespace agentic
