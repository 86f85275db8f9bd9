#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

Unit callsLibrary() {
  Unit unit;
  unit.mocks = R"cpp(typedef decltype(sizeof(0)) size_t;
extern "C" { float sqrtf(float); double fma(double, double, double); void *memcpy(void *, const void *, size_t);
  int strange(int); void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
  void __assert_fail(const char *, const char *, unsigned, const char *); }
namespace std { inline namespace v1 {
using ::sqrtf; float sqrt(float);
template <class T> const T &max(const T &a, const T &b);
template <class I, class O, class F> O transform(I, I, O, F);
template <class T, size_t N> struct array { T values[N]; T &operator[](size_t); T &at(size_t); size_t size() const; };
template <class T> struct plus { T operator()(T a, T b) const; };
template <class T> struct unheard { void work(); };
} }
namespace proj {
float decode(float); float other(float);
struct Params { int rows = 1; float scale() const; };
template <class T> struct View { T at(int) const; };
inline float inHeader(float x) { return x; }
}
static float closure(float x) { return x; }
)cpp";
  unit.allowedFunctions = {"proj::decode", "proj::View<float>::at"};
  return unit;
}

TEST(Calls, FindsFunctionsOnNoList) {
  expectFindings(R"cpp(namespace {
int declared(int);
extern "C" float sinf(float);
int a() { return strange(1); }
auto *b() { return &qsort; }
float c(float x) { return proj::other(x); }
int d(int (*f)(int)) { return f(1); }
int e(int x) { using F = int (*)(int); F f = (F)0x1234; F g = reinterpret_cast<F>(&f); return f != g; }
int f() { return declared(1); }
void g() { std::unheard<int>().work(); }
template <class T> T h(T x) { return strange(x); }
int i() { return h(1); }
float j(const proj::Params &p) { return p.scale(); }
int k(std::array<int, 2> &a) { return a.at(0); }
struct Base { int (Base::*method)(); int run() { return (this->*method)(); } };
template <class T> T neverCalled(T x) { return strange(x); }
}
)cpp",
                 {{"declarations-outside", 3},
                  {"calls", 4},
                  {"calls", 5},
                  {"calls", 6},
                  {"calls", 7},
                  {"calls", 8},
                  {"calls", 8},
                  {"calls", 9},
                  {"calls", 10},
                  {"calls", 11},
                  {"calls", 13},
                  {"calls", 14},
                  {"calls", 15},
                  {"calls", 16}},
                 callsLibrary());
}

TEST(Calls, FindsAddressesOfLibraryFunctionsAndJumps) {
  expectFindings(R"cpp(namespace {
template <float (*F)(float)> float applied(float x) { return F(x); }
float a(float x) { return applied<sqrtf>(x); }
void b(float *p) { std::transform(p, p + 2, p, sqrtf); }
auto *c() { return &fma; }
template <class T> void d(T *p) { std::transform(p, p + 2, p, sqrtf); }
void e(float *p) { d(p); }
void f(int i) { static const void *const t[] = {&&x, &&y}; goto *t[i]; x: y: return; }
float viaOwn(float x) { return sqrtf(x); }
auto *h() { return &closure == &viaOwn ? &closure : &viaOwn; }
auto *i() { return &proj::decode; }
}
)cpp",
                 {{"calls", 3}, {"calls", 4}, {"calls", 5}, {"calls", 6}, {"calls", 8}}, callsLibrary());
}

TEST(Calls, TheListsAreLegal) {
  expectFindings(R"cpp(namespace {
struct Pair { int a, b; Pair operator+(Pair o) const { return {a + o.a, b + o.b}; } };
static int later(int);
constexpr int one(int x) { return x + 1; }
constexpr int (*kSteps[])(int) = {one, one};
template <int (*F)(int)> int applied(int x) { return F(x); }
template <class F> auto call(F f) { return f(2); }
float math(float x) { return std::max(x, 0.0f) + sqrtf(x) + std::sqrt(x) + float(fma(x, x, x)) + __builtin_fabsf(x); }
int bits(unsigned x) { return __builtin_popcount(x) + __builtin_ctz(x); }
void copy(float *a, const float *b) { memcpy(a, b, 4); __builtin_memcpy(a, b, 4); __builtin_prefetch(a); }
int own(int x) { return later(x) + kSteps[0](x) + applied<one>(x) + call([](int y) { return one(y); }); }
static int later(int x) { return x ? own(x - 1) : 0; }
float theirs(float x) { return proj::decode(x) + closure(x); }
float view(const proj::View<float> &v) { return v.at(1); }
int standard(std::array<int, 2> &a, int *p) {
  std::transform(p, p + 2, p, &one);
  std::array<int, 4> scratch{};
  proj::Params params;
  return a[0] + int(a.size()) + std::plus<int>()(1, 2) + (Pair{1, 2} + Pair{3, 4}).a + scratch[0] + params.rows;
}
typedef float Vector __attribute__((vector_size(16)));
Vector vectors(Vector a, Vector b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_elementwise_max(a, b); }
template <class T> int dependent(T x) { return one(2) + x.size(); }
int instantiated(std::array<int, 2> x) { return dependent(x); }
}
)cpp",
                 {}, callsLibrary());
}

TEST(Calls, AssertIsLegalButNotItsInside) {
  Unit unit;
  unit.arguments.push_back("-isystem/usr/include");
  expectFindings(R"cpp(#include <cassert>
namespace {
int a(int x) { assert(x > 0); return x; }
int b(int x) { if (x) __assert_fail("a", "b", 1, "c"); return x; }
}
)cpp",
                 {{"io-and-clocks", 4}}, unit);
}

TEST(Calls, IntrinsicsAreLegalUnlessTheyTouchTheMachine) {
  expectFindings(
      R"cpp(#include <emmintrin.h>
namespace {
__m128 a(const float *p) { _mm_prefetch(p, _MM_HINT_T0); return _mm_add_ps(_mm_loadu_ps(p), _mm_set1_ps(1)); }
__m128i b(__m128i x) { return _mm_shuffle_epi32(_mm_slli_si128(x, 4), _MM_SHUFFLE(3, 2, 1, 0)); }
void c(float *p, __m128 x) { _mm_stream_ps(p, x); _mm_sfence(); }
void d() { _mm_setcsr(0x8040); }
void e() { _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON); }
void f(const void *p) { _mm_clflush(p); }
void *g() { return _mm_malloc(4, 16); }
}
)cpp",
      {{"io-and-clocks", 6}, {"io-and-clocks", 7}, {"io-and-clocks", 8}, {"allocation", 9}});
}

TEST(Calls, MessageNamesFunctionAndAlternatives) {
  Unit unit;
  unit.mocks = "int strange();";
  EXPECT_THAT(messagesOf("namespace { int f() { return strange(); } }", unit),
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("use of 'strange' is not allowed"),
                                                  testing::HasSubstr("pure math"))));
}

} // namespace
} // namespace agentic::checks
