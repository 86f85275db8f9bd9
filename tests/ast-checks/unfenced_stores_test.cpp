#include "tests/ast-checks/expect_findings.h"

#include <gtest/gtest.h>

namespace agentic::checks {
namespace {

const std::string kUnfencedStores = "unfenced-stores";

TEST(UnfencedStores, FindsPathsWithoutAFence) {
  expectFindings(R"cpp(#include <immintrin.h>
namespace {
void a(float *p, __m128 v) { _mm_stream_ps(p, v); }
void b(float *p, __m128 v, bool x) { _mm_stream_ps(p, v); if (x) return; _mm_sfence(); }
void c(float *p, __m128 v, bool x) { _mm_stream_ps(p, v); if (x) _mm_sfence(); }
void d(float *p, __m128 v) { _mm_sfence(); _mm_stream_ps(p, v); }
void e(float *p, __m128 v) { auto put = [&](int i) { _mm_stream_ps(p + i, v); }; put(1); put(2); }
void f(float *p) { __builtin_nontemporal_store(1.0f, p); }
void g(int *p, int v) { _mm_stream_si32(p, v); }
void h(__m128i v, __m128i m, char *p) { _mm_maskmoveu_si128(v, m, p); }
}
)cpp",
                 {{kUnfencedStores, 3},
                  {kUnfencedStores, 4},
                  {kUnfencedStores, 5},
                  {kUnfencedStores, 6},
                  {kUnfencedStores, 7},
                  {kUnfencedStores, 8},
                  {kUnfencedStores, 9},
                  {kUnfencedStores, 10}});
}

TEST(UnfencedStores, InMacrosAndTemplates) {
  Unit unit;
  unit.mocks = "#include <immintrin.h>\n#define PUT(p, v) _mm_stream_ps(p, v)";
  expectFindings(R"cpp(namespace {
void a(float *p, __m128 v) { PUT(p, v); }
template <int N> void b(float *p, __m128 v) { for (int i = 0; i < N; ++i) _mm_stream_ps(p + 4 * i, v); }
void c(float *p, __m128 v) { b<4>(p, v); }
void d(float *p, __m128 v) { b<2>(p, v); _mm_sfence(); }
}
)cpp",
                 {{kUnfencedStores, 2}, {kUnfencedStores, 3}}, unit);
}

TEST(UnfencedStores, AFenceOnEveryPathIsLegal) {
  expectFindings(R"cpp(#include <immintrin.h>
namespace {
void a(float *p, __m128 v, int n) { for (int i = 0; i < n; ++i) _mm_stream_ps(p + 4 * i, v); _mm_sfence(); }
void b(float *p, __m128 v, bool x) { if (x) { _mm_stream_ps(p, v); _mm_sfence(); } else p[0] = 1; }
inline void put(float *p, __m128 v) { _mm_stream_ps(p, v); }
inline void done() { _mm_sfence(); }
void c(float *p, __m128 v) { put(p, v); done(); }
void d(float *p, __m128 v) { auto g = [&](int i) { _mm_stream_ps(p + i, v); }; g(1); g(2); _mm_mfence(); }
__m128i e(const __m128i *p) { return _mm_stream_load_si128((__m128i *)p); }
void f(float *p, __m128 v) { _mm_storeu_ps(p, v); }
}
)cpp",
                 {}, {.arguments = {"-std=c++20", "-msse4.1"}});
}

} // namespace
} // namespace agentic::checks
