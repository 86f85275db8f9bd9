#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::checks {
namespace {

const std::string kKeyConstants = "key-constants";

TEST(KeyConstants, NotesDataComparedWithAConstantOfItsOwn) {
  expectNotes(R"cpp(#include <cstring>
#include <immintrin.h>
namespace {
bool a(const int *p) { return p[0] == 1234567; }
bool b(const int *p) { const int first = *p; return 4711 != first; }
bool c(const unsigned *p) { return (p[3] ^ 0x5eed) == 0; }
bool d(const unsigned *p) { unsigned x = 0; x = p[1]; return !(x - 99); }
int e(const unsigned char *p) { switch (p[0]) { case 3: return 1; case 0xe7: return 2; } return 3; }
bool f(const float *p) { return p[0] == 3.25f && p[1] == 0.1f; }
bool g(const int *p) {
  const __m128i key = _mm_set1_epi32(771);
  return _mm_movemask_epi8(_mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(p)), key)) != 0;
}
bool h(const char *p) { return std::memcmp(p, "benchmark", 9) == 0; }
bool i(const int *p) { long long both; std::memcpy(&both, p, 8); return both == 0x123456789abcdef; }
struct Pair { int key, value; };
bool j(const Pair *p) { return p->key == 1009; }
bool k(const int *p) { int sum = 0; for (int i = 0; i < 8; ++i) sum += p[i]; return sum == -1001; }
template <class T> bool l(const T *p, T key) { return *p == 5050 + 0 * key; }
bool m(const int *p) { return l(p, 1); }
constexpr int kKnown = 777;
bool n(const int *p) { return p[2] == kKnown; }
}
)cpp",
              {{kKeyConstants, 4},
               {kKeyConstants, 5},
               {kKeyConstants, 6},
               {kKeyConstants, 7},
               {kKeyConstants, 8},
               {kKeyConstants, 9},
               {kKeyConstants, 9},
               {kKeyConstants, 12},
               {kKeyConstants, 14},
               {kKeyConstants, 15},
               {"literal-shape", 17}, // of what an argument leads to
               {kKeyConstants, 17},
               {kKeyConstants, 18},
               {kKeyConstants, 19},
               {kKeyConstants, 22}});
}

TEST(KeyConstants, WhatTypesGiveIsUsual) {
  expectNotes(R"cpp(#include <cmath>
#include <cstdint>
#include <limits>
namespace {
bool a(const int *p) { return p[0] == 0 || p[0] == 31 || p[1] == -1 || p[2] == 0x40000000; }
bool b(const std::uint8_t *p) { return p[0] == 0x80 || p[1] == 0xff || (p[2] & 0xc0) == 0x80 || p[3] == 0x7f; }
bool c(const std::uint64_t *p) { return (p[0] & 0x8080808080808080u) == 0x8080808080808080u || *p == 0x0101010101010101u; }
bool d(const int *p) { return p[0] == std::numeric_limits<int>::max() || *p == std::numeric_limits<int>::min(); }
bool e(const float *p) { return p[0] == 0.5f || *p == INFINITY || *p == std::numeric_limits<float>::max() || *p == 7; }
bool f(const int *p, int needle) { return p[0] == needle; }
bool g(const int *p, int n) { int i = 0; while (i < n && p[i] < 1000) ++i; return i == 12; }
constexpr int kTable[4] = {100, 200, 300, 400};
bool h() { return kTable[1] == 200; }
bool i(const int *p, int n) { int own[4] = {}; own[n & 3] = 1; return own[0] == 1000 && p[0] + own[0] > 1000; }
}
)cpp",
              {});
}

TEST(KeyConstants, WhatTheBaselineHasIsNoKey) {
  const std::string code = "namespace { bool f(const int *p) { return p[0] == 1000 || p[1] == 'q' || p[2] == 999 || "
                           "p[3] == 0x1f4; } }\n";
  Unit unit;
  expectNotes(code, {{kKeyConstants, 1}, {kKeyConstants, 1}, {kKeyConstants, 1}, {kKeyConstants, 1}}, unit);
  unit.baseline = "bool f(const int *p) { return p[0] > 1'000 || p[1] == 'q' || p[3] == 500; }";
  expectNotes(code, {}, unit);
}

TEST(KeyConstants, APolicyCanRefuseThemInWords) {
  Unit unit;
  unit.policy.forbid.checks = {kKeyConstants};
  EXPECT_THAT(messagesOf("namespace { bool f(const int *p) { return p[0] == -4711; } }\n", unit),
              testing::ElementsAre("data are compared with -4711, which neither a type nor the baseline has: it must "
                                   "not be a key to known contents"));
}

} // namespace
} // namespace agentic::checks
