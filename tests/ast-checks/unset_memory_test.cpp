#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

const std::string kUnsetMemory = "unset-memory";

TEST(UnsetMemory, FindsMemosOnTheStack) {
  expectFindings(R"cpp(#include <array>
#include <cstdint>
#include <cstring>
#include <immintrin.h>
namespace {
bool a(const float *p, float *o) {
  std::uint64_t memo[64];
  if (memo[0] == 0x1234 && memo[1] == (std::uint64_t)p) { std::memcpy(o, memo + 2, 8); return true; }
  memo[0] = 0x1234; memo[1] = (std::uint64_t)p;
  return false;
}
struct Memo { std::uint64_t key; float values[8]; };
void b(const float *p, float *o) {
  Memo m;
  if (m.key != (std::uint64_t)p) { m.key = (std::uint64_t)p; for (int i = 0; i < 8; ++i) m.values[i] = p[i]; }
  for (int i = 0; i < 8; ++i) o[i] = m.values[i];
}
bool probe(std::uint64_t *m) { return m[0] == 3; }
bool probeReference(Memo &m) { return m.key == 3; }
void c(float *o) { std::uint64_t m[4]; if (probe(m)) return; m[0] = 3; o[0] = 1; }
void d(float *o) { Memo m; if (probeReference(m)) return; m.key = 3; o[0] = 1; }
void e(float *o) { std::array<float, 8> m; if (m[0] == 3) return; m[0] = 3; o[0] = m[0]; }
void f(float *o) { float m[8]; std::memcpy(o, m, 32); m[0] = 1; }
void g(float *o) { alignas(64) float m[8]; _mm_storeu_ps(o, _mm_load_ps(m)); m[0] = 1; }
void h(float *o) { float m[8]; auto hit = [&] { return m[0] == 1; }; if (hit()) return; m[0] = 1; o[0] = 1; }
void i(float *o) { std::uint64_t m[8]; m[7] = 0; if (m[0] == 1) return; m[0] = 1; o[0] = m[7]; }
void j(float *o) { std::uint64_t m; std::uint64_t *p = &m; if (*p == 3) return; m = 3; o[0] = 1; }
void k(float *o) { float m[4][4]; if (m[1][2] == 7) return; m[1][2] = 7; o[0] = 1; }
Memo l() { Memo m; return m; }
int sum(const float *m) { return m[0] + m[1]; }
int m() { float x[2]; return sum(x); }
void n(int *o) { int last[4]; for (int i = 0; i < 4; ++i) { o[i] = last[i]; last[i] = i; } }
int o() { int x[4]; x[0] += 3; return x[0]; }
}
)cpp",
                 {{kUnsetMemory, 8},
                  {kUnsetMemory, 8},
                  {"addresses-as-numbers", 8},
                  {"addresses-as-numbers", 9},
                  {"addresses-as-numbers", 15},
                  {"addresses-as-numbers", 15},
                  {kUnsetMemory, 15},
                  {kUnsetMemory, 20},
                  {kUnsetMemory, 21},
                  {kUnsetMemory, 22},
                  {kUnsetMemory, 23},
                  {kUnsetMemory, 24},
                  {kUnsetMemory, 25},
                  {kUnsetMemory, 26},
                  {kUnsetMemory, 27},
                  {kUnsetMemory, 28},
                  {kUnsetMemory, 29},
                  {kUnsetMemory, 31},
                  {kUnsetMemory, 32},
                  {kUnsetMemory, 33}});
}

TEST(UnsetMemory, MembersOfAUnionOfEqualSizesAreOneValue) {
  expectFindings(R"cpp(#include <cstdint>
#include <immintrin.h>
namespace {
union Bits { float f; std::uint32_t u; };
union Lanes { __m256 v; __m256i i; };
union Wide { float f; std::uint64_t u; };
union Parts { std::uint32_t u; std::uint8_t b[4]; };
std::uint32_t a(float x) { Bits b; b.f = x; return b.u; }
__m256i b(__m256 x) { Lanes l; l.v = x; return l.i; }
std::uint32_t c() { Bits b; return b.u; }
std::uint64_t d(float x) { Wide w; w.f = x; return w.u; }
std::uint32_t e(std::uint8_t x) { Parts p; p.b[0] = x; return p.u; }
}
)cpp",
                 {{kUnsetMemory, 10}, {kUnsetMemory, 11}, {kUnsetMemory, 12}});
}

TEST(UnsetMemory, FindsWhatIsOnlyCalledInitialised) {
  expectFindings(R"cpp(#include <immintrin.h>
namespace {
struct Memo { Memo() {} int key; };
struct Set { Set() : key(0) {} int key; };
struct Default { Default() {} int key = 0; };
bool a(int x) { Memo m; if (m.key == x) return true; m.key = x; return false; }
bool b(int x) { Set m; return m.key == x; }
bool c(int x) { Default m; return m.key == x; }
int d() { return _mm_cvtsi128_si32(_mm_undefined_si128()); }
int e() { return _mm_cvtsi128_si32(_mm_setzero_si128()); }
}
)cpp",
                 {{kUnsetMemory, 6}, {kUnsetMemory, 9}});
}

TEST(UnsetMemory, FindsElementsThatNothingSets) {
  expectFindings(R"cpp(#include <immintrin.h>
namespace {
typedef long long Pair __attribute__((vector_size(16)));
Pair a(Pair v) { return __builtin_shufflevector(v, v, 1, -1); }
Pair b(Pair v) { return __builtin_shufflevector(v, v, 1, 2); }
__m256 c(__m128 v) { return _mm256_castps128_ps256(v); }
__m256 d(__m128 v) { return _mm256_zextps128_ps256(v); }
__m256 e(__m128 v) { return _mm256_insertf128_ps(_mm256_castps128_ps256(v), v, 1); }
__m256i f(__m128i v) { return _mm256_inserti128_si256((_mm256_castsi128_si256(v)), v, 1); }
__m128 g(__m256 v) { return _mm256_castps256_ps128(v); }
__m256 h(__m256i v) { return _mm256_castsi256_ps(v); }
__m512i i(__m256i v) { return _mm512_castsi256_si512(v); }
__m512i j(__m256i v) { return _mm512_inserti64x4(_mm512_castsi256_si512(v), v, 1); }
__m512i k(__m256i v) { __m512i w = _mm512_castsi256_si512(v); return _mm512_inserti64x4(w, v, 1); }
template <int at> Pair l(Pair v) { return __builtin_shufflevector(v, v, at, 0); }
Pair m(Pair v) { return l<-1>(v); }
}
)cpp",
                 {{kUnsetMemory, 4}, {kUnsetMemory, 6}, {kUnsetMemory, 12}, {kUnsetMemory, 14}, {kUnsetMemory, 15}},
                 {.arguments = {"-std=c++20", "-mavx512f"}});
}

TEST(UnsetMemory, FindsWhatClangFinds) {
  expectFindings(R"cpp(namespace {
int a() { int x; return x; }
int b(bool c) { int x; if (c) x = 1; return x; }
const int *d() { int x = 1; return &x; }
typedef float Vector __attribute__((vector_size(16)));
Vector e() { Vector v; return v; }
}
)cpp",
                 {{kUnsetMemory, 2}, {kUnsetMemory, 3}, {kUnsetMemory, 4}, {kUnsetMemory, 6}});
}

TEST(UnsetMemory, InMacrosAndTemplates) {
  Unit unit;
  unit.mocks = "#define HIT(m) ((m)[0] == 42)";
  expectFindings(R"cpp(namespace {
void a(float *o) { float m[4]; if (HIT(m)) return; m[0] = 42; o[0] = 1; }
template <class T> void b(T *o) { T m[4]; if (m[0] == T(1)) return; m[0] = T(1); o[0] = m[0]; }
void c(float *o) { b(o); }
}
)cpp",
                 {{kUnsetMemory, 2}, {kUnsetMemory, 3}}, unit);
}

TEST(UnsetMemory, WhatIsWrittenFirstIsLegal) {
  expectFindings(R"cpp(#include <algorithm>
#include <array>
#include <cstring>
#include <immintrin.h>
namespace {
struct Memo { unsigned long key; float values[8]; };
float a(const float *p, int n) {
  float sums[32];
  for (int i = 0; i < 32; ++i) sums[i] = 0;
  for (int i = 0; i < n; ++i) sums[i % 32] += p[i];
  float s = 0;
  for (float x : sums) s += x;
  return s;
}
float b(const float *p) { alignas(64) float t[4]; _mm_store_ps(t, _mm_loadu_ps(p)); return t[0] + t[3]; }
float c(const float *p, int n) {
  float last[4], s = 0;
  for (int i = 0; i < n; ++i) { if (i > 0) s += last[i & 3]; last[i & 3] = p[i]; }
  return s;
}
float d(const float *p) { std::array<float, 8> t; std::copy(p, p + 8, t.begin()); return t[0]; }
void fill(float *t) { for (int i = 0; i < 8; ++i) t[i] = 1; }
void add(float *t, const float *p) { for (int i = 0; i < 8; ++i) t[i] += p[i]; }
float e(const float *p) { float t[8]; fill(t); add(t, p); return t[3]; }
float f() { float t[8]; fill(&t[0]); return t[3]; }
float g(const float *p) {
  __m128 acc[4];
  for (auto &a : acc) a = _mm_setzero_ps();
  for (int i = 0; i < 4; ++i) acc[i] = _mm_add_ps(acc[i], _mm_loadu_ps(p + 4 * i));
  return ((float *)&acc[0])[0];
}
float h(const float *p) { float t[2][8]; std::memcpy(t, p, 64); return t[1][2]; }
float i(const float *p) { Memo m; m.key = 1; std::memcpy(m.values, p, 32); return m.values[2]; }
float j(const float *p) {
  float t[8];
  auto put = [&](int i, float x) { t[i] = x; };
  for (int i = 0; i < 8; ++i) put(i, p[i]);
  return t[2];
}
float k(const float *p) {
  float t[8];
  float *q = (float *)__builtin_assume_aligned(t, 16);
  for (int i = 0; i < 8; ++i) q[i] = p[i];
  return t[1];
}
int l(int c) { int x; switch (c) { case 0: x = 1; break; default: x = 2; } return x; }
Memo m(const float *p) { Memo m; m.key = 0; for (int i = 0; i < 8; ++i) m.values[i] = p[i]; Memo n = m; return n; }
void n(const float *a, float *o, int rows) {
  float tile[4][8];
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < 4; ++i) for (int j = 0; j < 8; ++j) tile[i][j] = a[i * 8 + j];
    for (int j = 0; j < 8; ++j) o[j] = tile[0][j] + tile[3][j];
  }
}
float o(const float *p, float *scratch) { float local[16]; float *w = scratch ? scratch : local; w[0] = p[0]; return w[0]; }
struct Accumulator { __m128 low, high; void clear() { low = high = _mm_setzero_ps(); } };
__m128 p() { Accumulator a; a.clear(); return _mm_add_ps(a.low, a.high); }
template <class F> void each(F f) { for (int i = 0; i < 4; ++i) f(i); }
int q() { int t[4]; each([&](int i) { t[i] = i; }); return t[2]; }
int r(const int *x) { int t[4]; int n = 0; for (int i = 0; i < 4; ++i) if (x[i]) t[n++] = x[i]; return n ? t[0] : 0; }
int s() { int t[4]; return sizeof t; }
float v(const float *p) {
  float t[8], *w = t;
  for (int i = 0; i < 8; ++i) *w++ = p[i];
  const float *r = t;
  return r[2] + t[3];
}
float w(float *p) { float t[8]; float *q = t; q = p; return q[0] + p[1]; }
float u(const float *p) { float a, b; a = p[0]; b = a; return b; }
}
)cpp",
                 {});
}

} // namespace
} // namespace agentic::checks
