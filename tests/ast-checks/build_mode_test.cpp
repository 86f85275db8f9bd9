#include "tests/ast-checks/expect_findings.h"

#include <gtest/gtest.h>

namespace agentic::checks {
namespace {

const std::string kBuildMode = "build-mode";

TEST(BuildMode, FindsWhatTellsBuildsApart) {
  expectFindings(R"cpp(#include <cstddef>
namespace {
int a() { return __clang_major__ + __OPTIMIZE__ + __GNUC__; }
const char *b() { return __func__; }
const char *c() { return __PRETTY_FUNCTION__; }
const char *d() { return __FUNCTION__; }
int e() { return __has_feature(address_sanitizer) + __has_builtin(__builtin_assume); }
int f() { return __PIC__ + __STDC_HOSTED__; }
const char *g() { return __VERSION__; }
int h() { if (__GLIBC__ > 2) return DEBUG; return OWN; }
}
)cpp",
                 {{kBuildMode, 3},
                  {kBuildMode, 3},
                  {kBuildMode, 3},
                  {kBuildMode, 4},
                  {kBuildMode, 5},
                  {kBuildMode, 6},
                  {kBuildMode, 7},
                  {kBuildMode, 7},
                  {kBuildMode, 8},
                  {kBuildMode, 8},
                  {kBuildMode, 9},
                  {kBuildMode, 10},
                  {kBuildMode, 10}},
                 {.arguments = {"-std=c++20", "-O2", "-fPIC", "-DDEBUG=1", "-DOWN=2"}});
}

TEST(BuildMode, InMacrosAndTemplates) {
  expectFindings(R"cpp(namespace {
int a() {
#define MODE __clang_minor__
  return MODE;
}
template <class T> const char *b(T) { return __func__; }
auto *const kUsed = &b<int>;
}
)cpp",
                 {{kBuildMode, 3}, {kBuildMode, 6}});
}

TEST(BuildMode, ConstantsOfTheTargetAreLegal) {
  expectFindings(R"cpp(#include <cassert>
#include <cfloat>
#include <climits>
#include <immintrin.h>
namespace {
int a() { return __INT_MAX__ + INT_MAX + __CHAR_BIT__ + __SIZEOF_POINTER__ + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__); }
float b() { return FLT_MAX + FLT_EPSILON; }
int c(int x) { assert(x > 0 && "positive"); return x; }
int d() { return __SSE2__; }
int e(const char *p) { _mm_prefetch(p, _MM_HINT_T0); return _MM_SHUFFLE(3, 2, 1, 0); }
#ifdef __AVX2__
#endif
}
)cpp",
                 {});
}

TEST(BuildMode, ABaselineMayDoAsItLikes) {
  Unit unit;
  unit.kernelSymbol = "";
  expectFindings("__attribute__((annotate(\"agentic_kernel\"))) int f() { return __GNUC__ + sizeof(__func__); }\n", {},
                 unit);
}

} // namespace
} // namespace agentic::checks
