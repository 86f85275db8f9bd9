#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::checks {
namespace {

const std::string kFixedArrays = "fixed-arrays";

/// `body` in a kernel `void f(const float *in, float *out, std::size_t n, unsigned char few)`.
Unit arraysKernel() {
  Unit unit;
  unit.kernelSymbol = "f";
  unit.addKernel = false;
  return unit;
}
std::string arraysCode(const std::string &body) {
  return "#include <algorithm>\n#include <cstddef>\nextern \"C\" void f(const float *in, float *out, std::size_t n, "
         "unsigned char few) {\n" +
         body + "\n}\n";
}

TEST(FixedArrays, FindsOneThatIsIndexedUpToAnArgument) {
  expectFindings(arraysCode("float a[64];\nfor (std::size_t i = 0; i < n; ++i)\n  a[i] = in[i];\nout[0] = a[0];"),
                 {{kFixedArrays, 6}}, arraysKernel());
  expectFindings(
      arraysCode(
          "float a[64];\nstd::size_t i = 0;\nwhile (i + 4 <= n) {\n  a[i] = in[i];\n  i += 4;\n}\nout[0] = a[0];"),
      {{kFixedArrays, 7}}, arraysKernel());
  expectFindings(
      arraysCode("const std::size_t end = n;\nfloat a[8];\nfor (std::size_t i = 0; end != i; ++i)\n  a[i] = in[i];\n"
                 "out[0] = a[0];"),
      {{kFixedArrays, 7}}, arraysKernel());
  expectFindings(arraysCode("float a[64];\nfor (unsigned i = 0; i < few; ++i)\n  a[i] = in[i];\nout[0] = a[0];"),
                 {{kFixedArrays, 6}}, arraysKernel());
}

TEST(FixedArrays, BoundsInAnyFormAreLegal) {
  for (const char *body : {
           "float a[64];\nif (n > 64)\n  return;\nfor (std::size_t i = 0; i < n; ++i)\n  a[i] = in[i];\nout[0] = a[0];",
           "float a[64];\nconst std::size_t end = std::min<std::size_t>(n, 64);\n"
           "for (std::size_t i = 0; i < end; ++i)\n  a[i] = in[i];\nout[0] = a[0];",
           "float a[64];\nfor (std::size_t b = 0; b + 64 <= n; b += 64) {\n"
           "for (std::size_t i = 0; i < 64; ++i) a[i] = in[b + i];\nout[b] = a[0]; }",
           "float a[64];\nfor (std::size_t i = 0; i < n && i < 64; ++i) a[i] = in[i];\nout[0] = a[0];",
           "float a[64] = {};\nfor (std::size_t i = 0; i < n; ++i) a[i & 63] += in[i];\nout[0] = a[0];",
           "float a[256];\nfor (unsigned i = 0; i < few; ++i) a[i] = in[i];\nout[0] = a[0];",
       })
    expectFindings(arraysCode(body), {}, arraysKernel());
}

TEST(FixedArrays, AContractMayBoundTheArgument) {
  const std::string loop =
      arraysCode("float a[64];\nfor (std::size_t i = 0; i < n; ++i) a[i] = in[i];\nout[0] = a[0];");
  Unit unit = arraysKernel();
  unit.baseline = "AGENTIC_REQUIRES(n <= 64) void f(const float *in, float *out, std::size_t n) {}";
  expectFindings(loop, {}, unit);
  unit.baseline = "AGENTIC_REQUIRES(m <= 64) void f(const float *in, float *out, std::size_t n) {}";
  EXPECT_THAT(messagesOf(loop, unit), testing::ElementsAre(testing::HasSubstr("test 'n <= 64'")));
}

TEST(FixedArrays, ABaselineMayKnowItsCalls) {
  Unit unit;
  unit.kernelSymbol = "";
  unit.addKernel = false;
  expectFindings("[[clang::annotate(\"agentic_kernel\")]] void f(const float *in, float *out, unsigned long n) {\n"
                 "float a[64];\nfor (unsigned long i = 0; i < n; ++i) a[i] = in[i];\nout[0] = a[0];\n}\n",
                 {}, unit);
}

} // namespace
} // namespace agentic::checks
