#include "tests/ast-checks/expect_findings.h"

#include <gtest/gtest.h>

namespace agentic::checks {
namespace {

const std::string kApproximateMath = "approximate-math";

TEST(ApproximateMath, NotesIntrinsicsOfAFewBits) {
  expectNotes(R"cpp(#include <immintrin.h>
namespace {
__m128 a(__m128 v) { return _mm_rcp_ps(v); }
__m128 b(__m128 v) { return _mm_mul_ps(v, _mm_rsqrt_ps(v)); }
__m512 c(__m512 v) { return _mm512_rcp14_ps(v); }
#ifdef __AVX512F__
__m512d d(__m512d v) { return _mm512_rsqrt14_pd(v); }
#endif
template <class T> T e(T v) { return _mm_rcp_ss(v); }
__m128 f(__m128 v) {
#define ROOT _mm_rsqrt_ss
  return e(ROOT(v));
}
}
)cpp",
              {{kApproximateMath, 3},
               {kApproximateMath, 4},
               {kApproximateMath, 5},
               {kApproximateMath, 7},
               {kApproximateMath, 9},
               {kApproximateMath, 12}},
              {.arguments = {"-std=c++20", "-mavx512f"}});
}

TEST(ApproximateMath, ExactIntrinsicsAreLegal) {
  expectNotes(R"cpp(#include <immintrin.h>
namespace {
__m128 a(__m128 v) { return _mm_div_ps(_mm_set1_ps(1), _mm_sqrt_ps(v)); }
float rcp(float x) { return 1 / x; }
float b(float x) { return rcp(x); }
}
)cpp",
              {});
}

} // namespace
} // namespace agentic::checks
