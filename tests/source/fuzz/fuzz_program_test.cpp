// Tests that the comparing program finds every fault, and nothing else.
#include "tests/source/fuzz/fuzz_program.h"

#include "tool/base/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::fuzz {
namespace {

using testing::HasSubstr;

std::string function(const std::string &body) {
  return "void f(const float *A, const unsigned *B, float *C, int *D, unsigned char *E, size_t M, size_t K) {\n" +
         body + "\n}\n";
}

/// Returns the finding about `variant`; empty if there is none.
std::string findingOf(Kernel kernel, const std::string &original, const std::string &variant) {
  kernel.text = function(original);
  const Outcome outcome = runProgram({{.seed = 0, .kernel = kernel, .variants = {{{}, function(variant)}}}});
  EXPECT_EQ(outcome.error, "");
  EXPECT_LE(outcome.findings.size(), 1U);
  EXPECT_TRUE(outcome.compared > 0 || !outcome.findings.empty() || outcome.undefined > 0);
  return outcome.findings.empty() ? "" : outcome.findings.front().what;
}

class FuzzProgram : public testing::Test {
protected:
  void SetUp() override {
    if (!findProgram("clang++-19"))
      GTEST_SKIP() << "clang++-19 is not installed";
  }
};

TEST_F(FuzzProgram, SameIsSame) {
  const std::string sum = "float s = 0; for (size_t i = 0; i < K; ++i) s += A[i]; C[0] = s;";
  EXPECT_EQ(findingOf({}, sum, sum), "");
}

TEST_F(FuzzProgram, BitsOfFloats) {
  EXPECT_THAT(findingOf({}, "C[0] = A[0] * 0;", "C[0] = 0;"), HasSubstr("float"));
  EXPECT_THAT(
      findingOf({}, "for (size_t i = 0; i < K; ++i) C[i] = A[i];", "for (size_t i = 0; i + 1 < K; ++i) C[i] = A[i];"),
      HasSubstr("M=0 K=3"));
}

TEST_F(FuzzProgram, AnotherOrderWhereItIsPermitted) {
  const std::string up = "float s = 0; for (size_t i = 0; i < K; ++i) s += A[i]; C[0] = s;";
  const std::string down = "float s = 0; for (size_t i = K; i > 0; --i) s += A[i - 1]; C[0] = s;";
  const std::string short1 = "float s = 0; for (size_t i = 1; i < K; ++i) s += A[i]; C[0] = s;";
  EXPECT_THAT(findingOf({}, up, down), HasSubstr("data 2"));
  EXPECT_EQ(findingOf({.mayReassociate = true, .largestTerm = 16}, up, down), "");
  EXPECT_THAT(findingOf({.mayReassociate = true, .largestTerm = 16}, up, short1), HasSubstr("data 0"));
}

TEST_F(FuzzProgram, PartialSumsThatOverflow) {
  const std::string sum = "int s = 0; for (size_t i = 0; i < K; ++i) s += D[i]; D[0] = s;";
  const std::string pairs = "int s = 0, t = 0; for (size_t i = 0; i < K / 2 * 2; i += 2) { s += D[i]; t += D[i + 1]; }"
                            "for (size_t i = K / 2 * 2; i < K; ++i) s += D[i]; D[0] = (unsigned)s + t;";
  EXPECT_THAT(findingOf({}, sum, pairs), HasSubstr("undefined"));
}

TEST_F(FuzzProgram, OriginalsThatAreUndefinedAreLeftAlone) {
  EXPECT_EQ(findingOf({}, "D[0] = D[1] * D[1] + 2147483647;", "D[0] = 5;"), "");
}

TEST_F(FuzzProgram, MemoryThatTheOriginalLeavesAlone) {
  const std::string sum = "for (size_t p = 0; p < K; ++p) C[M] += A[p];";
  EXPECT_EQ(findingOf({}, sum, "if (K > 0) { " + sum + " }"), "");
  EXPECT_THAT(findingOf({}, sum, "const float c = C[M]; " + sum + " if (K == 0) C[M] = c;"),
              HasSubstr("M=3 K=0: touches"));
  EXPECT_THAT(findingOf({}, sum, sum + " volatile float next = A[K];"), HasSubstr("M=0 K=3: touches"));
}

TEST_F(FuzzProgram, OverlappingArguments) {
  const std::string twice = "for (size_t i = 0; i < K; ++i) C[i] = A[i] * 2;";
  const std::string copied = "std::vector<float> a(A, A + K); for (size_t i = 0; i < K; ++i) C[i] = a[i] * 2;";
  EXPECT_EQ(findingOf({}, twice, copied), "");
  EXPECT_THAT(findingOf({.mayOverlap = true}, twice, copied), HasSubstr("overlapping"));
}

TEST_F(FuzzProgram, WhatDoesNotCompileOrEnd) {
  EXPECT_THAT(findingOf({}, "C[0] = 1;", "C[0] = unknown;"), HasSubstr("undeclared identifier 'unknown'"));
  EXPECT_THAT(findingOf({}, "C[0] = 1;", "*(volatile int *)B[0] = 1;"), HasSubstr("signal"));
}

} // namespace
} // namespace agentic::fuzz
