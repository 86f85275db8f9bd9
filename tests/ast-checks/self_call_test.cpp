#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

Unit kernel() {
  Unit unit;
  unit.mocks = "namespace bmm { void matmul(const float *, float *); void matmul(int); }\n"
               "extern \"C\" void agentic_kernel_test();";
  unit.kernelFunction = "bmm::matmul";
  unit.canonicalType = "void (const float *, float *)";
  unit.addKernel = false;
  return unit;
}

TEST(SelfCall, FindsTheOriginalAndTheSymbol) {
  Unit unit = kernel();
  unit.canonicalType = "";
  unit.addKernel = true;
  expectFindings(R"cpp(namespace bmm { namespace {
void a(const float *p, float *q) { matmul(p, q); }
auto *b() { void (*f)(const float *, float *) = &bmm::matmul; return f; }
void c() { agentic_kernel_test(); }
template <class T> void d(T p, float *q) { matmul(p, q); }
void e(const float *p, float *q) { d(p, q); }
int f() { int matmul = 1; return matmul; } // matmul(p, q)
} }
)cpp",
                 {{"self-call", 2}, {"self-call", 3}, {"self-call", 4}, {"self-call", 5}}, unit);
}

TEST(SelfCall, AnOverloadIsAnotherFunction) {
  Unit unit = kernel();
  unit.mocks = "namespace bmm { void matmul(const float *, float *); void matmul(int); }";
  unit.allowedFunctions = {"bmm::matmul"};
  expectFindings(R"cpp(extern "C" void agentic_kernel_test(const float *p, float *q) {
  bmm::matmul(1);
  bmm::matmul(p, q);
}
)cpp",
                 {{"self-call", 3}}, unit);
}

TEST(SelfCall, RecursiveBaseline) {
  Unit unit;
  unit.kernelSymbol = "";
  unit.kernelFunction = "work";
  unit.mocks = "static float work(float x) { return x; }";
  expectFindings(R"cpp(__attribute__((annotate("agentic_kernel"))) int work(int n) {
  return n ? work(n - 1) : int(work(1.0f));
}
)cpp",
                 {{"self-call", 2}}, unit);
}

} // namespace
} // namespace agentic::checks
