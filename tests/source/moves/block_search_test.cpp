#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

Contract extents(const std::vector<std::pair<std::string, std::string>> &declared) {
  Contract contract;
  for (const auto &[parameter, text] : declared)
    contract.extents.push_back({parameter, Direction::In, text});
  return contract;
}

KernelSpec specOf(const std::string &body, Contract contract = extents({{"s", "n"}, {"x", "n + 1"}, {"set", "m"}})) {
  KernelSpec spec = kernelSpec(
      "size_t f(const unsigned char *s, const int *x, const unsigned char *set, float *out, size_t n, size_t m, int k) "
      "{\n" +
          body + "\n}",
      {"void fail();\nextern int shared;\nconstexpr unsigned char kClass[256] = {};\nconstexpr int kFew[4] = {};\n"
       "namespace std { template <class T> struct vector { T *p; size_t n; T &operator[](size_t i) { return p[i]; } "
       "size_t size() const { return n; } void push_back(T); }; }\n"
       "struct Odd { int operator[](size_t) const; };\nextern const Odd kOdd;"});
  spec.contract = std::move(contract);
  return spec;
}
std::string verdictOn(const std::string &loop,
                      Contract contract = extents({{"s", "n"}, {"x", "n + 1"}, {"set", "m"}})) {
  return refusalOf(specOf("int best = -1; size_t at = 0;\n" + loop + "\nreturn best + at;", std::move(contract)),
                   "block-search", "i");
}
std::string verdictOnBody(const std::string &body) {
  return verdictOn("for (size_t i = 0; i < n; ++i) {" + body + "}");
}

TEST(BlockSearch, TextOfALoopThatIsLeft) {
  EXPECT_EQ(
      transformedBy(specOf("for (size_t i = 0; i < n; ++i)\n  if (s[i] == k || s[i] == 0)\n    return i;\nreturn n;"),
                    "block-search(i, block=32)"),
      R"(// Moves: block-search(i, block=32).
// Blocks of 'i' in which no condition holds are skipped: nothing changes in
// them, so that all their conditions can be evaluated at once; from the first
// block with a hit on, the loop is as written. What is read behind the hit is
// there.
size_t f(const unsigned char *s, const int *x, const unsigned char *set,
         float *out, size_t n, size_t m, int k) {
  {
    constexpr size_t kBlockI = 32; // iterations that are asked at once
    const size_t iEnd = n - n % kBlockI;
    size_t iHit = iEnd; // where the loop as written takes over
    for (size_t i0 = 0; i0 < iEnd; i0 += kBlockI) {
      unsigned char any = 0;
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        any |= ((s[i] == k) | (s[i] == 0));
      }
      if (any != 0) {
        iHit = i0;
        break;
      }
    }
    // From the block with the first hit, or for the rest.
    for (size_t i = iHit; i < n; ++i)
      if (s[i] == k || s[i] == 0)
        return i;
  }
  return n;
}
)");
}

TEST(BlockSearch, TextOfALoopThatGoesOn) {
  EXPECT_EQ(
      transformedBy(specOf("int best = x[0];\nsize_t at = 0;\nfor (size_t i = 1; i < n; ++i)\n  if (x[i] > best) {\n"
                           "    best = x[i];\n    at = i;\n  }\nreturn at;"),
                    "block-search(i, block=16)"),
      R"(// Moves: block-search(i, block=16).
// Blocks of 'i' in which no condition holds are skipped: nothing changes in
// them, so that all their conditions can be evaluated at once; a block with a
// hit is run as written.
size_t f(const unsigned char *s, const int *x, const unsigned char *set,
         float *out, size_t n, size_t m, int k) {
  int best = x[0];
  size_t at = 0;
  {
    constexpr size_t kBlockI = 16; // iterations that are asked at once
    const size_t iEnd = n > 1 ? n - (n - 1) % kBlockI : 1;
    for (size_t i0 = 1; i0 < iEnd; i0 += kBlockI) {
      unsigned any = 0;
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        any |= (x[i] > best);
      }
      if (any == 0)
        continue;
      for (size_t i = i0; i < i0 + kBlockI; ++i)
        if (x[i] > best) {
          best = x[i];
          at = i;
        }
    }
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i)
      if (x[i] > best) {
        best = x[i];
        at = i;
      }
  }
  return at;
}
)");
}

TEST(BlockSearch, TextOfALoopInside) {
  EXPECT_EQ(
      transformedBy(specOf("for (size_t i = 0; i < n; ++i)\n  for (size_t j = 0; j < m; ++j)\n    if (s[i] == set[j])\n"
                           "      return i;\nreturn n;"),
                    "block-search(i, block=64)"),
      R"(// Moves: block-search(i, block=64).
// Blocks of 'i' in which no condition holds are skipped: nothing changes in
// them, so that all their conditions can be evaluated at once; from the first
// block with a hit on, the loop is as written. What is read behind the hit is
// there.
size_t f(const unsigned char *s, const int *x, const unsigned char *set,
         float *out, size_t n, size_t m, int k) {
  {
    constexpr size_t kBlockI = 64; // iterations that are asked at once
    const size_t iEnd = n - n % kBlockI;
    size_t iHit = iEnd; // where the loop as written takes over
    for (size_t i0 = 0; i0 < iEnd; i0 += kBlockI) {
      unsigned char hits[kBlockI];
      for (size_t ii = 0; ii < kBlockI; ++ii)
        hits[ii] = 0;
      for (size_t j = 0; j < m; ++j) {
        for (size_t ii = 0; ii < kBlockI; ++ii) {
          const size_t i = i0 + ii;
          hits[ii] |= (s[i] == set[j]);
        }
      }
      unsigned char any = 0;
      for (size_t ii = 0; ii < kBlockI; ++ii)
        any |= hits[ii];
      if (any != 0) {
        iHit = i0;
        break;
      }
    }
    // From the block with the first hit, or for the rest.
    for (size_t i = iHit; i < n; ++i)
      for (size_t j = 0; j < m; ++j)
        if (s[i] == set[j])
          return i;
  }
  return n;
}
)");
}

TEST(BlockSearch, TextOfMatchesThatMostlyEndEarly) {
  EXPECT_EQ(
      transformedBy(specOf("for (size_t j = 0; j < m; ++j) {\n  const unsigned char *p = s + x[j];\n  for (size_t i = "
                           "0; i < m; ++i)\n    if (p[i] != s[i + 1])\n      return i;\n}\nreturn n;"),
                    "block-search(i, block=16, exact=1)"),
      R"(// Moves: block-search(i, block=16, exact=1).
// Blocks of 'i' in which no condition holds are skipped: nothing changes in
// them, so that all their conditions can be evaluated at once; from the first
// hit on, the loop is as written. What is read behind it is there.
size_t f(const unsigned char *s, const int *x, const unsigned char *set,
         float *out, size_t n, size_t m, int k) {
  for (size_t j = 0; j < m; ++j) {
    const unsigned char *p = s + x[j];
    {
      // Elements that are there by the contract: blocks read no others.
      const unsigned long long extent = static_cast<unsigned long long>(n);
      const unsigned long long place = static_cast<unsigned long long>(p - s),
                               room = (extent - place) *
                                      static_cast<unsigned long long>(place <
                                                                      extent);
      const unsigned long long place_2 = 1ull,
                               room_2 = (extent - place_2) *
                                        static_cast<unsigned long long>(
                                            place_2 < extent);
      constexpr size_t kBlockI = 16; // iterations that are asked at once
      unsigned long long iLimit = static_cast<unsigned long long>(m);
      iLimit -=
          (iLimit - room) * static_cast<unsigned long long>(room < iLimit);
      iLimit -=
          (iLimit - room_2) * static_cast<unsigned long long>(room_2 < iLimit);
      const size_t iBlocksBound = static_cast<size_t>(iLimit);
      const size_t iEnd = iBlocksBound - iBlocksBound % kBlockI;
      size_t iHit = iEnd; // where the loop as written takes over
      for (size_t i0 = 0; i0 < iEnd; i0 += kBlockI) {
        unsigned char any = 0;
        for (size_t ii = 0; ii < kBlockI; ++ii) {
          const size_t i = i0 + ii;
          any |= (p[i] != s[i + 1]);
        }
        if (any != 0) {
          unsigned char hits[kBlockI];
#pragma clang loop unroll(disable)
          for (size_t ii = 0; ii < kBlockI; ++ii) {
            const size_t i = i0 + ii;
            hits[ii] = static_cast<unsigned char>((p[i] != s[i + 1]));
          }
          unsigned long long hitMask =
              0; // a bit for each of the bytes, which are 0 or 1
          for (int word = 0; word < 2; ++word) {
            unsigned long long eight;
            __builtin_memcpy(&eight, hits + 8 * word, 8);
            hitMask |= ((eight * 0x0102040810204080ull) >> 56) << (8 * word);
          }
          iHit = i0 + static_cast<size_t>(__builtin_ctzll(hitMask));
          break;
        }
      }
      // From the first hit, or for the rest.
      for (size_t i = iHit; i < m; ++i)
        if (p[i] != s[i + 1])
          return i;
    }
  }
  return n;
}
)");
}

TEST(BlockSearch, BlocksEndWhereTheDeclaredElementsDo) {
  const std::string offered = "offered";
  for (const char *body :
       {"if (s[i + 1] == 3) return i;", "if (s[1 + i] == 3) return i;", "if (s[m + i] == 3) return i;",
        "if (s[i + at] == 3) return i;", "if (x[i + 2] == 3) return i;",
        "if (s[i] == 3 && set[i] != s[i + m]) return i;", "if (s[i + m] == 3) best = 1;"})
    EXPECT_EQ(verdictOnBody(body), offered) << body;
  EXPECT_EQ(verdictOn("const unsigned char *p = s + k; for (size_t i = 0; i < m; ++i) if (p[i] == 3) return i;"),
            offered);
  EXPECT_EQ(verdictOn("const unsigned char *p = s; for (int i = 0; i < k; ++i) if (p[i] == s[i]) return i;"), offered);
  for (const char *extent : {"m", "k", "n * m", "m + 2 * (n + 1)", "16"})
    EXPECT_EQ(verdictOn("for (size_t i = 0; i < n; ++i) if (s[i] == 0) return i;", extents({{"s", extent}})), offered)
        << extent;
}

TEST(BlockSearch, RefusesPlacesThatMayBeElsewhere) {
  for (const char *extent : {"n - 1", "m / 2", "k + n", "shared", "m + g(n)", "65536 * 65536 * m"})
    EXPECT_THAT(verdictOn("for (size_t i = 0; i < n; ++i) if (s[i] == 0) return i;", extents({{"s", extent}})),
                HasSubstr("nothing says that 's' is that long"))
        << extent;
  for (const char *loop :
       {"const unsigned char *p = s + k; ++p; for (size_t i = 0; i < m; ++i) if (p[i] == 3) return i;",
        "const unsigned char *p = k ? s : set; for (size_t i = 0; i < m; ++i) if (p[i] == 3) return i;",
        "const unsigned char *p = (const unsigned char *)x; for (size_t i = 0; i < m; ++i) if (p[i] == "
        "3) return i;",
        "for (size_t i = 0; i < n; ++i) if (s[i + at] == 3) ++at;",
        "for (size_t i = 0; i < n; ++i) if (s[2 * i + 1] == 3) return i;",
        "for (int i = 0; i < k; ++i) if (s[i + k] == 3) return i;",
        "for (int i = 0; i < k; ++i) if (s[i + 2000000000] == 3) return i;",
        "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < m; ++j) if (s[i + j] == 3) return i;",
        "for (size_t i = 0; i < n; ++i) if (s[i - m] == 3) return i;",
        "for (int i = -3; i < k; ++i) if (s[i + n] == 3) return i;",
        "for (unsigned char i = 0; i < 200; ++i) if (s[i + 2] == 3) return i;",
        "++n; for (size_t i = 0; i < m; ++i) if (s[i + 1] == 3) return i;"})
    EXPECT_NE(verdictOn(loop), "offered") << loop;
}

TEST(BlockSearch, AcceptsConditionsInFrontOfEveryEffect) {
  for (const char *body :
       {"if (s[i] == 3) break;", "if (s[i] == 3) return i;", "if (s[i] == 3) { best = k; return i; }",
        "if (x[i] > best) best = x[i], at = i;", "if (x[i + 1] > best) best = x[i + 1];",
        "const int v = x[i]; if (v > best) { best = v; at = i; }",
        "if (s[i] < 5) return 1; else if (s[i] > 200) return 2;",
        "if (s[i] > 5) { if (s[i] > 9) best = 3; out[i] = 2; }", "if (kClass[s[i]] != 0) return i;",
        "if (s[i] - set[0] > 7) best = 1;", "if (s[i] > 2) best = 3; if (out[i] > 2) best = 4;",
        "for (size_t j = 0; j < m; ++j) if (s[i] == set[j]) return i;", "if (x[i * m] > best) best = x[i * m];"})
    EXPECT_EQ(verdictOnBody(body), "offered") << body;
  EXPECT_EQ(verdictOn("for (int i = 0; i < k; ++i) if (x[i] == 0) { at = i; break; }", extents({{"x", "k"}})),
            "offered");
  EXPECT_EQ(verdictOn("for (size_t i = 1; i < n; ++i) if (s[i - 1] > s[i]) return i;"), "offered");
  EXPECT_EQ(verdictOn("std::vector<int> v; for (size_t i = 0; i < v.size(); ++i) if (v[i] > best) best = v[i];"),
            "offered");
}

TEST(BlockSearch, TablesThatAContractDeclares) {
  const std::string loop = "for (size_t i = 0; i < n; ++i) if (set[s[i]]) return i;";
  EXPECT_EQ(verdictOn(loop, extents({{"s", "n"}, {"set", "256"}})), "offered");
  for (const char *extent : {"255", "256 - m", "m"})
    EXPECT_THAT(verdictOn(loop, extents({{"s", "n"}, {"set", extent}})), HasSubstr("nothing says that 'set'"))
        << extent;
}

TEST(BlockSearch, NumbersThatStayFarFromTheLimitsOfInt) {
  for (const char *value : {"s[i] + ('a' - 'A')", "(s[i] >= 'A' && s[i] <= 'Z' ? s[i] + 32 : s[i])",
                            "(s[i] & 15) * 1000 - s[i]", "(x[i] & 0xffff) + 70000"})
    EXPECT_EQ(verdictOn("for (size_t i = 0; i < n; ++i) if (" + std::string(value) + " == k) return i;"), "offered")
        << value;
  for (const char *value : {"x[i] + 1", "(x[i] & -2) + 1", "s[i] * 100000000", "(s[i] > 3 ? x[i] : 1) + 1",
                            "(x[i] & 0x7fffffff) + (x[i] & 1)"})
    EXPECT_THAT(verdictOn("for (size_t i = 0; i < n; ++i) if (" + std::string(value) + " == k) return i;"),
                HasSubstr("could overflow"))
        << value;
}

TEST(BlockSearch, RefusesEffectsOfEveryIteration) {
  EXPECT_THAT(verdictOnBody("best += x[i]; if (s[i] == 3) break;"),
              HasSubstr("'best += x[i];' happens in every iteration"));
  EXPECT_THAT(verdictOnBody("if (x[i] > best) best = x[i]; else ++at;"),
              HasSubstr("'++at;' happens in every iteration"));
  EXPECT_THAT(verdictOnBody("if (s[i]) break; best = 2;"), HasSubstr("happens in every iteration"));
  EXPECT_THAT(verdictOnBody("while (at < s[i]) ++at;"), HasSubstr("happens in every iteration"));
  EXPECT_THAT(verdictOnBody("break;"), HasSubstr("happens in every iteration"));
  EXPECT_THAT(verdictOnBody(""), HasSubstr("no condition"));
}

TEST(BlockSearch, RefusesWhatMayNotBeAskedAhead) {
  for (const auto &[body, reason] : std::vector<std::pair<std::string, std::string>>{
           {"if (out[i] > 3) return i;", "nothing says that 'out' is that long; AGENTIC_IN(out, n) would say so"},
           {"if (s[i - 1] == 3) return i;", "nothing says that 's' is that long"},
           {"if (s[i] == 3 && out[i] > 2) best = 3;", "'out[i]' would be read"},
           {"if (out[i] > 2) fail();", "'out[i]' would be read"},
           {"if (out[best] > 2) best = 3;", "'out[best]' would be read"},
           {"if (s[i] > 2) best = 3; else if (out[i] > 2) best = 4;", "'out[i]' would be read"},
           {"if (kFew[i] == 3) return i;", "nothing says that 'kFew' is that long"},
           {"if (kFew[s[i]] == 3) return i;", "nothing says that 'kFew' is that long"},
           {"if (x[i] + k > 3) return i;", "could overflow in an iteration behind"},
           {"if (100 / x[i] > 3) return i;", "could trap in an iteration behind"},
           {"if (x[i] << s[i] > 3) return i;", "could be undefined in an iteration behind"},
           {"if (s[i] == shared) return i;", "'shared' is no plain local number"},
           {"if (++at == s[i]) return i;", "has a side effect"},
           {"if (kOdd[i] == 1) return i;", "a member function"},
           {"if (s[i] == 3) { if (k) break; best = 2; }", "a 'break' ends it"},
           {"if (s[i] == 3) { static int seen; ++seen; }", "a static variable"},
           {"for (size_t j = 0; j < i; ++j) if (s[i] == s[j]) return i;", "bounds are not the same"},
           {"const int v = x[i]; for (int j = 0; j < v; ++j) if (s[j] == 1) return i;", "bounds are not the same"},
       })
    EXPECT_THAT(verdictOnBody(body), HasSubstr(reason)) << body;
  EXPECT_THAT(verdictOn("for (int i = -1; i < k; ++i) if (x[i] == 0) return i;", extents({{"x", "k"}})),
              HasSubstr("nothing says"));
  Contract out = extents({{"s", "n"}});
  out.extents[0].direction = Direction::Out;
  EXPECT_THAT(verdictOn("for (size_t i = 0; i < n; ++i) if (s[i] == 0) return i;", out), HasSubstr("nothing says"));
  EXPECT_THAT(verdictOn("std::vector<int> v; for (size_t i = 0; i < v.size(); ++i) if (v[i] > best) v.push_back(3);"),
              testing::Not("offered"));
  EXPECT_THAT(verdictOn("for (size_t i = 0; i < n; ++i) { if (s[i] == 3) return i; ++s; }"), testing::Not("offered"));
  EXPECT_THAT(verdictOn("++s; for (size_t i = 0; i < n; ++i) if (s[i] == 3) return i;"), HasSubstr("'s' may change"));
}

TEST(BlockSearch, ParametersAreChecked) {
  const KernelSpec spec = specOf("for (size_t i = 0; i < n; ++i) if (s[i] == 3) return i;\nreturn n;");
  EXPECT_THAT(transformedBy(spec, "block-search(i, block=1)"), HasSubstr("'block' must be"));
  EXPECT_THAT(transformedBy(spec, "block-search(j, block=64)"), HasSubstr("there is no loop 'j'"));
  EXPECT_THAT(transformedBy(spec, "block-search(i, block=12, exact=1)"), HasSubstr("exact=1 takes blocks of 8 to 64"));
  EXPECT_THAT(transformedBy(spec, "block-search(i, block=128, exact=1)"), HasSubstr("exact=1 takes"));
  EXPECT_THAT(transformedBy(spec, "block-search(i, block=64, exact=1)"), HasSubstr("iHit = i0 + static_cast"));
  EXPECT_THAT(transformedBy(spec, "block-search(i, block=64); block-search(i, block=64)"), HasSubstr("error"));
}

} // namespace
} // namespace agentic
