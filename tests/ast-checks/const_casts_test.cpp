#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

const std::string kConstCasts = "const-casts";

TEST(ConstCasts, FindsWhatMakesAConstWritable) {
  expectFindings(R"cpp(namespace {
void a(const float *p) { *const_cast<float *>(p) = 1; }
void b(const float *p) { float *q = (float *)p; q[0] = 1; }
void c(const float *p) { *(float **)&p = nullptr; }
void d(const int &r) { (int &)r = 3; }
using Pointer = float *;
void e(const float *p) { *Pointer(p) = 1; }
struct S { int x; void set() const { ((S *)this)->x = 1; const_cast<S &>(*this).x = 2; } };
void f(const float *const *rows) { float **q = (float **)rows; q[0][0] = 1; }
const float table[2] = {1, 2};
void g() { void *p = (void *)table; __builtin_memset(p, 0, 8); }
void h() { char *p = (char *)"text"; p[0] = 0; }
float *returned(const float *p) { return (float *)p; }
}
)cpp",
                 {{kConstCasts, 2},
                  {kConstCasts, 3},
                  {kConstCasts, 4},
                  {kConstCasts, 5},
                  {kConstCasts, 7},
                  {kConstCasts, 8},
                  {kConstCasts, 8},
                  {kConstCasts, 9},
                  {kConstCasts, 11},
                  {kConstCasts, 12},
                  {kConstCasts, 13}});
}

TEST(ConstCasts, InMacrosAndTemplates) {
  Unit unit;
  unit.mocks = "#define WRITABLE(p) ((float *)(p))";
  expectFindings(R"cpp(namespace {
void a(const float *p) { WRITABLE(p)[0] = 1; }
template <class T> void b(const T *p) { *(T *)p = T(0); }
void c(const float *p) { b(p); }
template <class To, class From> To as(From p) { return (To)p; }
float *d(const float *p) { return as<float *>(p); }
int e(int *p) { return *as<const int *>(p); }
}
)cpp",
                 {{kConstCasts, 2}, {kConstCasts, 3}, {kConstCasts, 5}}, unit);
}

TEST(ConstCasts, ReadingThroughACastIsLegal) {
  expectFindings(R"cpp(#include <immintrin.h>
namespace {
__m128i a(const int *p) { _mm_prefetch((char *)p, _MM_HINT_T0); return _mm_loadu_si128((__m128i *)p); }
int b(const int *p) { return ((int *)p)[3] + *(int *)p; }
typedef float Vector __attribute__((vector_size(16)));
Vector c(const float *p) { return *(Vector *)p + __builtin_nontemporal_load((Vector *)(p + 4)); }
struct S { int x; int get() const { return ((S *)this)->x; } };
const float *d(float *p) { return const_cast<const float *>(p); }
float *e(float *p) { return (float *)p; }
const char *f(const float *p) { return (const char *)p; }
int g(const int &x) { return (int)x + static_cast<int>(x) + int(x); }
void h(int *out, __m128i v) { _mm_storeu_si128((__m128i *)out, v); }
float i(const __m128 v) { return ((float *)&v)[1]; }
}
)cpp",
                 {});
}

TEST(ConstCasts, APolicyCanAllowThem) {
  Unit unit;
  unit.policy.allow.checks = {"const-casts"};
  expectFindings("namespace { float *a(const float *p) { return (float *)p; } }", {}, unit);
}

} // namespace
} // namespace agentic::checks
