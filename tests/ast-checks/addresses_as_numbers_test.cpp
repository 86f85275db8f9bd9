#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

const std::string kAddressesAsNumbers = "addresses-as-numbers";

TEST(AddressesAsNumbers, FindsPointersTurnedIntoNumbers) {
  expectFindings(
      R"cpp(#include <bit>
#include <cstdint>
#include <cstring>
namespace {
std::uintptr_t a(const float *p) { return reinterpret_cast<std::uintptr_t>(p); }
long b(const float *p) { return (long)p + long(p); }
bool c(const int *p) { return ((std::uintptr_t)p & ~std::uintptr_t{63}) == 0 || ((std::uintptr_t)p & 8191) == 0; }
std::uint64_t d(float *p) { return std::bit_cast<std::uint64_t>(p); }
std::uint64_t e(float *p) { return __builtin_bit_cast(std::uint64_t, p); }
std::uint64_t f(float *p) { std::uint64_t x; std::memcpy(&x, &p, 8); return x; }
std::uint64_t g(float *p) { return *(const std::uint64_t *)&p + reinterpret_cast<const std::uint64_t &>(p); }
unsigned h(float *p) { const auto low = (std::uintptr_t)p; return (low & 63) == 0 ? 1u : unsigned(low >> 20); }
struct S { int x; std::uintptr_t own() const { return (std::uintptr_t)this; } };
std::uintptr_t i() { static constexpr int table[4] = {}; return (std::uintptr_t)table + (std::uintptr_t)&table[1]; }
std::uintptr_t j(int &x) { return (std::uintptr_t)&x; }
std::uintptr_t k(const int *p) { return ((std::uintptr_t)p >> 12) & 63; }
std::uintptr_t l(const int *p) { return (std::uintptr_t)p % 61; }
bool m(const int *p, const int *q) { return std::memcmp(&p, &q, 8) < 0; }
long n(int count, ...) { __builtin_va_list v; __builtin_va_start(v, count); return __builtin_va_arg(v, long); }
long o(const int *p) { return n(1, p); }
std::uintptr_t r() { return (std::uintptr_t)&a; }
unsigned s(const int *p) { std::uintptr_t x = (std::uintptr_t)p; unsigned low = x & 63; x >>= 6; return low; }
}
)cpp",
      {{kAddressesAsNumbers, 5},  {kAddressesAsNumbers, 6},  {kAddressesAsNumbers, 6},  {kAddressesAsNumbers, 7},
       {kAddressesAsNumbers, 7},  {kAddressesAsNumbers, 8},  {kAddressesAsNumbers, 9},  {kAddressesAsNumbers, 10},
       {kAddressesAsNumbers, 11}, {kAddressesAsNumbers, 11}, {kAddressesAsNumbers, 12}, {kAddressesAsNumbers, 13},
       {kAddressesAsNumbers, 14}, {kAddressesAsNumbers, 14}, {kAddressesAsNumbers, 15}, {kAddressesAsNumbers, 16},
       {kAddressesAsNumbers, 17}, {kAddressesAsNumbers, 18}, {"io-and-clocks", 19},     {kAddressesAsNumbers, 20},
       {kAddressesAsNumbers, 21}, {kAddressesAsNumbers, 22}});
}

TEST(AddressesAsNumbers, FindsDifferencesBetweenArrays) {
  expectFindings(R"cpp(#include <cstddef>
#include <iterator>
#include <span>
namespace {
std::ptrdiff_t a(const int *in, int *out) { return out - in; }
std::ptrdiff_t b(const int *in, int *out, long n) { const int *p = in; p += n; const int *q = &out[n]; return (p + 1) - q; }
std::ptrdiff_t c(const int *in, int *out, bool x) { const int *p = in; if (x) p = out; return p - in; }
std::ptrdiff_t d(int *out) { static constexpr int table[2] = {}; return out - table; }
std::ptrdiff_t e(int *out) { int own[4] = {}; return out - own; }
std::ptrdiff_t f(const int *in, int *out) { const int *both[2] = {in, out}; return both[1] - both[0]; }
const int *same(const int *p) { return p + 1; }
std::ptrdiff_t g(const int *in, int *out) { return same(in) - same(out); }
std::ptrdiff_t h(const int *in, int *out) { return (const char *)out - (const char *)in; }
std::ptrdiff_t i(const int *in, int *out) { auto f = [&] { return out - in; }; return f(); }
std::ptrdiff_t j(const int *in, int *out) { auto f = [=](const int *p) { return p - in; }; return f(out); }
std::ptrdiff_t k(const int *in, int *out) { return std::distance(in, (const int *)out); }
std::size_t l(const int *in, int *out) { return std::span<const int>(in, out).size(); }
struct Two { const int *first, *second; };
std::ptrdiff_t m(const int *in, int *out) { Two two{in, out}; return two.second - two.first; }
std::ptrdiff_t n(const int *in, int *out, bool x) { return (x ? in : out) - in + (((void)x, out) - in); }
std::ptrdiff_t apart(const int *p, const int *q) { return q - p; }
std::ptrdiff_t o(const int *in, int *out) { return apart(in, out) + apart(in, in + 1); }
constexpr int kTable[4] = {};
const int *table(const int *) { return kTable; }
std::ptrdiff_t r(int *out) { return out - table(out); }
void set(const int *&p, const int *q) { p = q; }
std::ptrdiff_t s(const int *in, int *out) { const int *p = in; set(p, out); return p - in; }
std::ptrdiff_t t(const int *in, int *out) { const auto [p, q] = Two{in, out}; return q - p; }
}
)cpp",
                 {{kAddressesAsNumbers, 5},
                  {kAddressesAsNumbers, 6},
                  {kAddressesAsNumbers, 7},
                  {kAddressesAsNumbers, 8},
                  {kAddressesAsNumbers, 9},
                  {kAddressesAsNumbers, 10},
                  {kAddressesAsNumbers, 12},
                  {kAddressesAsNumbers, 13},
                  {kAddressesAsNumbers, 14},
                  {kAddressesAsNumbers, 15},
                  {kAddressesAsNumbers, 16},
                  {kAddressesAsNumbers, 17},
                  {kAddressesAsNumbers, 19},
                  {kAddressesAsNumbers, 20},
                  {kAddressesAsNumbers, 20},
                  {kAddressesAsNumbers, 21},
                  {kAddressesAsNumbers, 25},
                  {kAddressesAsNumbers, 27},
                  {kAddressesAsNumbers, 28}});
}

TEST(AddressesAsNumbers, InMacrosAndTemplates) {
  Unit unit;
  unit.mocks = "#define NUMBER(p) ((unsigned long)(p))\n#define APART(p, q) ((p) - (q))";
  expectFindings(
      R"cpp(namespace {
unsigned long a(float *p) { return NUMBER(p); }
long b(float *p, float *q) { return APART(p, q); }
template <class T> unsigned long c(T *p) { return (unsigned long)p; }
template <class T> long d(T *p, T *q) { return p - q; }
long e(float *p, float *q) { return c(p) + d(p, q); }
template <int kAlignment> bool f(float *p) { return ((unsigned long)p & (kAlignment - 1)) == 0; }
template <class T> bool g(T *p) { return (unsigned long)p % alignof(T) == 0; }
template <class T> long h(const T *first, const T *last) { return last - first; }
long i(float *p) { return f<64>(p) + g(p) + h(p, p + 2); }
}
)cpp",
      {{kAddressesAsNumbers, 2}, {kAddressesAsNumbers, 3}, {kAddressesAsNumbers, 4}, {kAddressesAsNumbers, 5}}, unit);
}

TEST(AddressesAsNumbers, AMaskThatAnInstantiationMakesLarge) {
  expectFindings(R"cpp(namespace {
template <unsigned long kMask> bool f(float *p) { return ((unsigned long)p & kMask) == 0; }
bool g(float *p) { return f<~0ul>(p); }
}
)cpp",
                 {{kAddressesAsNumbers, 2}});
}

TEST(AddressesAsNumbers, WhatIsUsualIsLegal) {
  expectFindings(R"cpp(#include <immintrin.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
namespace {
bool a(const float *p) { return (reinterpret_cast<std::uintptr_t>(p) & 63) == 0; }
std::size_t b(const float *p) { return static_cast<std::size_t>((std::uintptr_t)p) % 32 + ((-(std::uintptr_t)p) & (alignof(double) - 1)); }
bool c(const float *p, const float *q) { return (((std::uintptr_t)p | (std::uintptr_t)q) & 31) == 0; }
bool d(const float *p) { const std::uintptr_t low = (std::uintptr_t)p; auto f = [=] { return low & 15; }; return f() == 0 && (low & 63) == 0; }
bool e(const int *in, const int *out, long n) { return in + n <= out || out + n <= in || in == out; }
std::ptrdiff_t f(const int *in, long n) { const int *p = in, *end = in + n; while (p != end) ++p; return p - in + (end - p); }
std::ptrdiff_t count(const int *first, const int *last) { return last - first; }
std::ptrdiff_t g(const int *in, int *out, long n) { return count(in, in + n) + count(out, out + n); }
float *h(float *p) { return static_cast<float *>(__builtin_assume_aligned(p, 64)); }
std::ptrdiff_t i(const int *in, long n) { return std::lower_bound(in, in + n, 3) - in; }
std::ptrdiff_t j() { std::array<int, 4> own{}; return std::max_element(own.begin(), own.end()) - own.begin(); }
std::ptrdiff_t k(const int *in, std::size_t n) { std::span<const int> s(in, n); return std::find(s.begin(), s.end(), 3) - s.begin(); }
const int *one(const int *p, int n);
const int *two(const int *p, int n) { return n ? one(p, n - 1) : p; }
const int *one(const int *p, int n) { return n ? two(p, n - 1) : p; }
std::ptrdiff_t turns(const int *in) { return one(in, 3) - in; }
std::ptrdiff_t l() { int own[8] = {}; int *p = own; *p++ = 1; return p - own + (&own[3] - &own[1]); }
struct Matrix { const float *data; long width; const float *row(long i) const { return data + i * width; } };
std::ptrdiff_t m(const float *in) { Matrix x{in, 3}; return x.row(1) - x.data + (x.row(2) - in); }
void n(const float *const *rows, const float *p) { _mm_prefetch((const char *)rows, _MM_HINT_T0); __builtin_prefetch((const char *)(rows + 1)); __builtin_prefetch(p); }
std::uint32_t o(float x) { std::uint32_t bits; std::memcpy(&bits, &x, 4); return bits + __builtin_bit_cast(std::uint32_t, x); }
__m256i r(const float *p) { return _mm256_loadu_si256((const __m256i *)p); }
std::ptrdiff_t t(const unsigned char *p, const unsigned char *end) { const std::size_t n = 3; const auto *u = p; for (; u < end; u += n) {} return u - p; }
}
)cpp",
                 {}, {.arguments = {"-std=c++20", "-mavx2"}});
}

TEST(AddressesAsNumbers, FindsTestsForOneDistance) {
  expectFindings(R"cpp(namespace {
bool a(const float *p, const float *q) { return p == q + 64; }
bool b(const float *p, const float *q, long n) { return &p[n] != q; }
bool c(const float *p, const float *q) { const float *r = q; return p - 4 == r; }
bool d(const float *p, const float *q) { return p == q; }
bool e(const float *p, long n) { const float *end = p + n; return p + 8 == end && end != &p[n - 1]; }
bool f(const float *p, const float *q, long n) { return p < q + n && q < p + n; }
bool at(const float *p, const float *q) { return p == q + 1; }
bool g(const float *p, long n) { return at(p, p + n); }
bool h(const float *p, const float *q) { return at(p, q); }
template <class T> bool i(const T *p, const T *q) { return p + 1 == q; }
bool j(const float *p, const float *q) { return i(p, q) || i(p, p); }
}
)cpp",
                 {{kAddressesAsNumbers, 2},
                  {kAddressesAsNumbers, 3},
                  {kAddressesAsNumbers, 4},
                  {kAddressesAsNumbers, 8},
                  {kAddressesAsNumbers, 11}});
}

TEST(AddressesAsNumbers, FindsTheOrderOfArrays) {
  expectFindings(R"cpp(#include <algorithm>
#include <functional>
namespace {
bool a(const float *p, const float *q) { return p < q; }
bool b(const float *p, const unsigned *q) { return (const void *)q >= static_cast<const void *>(p); }
bool c(const float *p, const float *q) { const float *r = q; const char *s = (const char *)r; return (const char *)p > s; }
bool d(const float *p) { float own[4] = {}; return p <= own; }
bool e(const float *p, const float *q) { return std::less<const float *>()(p, q); }
const float *f(const float *p, const float *q) { return std::min(p, q); }
struct Two { const float *first, *second; };
bool g(const float *p, const float *q) { const Two two{p, q}; return two.first < two.second; }
bool isBehind(const float *p, const float *q) { return q < p; }
bool h(const float *p, const float *q) { return isBehind(p, q); }
bool i(const float *p, const float *q, long n) { return p <= q || p >= q + n; }
bool j(const float *p, long n) { const float *end = p + n; return p < end && isBehind(end, p + 1); }
bool k(const float *p, const float *q, long n) { const float *end = p + n; return end <= q || q + n <= p; }
bool m(const float *p, const float *last) { while (p < last) ++p; return true; }
}
)cpp",
                 {{kAddressesAsNumbers, 4},
                  {kAddressesAsNumbers, 5},
                  {kAddressesAsNumbers, 6},
                  {kAddressesAsNumbers, 7},
                  {kAddressesAsNumbers, 8},
                  {kAddressesAsNumbers, 9},
                  {kAddressesAsNumbers, 11},
                  {kAddressesAsNumbers, 12}});
}

TEST(AddressesAsNumbers, FindsLowBitsComparedWithMoreThanZero) {
  expectFindings(
      R"cpp(typedef unsigned long Word;
namespace {
bool a(const float *p) { return ((Word)p & 4095) == 16; }
bool b(const float *p) { const Word low = (Word)p; return low % 64 != 32; }
bool c(const float *p) { const unsigned low = unsigned((Word)p & 31); return 4 == low; }
template <unsigned kOffset> bool d(const float *p) { return ((Word)p & 63) == kOffset; }
bool e(const float *p) { return d<16>(p) || d<0>(p); }
bool f(const float *p, Word n) { return ((Word)p & 63) == 0 && (n & 3) == 1 && ((Word)p & 63 & n) != 0; }
}
)cpp",
      {{kAddressesAsNumbers, 3}, {kAddressesAsNumbers, 4}, {kAddressesAsNumbers, 5}, {kAddressesAsNumbers, 6}});
}

TEST(AddressesAsNumbers, ABaselineMayAskForOrderAndLowBits) {
  Unit unit;
  unit.kernelSymbol.clear();
  expectFindings(
      "namespace {\nbool a(const float *p, const float *q) { return p < q || ((unsigned long)p & 63) == 4; }\n}\n", {},
      unit);
}

TEST(AddressesAsNumbers, AKernelThatTakesBothEnds) {
  const std::string both = "int f(const int *first, const int *last) { return last  - first; }";
  Unit unit{.kernelSymbol = "kernel", .addKernel = false};
  const std::string code = "extern \"C\" int kernel(const int *first, const int *last) { return last - first; }\n";
  expectFindings(code, {{kAddressesAsNumbers, 1}}, unit);
  unit.baseline = both;
  expectFindings(code, {}, unit);
  expectFindings("extern \"C\" int kernel(const int *first, int *out) { return out - first; }\n",
                 {{kAddressesAsNumbers, 1}}, unit);
  const std::string order = "extern \"C\" int kernel(const int *first, const int *last) { return first < last; }\n";
  expectFindings(order, {}, unit);
  unit.baseline.clear();
  expectFindings(order, {{kAddressesAsNumbers, 1}}, unit);
}

TEST(AddressesAsNumbers, TheMessageNamesTheArrays) {
  EXPECT_THAT(messagesOf("namespace { long a(int *in, int *out) { return out - in; } }\n"),
              testing::ElementsAre(testing::HasSubstr("'in' and 'out' are different arrays")));
}

} // namespace
} // namespace agentic::checks
