#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

const std::string kForgedPointers = "forged-pointers";

TEST(ForgedPointers, FindsPointersMadeOfOtherThings) {
  expectFindings(R"cpp(#include <bit>
#include <cstdint>
#include <cstring>
namespace {
float *a(std::uintptr_t x) { return (float *)x; }
float *b(std::uintptr_t x) { return reinterpret_cast<float *>(x); }
union Pun { float *pointer; std::uint64_t bits; };
float *c(std::uint64_t x) { float *p; std::memcpy(&p, &x, 8); return p; }
float *d(std::uint64_t x) { return std::bit_cast<float *>(x); }
float *e(std::uint64_t x) { return __builtin_bit_cast(float *, x); }
float *f(std::uint64_t x) { return *(float **)&x; }
void g(float *p) { *(std::uint64_t *)&p = 3; reinterpret_cast<std::uint64_t &>(p) += 3; }
struct Two { float *first; int second; };
float *h(const std::uint64_t *bits) { return reinterpret_cast<const Two *>(bits)->first; }
float i(std::uint64_t x) { void *v = &x; return **static_cast<float **>(v); }
int j(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return *__builtin_va_arg(l, int *); }
void k(float **rows) { std::memset(rows, 0x41, 8); }
union Call { int (*function)(int); std::uint64_t bits; };
void l(const float *const *from, float **to) { std::memcpy(to, from, 8); }
}
)cpp",
                 {{kForgedPointers, 5},
                  {kForgedPointers, 6},
                  {kForgedPointers, 7},
                  {kForgedPointers, 8},
                  {kForgedPointers, 9},
                  {kForgedPointers, 10},
                  {kForgedPointers, 11},
                  {kForgedPointers, 12},
                  {kForgedPointers, 12},
                  {kForgedPointers, 14},
                  {kForgedPointers, 15},
                  {"io-and-clocks", 16},
                  {kForgedPointers, 16},
                  {kForgedPointers, 17},
                  {kForgedPointers, 18},
                  {kForgedPointers, 19}});
}

TEST(ForgedPointers, FindsPointersThatLeaveAVariable) {
  expectFindings(R"cpp(#include <immintrin.h>
namespace {
unsigned long a(unsigned long n) { return (&n)[n]; }
unsigned long b(unsigned long n) { return *(&n - 64); }
int c() { int a[4] = {}; return ((char *)a)[-200] + ((char *)a)[17]; }
int d(unsigned long n) { return *((char *)nullptr + n) + ((char *)0)[n]; }
__m256 e(__m512i at) { return _mm512_i64gather_ps(at, nullptr, 1); }
void f(__m512i at, __m512i v) { _mm512_i64scatter_epi64((void *)0, at, v, 1); }
struct Row { int values[4]; };
int g(Row *r) { return r->values[7]; }
int h() { int a[4] = {}; return a[9] + a[3] + *(a + 1); }
}
)cpp",
                 {{kForgedPointers, 3},
                  {kForgedPointers, 4},
                  {kForgedPointers, 5},
                  {kForgedPointers, 5},
                  {kForgedPointers, 6},
                  {kForgedPointers, 6},
                  {kForgedPointers, 7},
                  {kForgedPointers, 8},
                  {kForgedPointers, 10},
                  {kForgedPointers, 11}},
                 {.arguments = {"-std=c++20", "-mavx512f"}});
}

TEST(ForgedPointers, InMacrosAndTemplates) {
  Unit unit;
  unit.mocks = "#define AT(x) ((float *)(x))";
  expectFindings(R"cpp(namespace {
float a(unsigned long x) { return *AT(x); }
template <class T> float *b(T x) { return (float *)x; }
float *c(unsigned long x) { return b(x); }
template <class T> union Pun { T value; unsigned long bits; };
unsigned long d(float *p) { Pun<float *> pun{p}; return pun.bits; }
unsigned long e(double x) { Pun<double> pun{x}; return pun.bits; }
}
)cpp",
                 {{kForgedPointers, 2}, {kForgedPointers, 3}, {kForgedPointers, 5}}, unit);
}

TEST(ForgedPointers, WhatIsUsualIsLegal) {
  expectFindings(R"cpp(#include <immintrin.h>
#include <cstdint>
#include <cstring>
namespace {
union Bits { float value; std::uint32_t bits; };
bool a(const float *p) { return (reinterpret_cast<std::uintptr_t>(p) & 63) == 0; }
float b(__m256 v, int i) { return ((float *)&v)[i] + reinterpret_cast<const float *>(&v)[3]; }
void c(float **to, float **from) { std::memcpy(to, from, 16); std::memset(to, 0, 16); }
__m256i d(const float *const *rows) { _mm_prefetch((const char *)rows, _MM_HINT_T0); return _mm256_loadu_si256((const __m256i *)rows[0]); }
struct Context { const float *values; int count; };
float e(void *user) { const Context *c = static_cast<const Context *>(user); return c->values[c->count]; }
__m256 f(__m512i at, const float *base) { return _mm512_i64gather_ps(at, base, 4); }
float g(const float *p, long i) { return p[i] + *(p + i) + p[-1]; }
int h() { int a[4] = {1, 2, 3, 4}; const int *end = a + 4; return *(end - 1) + a[3]; }
float i(std::uint32_t x) { float f; std::memcpy(&f, &x, 4); return f + __builtin_bit_cast(float, x); }
float *j(float *p) { return p ? p : nullptr; }
float *k(float *p) { return __builtin_align_up(p, 64); }
std::uint64_t l(const unsigned char *p) { std::uint64_t x; std::memcpy(&x, p, 8); return x; }
struct Matrix { float *at(int i) { return data + i; } float *data; };
float m(Matrix matrix) { return *matrix.at(3); }
}
)cpp",
                 {}, {.arguments = {"-std=c++20", "-mavx512f"}});
}

} // namespace
} // namespace agentic::checks
