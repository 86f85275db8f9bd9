#include "tests/source/fuzz/comparison.h"

namespace agentic::fuzz {

const std::string kProgramHead = R"(#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>
using std::size_t;
)";

// UBSan reports each place once, and calls __ubsan_on_report then: an original that is undefined for an input is not
// run any further, and a report while a variant runs is a finding.
const std::string kComparison = R"(#line 1 "comparison"
using Function = void(const float *, const unsigned *, float *, int *, unsigned char *, size_t, size_t);
struct Named { int number; Function *function; };
struct Policy { double largestTerm, relative; bool mayOverlap; };
static int reports, runs, undefinedOriginals, subject, variant;
extern "C" void __ubsan_on_report() { ++reports; }

struct Data {
  std::vector<float> floats; // A and C: [0, size) is A's, the rest is C's and what is around it
  std::vector<int> d;
  std::vector<unsigned char> e;
};
constexpr size_t kSize = 16384;
constexpr int kModes = 4;
static std::vector<unsigned> b(kSize);
static Data inputs[kModes];
static sigjmp_buf afterFault;
static volatile bool isGuarded;

static void onSignal(int signal) {
  if (signal == SIGSEGV && isGuarded)
    siglongjmp(afterFault, 1);
  std::printf("finding %d %d ends by signal %d\n", subject, variant, signal);
  std::fflush(stdout);
  _exit(3);
}

// Five arrays that end where nothing may be touched.
constexpr size_t kHalf = 1 << 18;
static char *ends[5];
static void prepareGuards() {
  for (char *&end : ends) {
    end = static_cast<char *>(mmap(nullptr, 2 * kHalf, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) + kHalf;
    mprotect(end - kHalf, kHalf, PROT_READ | PROT_WRITE);
  }
}
// 0: small numbers, exact in any order of summation; 1: integers alternate between the ends of their types, floats are
// zeros of both signs and small; 2: random bits in integers, any floats; 3: NaN and infinities among them.
static void prepare() {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
    std::signal(signal, onSignal);
  prepareGuards();
  std::uint32_t state = 1;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  for (unsigned &x : b)
    x = next() << 8 ^ next();
  for (int mode = 0; mode < kModes; ++mode) {
    Data &data = inputs[mode];
    data.floats.resize(3 * kSize), data.d.resize(kSize), data.e.resize(kSize);
    for (float &x : data.floats) {
      const int n = static_cast<int>(next() % 63) - 31;
      x = mode == 0 ? n / 4.0f : mode == 1 ? (n & 3 ? (n & 4 ? -0.0f : 0.0f) : n * 0.25f) : n * 0.37f + 1.0f / (n + 40);
      if (mode == 3 && n % 11 == 3)
        x = n > 0 ? NAN : n & 1 ? INFINITY : -INFINITY;
    }
    for (size_t i = 0; i < kSize; ++i) {
      const int n = static_cast<int>(next() % 61) - 30;
      data.d[i] = mode == 0 ? n : mode == 1 ? (i % 2 ? -INT32_MAX : INT32_MAX) : mode == 2 ? n * 1000 : static_cast<int>(next() << 8);
      data.e[i] = mode == 1 ? (i % 2 ? 255 : 0) : next();
    }
  }
}

static bool isClose(float left, float right, const Policy &policy, int mode, size_t terms) {
  if (std::memcmp(&left, &right, sizeof left) == 0 || (left != left && right != right))
    return true;
  if (policy.relative > 0)
    return std::fabs(left - right) <= policy.relative * std::fabs(left);
  if (policy.largestTerm == 0)
    return false;
  if (mode < 2) // every sum is exact; the order may change the sign of a zero
    return left == right;
  return std::fabs(left - right) <= 2.0 * terms * terms * policy.largestTerm / (1 << 24);
}

static const char *difference(const Data &left, const Data &right, const Policy &policy, int mode, size_t terms) {
  static char text[200];
  const bool areFloatsSame = std::memcmp(left.floats.data(), right.floats.data(), sizeof(float) * left.floats.size()) == 0;
  for (size_t i = 0; i < left.floats.size() && !areFloatsSame; ++i)
    if (!isClose(left.floats[i], right.floats[i], policy, mode, terms))
      return std::snprintf(text, sizeof text, "float %zu is %.9g instead of %.9g", i, right.floats[i], left.floats[i]), text;
  if (areFloatsSame && left.d == right.d && left.e == right.e)
    return nullptr;
  for (size_t i = 0; i < kSize; ++i)
    if (left.d[i] != right.d[i])
      return std::snprintf(text, sizeof text, "D[%zu] is %d instead of %d", i, right.d[i], left.d[i]), text;
  for (size_t i = 0; i < kSize; ++i)
    if (left.e[i] != right.e[i])
      return std::snprintf(text, sizeof text, "E[%zu] is %d instead of %d", i, right.e[i], left.e[i]), text;
  return nullptr;
}

static void call(Function *function, Data &data, long offset, bool overlap, size_t m, size_t k) {
  float *const c = data.floats.data() + kSize + 1024;
  function(overlap ? c + offset : data.floats.data(), b.data(), c, data.d.data(), data.e.data(), m, k);
}

struct Touched { size_t count[5] = {kSize, kSize, kSize, kSize, kSize}; };
template <class T> static T *placed(const T *from, int array, const Touched &touched) {
  T *const at = reinterpret_cast<T *>(ends[array]) - touched.count[array];
  std::memcpy(at, from, touched.count[array] * sizeof(T));
  return at;
}
static bool staysWithin(Function *function, const Touched &touched, size_t m, size_t k) {
  const Data &data = inputs[0];
  const float *const a = placed(data.floats.data(), 0, touched);
  const unsigned *const bits = placed(b.data(), 1, touched);
  float *const c = placed(data.floats.data() + kSize + 1024, 2, touched);
  int *const d = placed(data.d.data(), 3, touched);
  unsigned char *const e = placed(data.e.data(), 4, touched);
  if (sigsetjmp(afterFault, 1)) {
    isGuarded = false;
    return false;
  }
  isGuarded = true;
  function(a, bits, c, d, e, m, k);
  isGuarded = false;
  return true;
}
// How many elements the original needs of each array; variants must do with as many.
static void compareTouched(Function *original, std::vector<Named> &variants) {
  static const size_t sizes[][2] = {{0, 3}, {3, 0}, {5, 31}};
  for (const auto &[m, k] : sizes) {
    Touched touched;
    variant = -1;
    if (!staysWithin(original, touched, m, k))
      return;
    for (size_t &count : touched.count) {
      size_t tooFew = 0, enough = count;
      count = 0;
      if (staysWithin(original, touched, m, k))
        continue;
      while (enough - tooFew > 1) {
        count = tooFew + (enough - tooFew) / 2;
        (staysWithin(original, touched, m, k) ? enough : tooFew) = count;
      }
      count = enough;
    }
    for (Named &named : variants) {
      variant = named.number;
      if (named.function && !staysWithin(named.function, touched, m, k)) {
        std::printf("finding %d %d M=%zu K=%zu: touches elements behind those that the original touches\n", subject,
                    variant, m, k);
        std::fflush(stdout);
        named.function = nullptr;
      }
    }
  }
}

static void compare(int number, Function *original, std::vector<Named> variants, Policy policy) {
  static const size_t sizes[][2] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 64}, {3, 32}, {5, 31}, {8, 65}, {17, 33},
                                    {33, 64}, {40, 16}, {9, 70}, {2, 7}, {64, 2}};
  static Data expected, actual;
  subject = number;
  for (int mode = 0; mode < kModes; ++mode) {
    if (mode == 1)
      compareTouched(original, variants);
    for (const auto &[m, k] : sizes)
      for (long offset : {-1000000l, 0l, 1l, -1l, 5l, -40l, 700l}) {
        const bool overlap = offset != -1000000;
        if (overlap && !policy.mayOverlap)
          break;
        expected = inputs[mode];
        reports = 0, variant = -1;
        alarm(20);
        call(original, expected, offset, overlap, m, k);
        if (reports) {
          ++undefinedOriginals;
          return;
        }
        for (Named &named : variants) {
          if (!named.function)
            continue;
          actual = inputs[mode];
          reports = 0, variant = named.number;
          call(named.function, actual, offset, overlap, m, k);
          ++runs;
          const char *what = reports ? "does something undefined" : difference(expected, actual, policy, mode, (m + 8) * (k + 1));
          if (what) {
            std::printf("finding %d %d M=%zu K=%zu data %d%s: %s\n", subject, variant, m, k, mode,
                        overlap ? " overlapping" : "", what);
            std::fflush(stdout);
            named.function = nullptr;
          }
        }
      }
  }
}

static int finish() {
  std::printf("compared %d %d\n", runs, undefinedOriginals);
  return 0;
}
)";

} // namespace agentic::fuzz
