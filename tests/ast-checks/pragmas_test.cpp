#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

TEST(Pragmas, FindsWhatIsNotListed) {
  Unit unit;
  unit.mocks = "#define FAST _Pragma(\"clang fp reassociate(on)\")\n#define TEXT(x) #x\n"
               "#define UNROLL(n) _Pragma(TEXT(unroll n))\n#define CONTRACT(x) _Pragma(TEXT(STDC FP_CONTRACT x))";
  expectFindings(R"cpp(namespace {
#pragma GCC optimize("fast-math")
#pragma GCC push_options
%:pragma GCC target("avx512f")
#pragma STDC FP_CONTRACT ON
float a(float x) {
  FAST
  return x; }
#if 0
#pragma once
#endif
float b(float x) { _Pragma("STDC FENV_ACCESS ON") return x; }
#pragma weak agentic
float c(float x) {
  CONTRACT(ON)
  UNROLL(4)
  for (int i = 0; i < 4; ++i) x += x;
  return x; }
#pragma push_macro("K")
#pragma clang diagnostic ignored "-Weverything"
}
)cpp",
                 {{"pragmas", 2},
                  {"pragmas", 3},
                  {"pragmas", 4},
                  {"pragmas", 5},
                  {"pragmas", 7},
                  {"pragmas", 10},
                  {"pragmas", 12},
                  {"pragmas", 13},
                  {"pragmas", 15},
                  {"pragmas", 19},
                  {"pragmas", 20}},
                 unit);
}

TEST(Pragmas, LoopPragmasAreLegal) {
  expectFindings(R"cpp(namespace {
void a(float *p) {
#pragma clang loop vectorize_width(8) interleave_count(4)
  for (int i = 0; i < 64; ++i) p[i] = 0;
#pragma GCC unroll 4
  for (int i = 0; i < 64; ++i) p[i] = 0;
#pragma GCC ivdep
  for (int i = 0; i < 64; ++i) p[i] = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i) p[i] = 0;
#pragma omp simd
  for (int i = 0; i < 64; ++i) p[i] = 0;
  _Pragma("clang loop unroll(full)") for (int i = 0; i < 64; ++i) p[i] = 0;
  const char *text = "#pragma GCC optimize";
  (void)text; // #pragma once
}
}
)cpp",
                 {});
}

} // namespace
} // namespace agentic::checks
