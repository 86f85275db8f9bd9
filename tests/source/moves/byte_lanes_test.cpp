#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A table with the place of each of these characters, and -1 for all others.
std::string valuesOf(const std::string &characters) {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) {
    const auto at = byte == 0 ? std::string::npos : characters.find(static_cast<char>(byte));
    text += (at == std::string::npos ? "-1" : std::to_string(at)) + ", ";
  }
  return text;
}

KernelSpec specOf(const std::string &body, bool hasExtents = true) {
  std::string odd;
  for (int i = 0; i < 256; ++i)
    odd += std::to_string(i * 97 % 251) + ", ";
  KernelSpec spec = kernelSpec(
      "long f(const unsigned char *s, const unsigned char *u, unsigned char *out, int *w, size_t n, int m) {\n" + body +
          "\nreturn 0;\n}",
      {"static const signed char kValue[256] = {" +
       valuesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") +
       "};\nstatic const unsigned char kOdd[256] = {" + odd + "};\nextern const unsigned char kUnseen[256];\n" +
       "static const char kHex[17] = \"0123456789abcdef\";\nextern unsigned char shared;"});
  if (hasExtents)
    spec.contract.extents = {{"s", Direction::In, "n"}, {"out", Direction::InOut, "n"}};
  return spec;
}
std::string verdictOn(const std::string &statements, const std::string &rounds = "n / 4", bool hasExtents = true,
                      TransformOptions options = {}) {
  return refusalOf(specOf("for (size_t i = 0; i < " + rounds + "; ++i) {\n" + statements + "\n}", hasExtents),
                   "byte-lanes", "i", std::move(options));
}

const std::string kDecode = R"(size_t o = 0;
for (size_t i = 0; i + 4 <= n; i += 4) {
  int a = kValue[s[i]], b = kValue[s[i + 1]], c = kValue[s[i + 2]], d = kValue[s[i + 3]];
  if ((a | b | c | d) < 0)
    return -1;
  unsigned v = (unsigned)a << 18 | (unsigned)b << 12 | (unsigned)c << 6 | (unsigned)d;
  out[o++] = (unsigned char)(v >> 16);
  out[o++] = (unsigned char)(v >> 8);
  out[o++] = (unsigned char)v;
}
return (long)o;)";

TEST(ByteLanes, TextOfGroupsThatEndTheLoop) {
  EXPECT_EQ(transformedBy(specOf(kDecode), "normalise(i); byte-lanes(i, bytes=16, vectors=1)"),
            R"(// Moves: normalise(i); byte-lanes(i, bytes=16, vectors=1).
// The loop 'i' counts its rounds: what walked through memory is a subscript,
// with the same values. What 'i' makes of its bytes is computed for a vector of
// them, by comparisons and shifts that give the same for each value that a byte
// can have. From the first block on with a byte that ends the loop, it is as
// written; the bytes behind it are there.
long f(const unsigned char *s, const unsigned char *u, unsigned char *out,
       int *w, size_t n, int m) {
  size_t o = 0;
  const unsigned long rounds = n / 4;
  {
    constexpr unsigned long kBlockI = 4; // iterations side by side
    const unsigned long iEnd = rounds - rounds % kBlockI;
    unsigned long iHit = iEnd; // where the loop as written takes over
    typedef unsigned char Bytes __attribute__((vector_size(16)));
    typedef signed char Signed __attribute__((vector_size(16)));
    typedef unsigned int Lanes __attribute__((vector_size(16)));
    typedef long long Quads __attribute__((vector_size(16)));
    const Bytes kNone = {};
    for (unsigned long i0 = 0; i0 < iEnd; i0 += kBlockI) {
      const unsigned long i = i0;
      Bytes bad = kNone;
      Bytes x;
      __builtin_memcpy(&x, &s[i * 4], sizeof x);
      const Signed signs = (Signed)x;
      Bytes value = x + 19;
      value += (Bytes)(signs > 46) & 253;
      value += (Bytes)(signs > 47) & 244;
      value += (Bytes)(signs > 57) & 187;
      value += (Bytes)(signs > 90) & 250;
      bad |= ~((Bytes)(signs == 43) ^ (Bytes)(signs > 46) ^
               (Bytes)(signs > 57) ^ (Bytes)(signs > 64) ^ (Bytes)(signs > 90) ^
               (Bytes)(signs > 96) ^ (Bytes)(signs > 122));
      const Bytes lanes =
          (Bytes)(((Lanes)value >> 24) | (((Lanes)value >> 10) & 4032u) |
                  (((Lanes)value << 4) & 258048u) | ((Lanes)value << 18));
      const Bytes packed = __builtin_shufflevector(
          lanes, lanes, 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 12, 13, 14, 15);
      const Lanes result = (Lanes)packed;
      const Quads any = (Quads)bad;
      if ((any[0] | any[1]) != 0) {
        iHit = i0;
        break;
      }
      const unsigned long long front = ((Quads)result)[0];
      __builtin_memcpy(&out[i * 3], &front, sizeof front);
      const unsigned back = result[2];
      __builtin_memcpy(&out[i * 3] + 8, &back, sizeof back);
    }
    // From the block with the first such byte, or for the rest.
    for (unsigned long i = iHit; i < rounds; ++i) {
      int a = kValue[s[i * 4]], b = kValue[s[i * 4 + 1]],
          c = kValue[s[i * 4 + 2]], d = kValue[s[i * 4 + 3]];
      if ((a | b | c | d) < 0)
        return -1;
      unsigned v = (unsigned)a << 18 | (unsigned)b << 12 | (unsigned)c << 6 |
                   (unsigned)d;
      out[i * 3] = (unsigned char)(v >> 16);
      out[i * 3 + 1] = (unsigned char)(v >> 8);
      out[i * 3 + 2] = (unsigned char)v;
    }
  }
  o = o + rounds * 3;

  return (long)o;
  return 0;
}
)");
}

TEST(ByteLanes, TextOfShuffles) {
  EXPECT_EQ(transformedBy(specOf(kDecode), "normalise(i); byte-lanes(i, bytes=16, shuffles=1, vectors=2)",
                          {.level = "x86-64-v2"}),
            R"(// Moves: normalise(i); byte-lanes(i, bytes=16, shuffles=1, vectors=2).
// The loop 'i' counts its rounds: what walked through memory is a subscript,
// with the same values. What 'i' makes of its bytes is computed for a vector of
// them, by comparisons and shifts that give the same for each value that a byte
// can have. From the first block on with a byte that ends the loop, it is as
// written; the bytes behind it are there.
long f(const unsigned char *s, const unsigned char *u, unsigned char *out,
       int *w, size_t n, int m) {
  size_t o = 0;
  const unsigned long rounds = n / 4;
  {
    constexpr unsigned long kBlockI = 8; // iterations side by side
    const unsigned long iEnd = rounds - rounds % kBlockI;
    unsigned long iHit = iEnd; // where the loop as written takes over
    typedef unsigned char Bytes __attribute__((vector_size(16)));
    typedef signed char Signed __attribute__((vector_size(16)));
    typedef char Codes __attribute__((vector_size(16)));
    typedef unsigned int Lanes __attribute__((vector_size(16)));
    typedef long long Quads __attribute__((vector_size(16)));
    const Bytes kNone = {};
    for (unsigned long i0 = 0; i0 < iEnd; i0 += kBlockI) {
      Lanes results[2];
      Bytes bad = kNone;
      for (unsigned long ii = 0; ii < kBlockI; ii += 4) {
        const unsigned long i = i0 + ii;
        Bytes x;
        __builtin_memcpy(&x, &s[i * 4], sizeof x);
        const Signed signs = (Signed)x;
        const Bytes upper = x >> 4;
        const Signed table = {0, 0, 19, 4, -65, -65, -71, -71,
                              0, 0, 0,  0, 0,   0,   0,   0};
        Bytes value =
            x + (Bytes)__builtin_ia32_pshufb128((Codes)table, (Codes)upper);
        value += (Bytes)(signs == 47) & 253;
        const Signed table_2 = {10, 14, 14, 14, 14, 14, 14, 14,
                                14, 14, 12, 5,  4,  4,  4,  5};
        const Signed table_3 = {0, 0, 1, 2, 4, 8, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0};
        bad |=
            (Bytes)(((Bytes)__builtin_ia32_pshufb128((Codes)table_2, (Codes)x) &
                     (Bytes)__builtin_ia32_pshufb128((Codes)table_3,
                                                     (Codes)upper)) == 0);
        const Bytes lanes =
            (Bytes)(((Lanes)value >> 24) | (((Lanes)value >> 10) & 4032u) |
                    (((Lanes)value << 4) & 258048u) | ((Lanes)value << 18));
        const Bytes packed =
            __builtin_shufflevector(lanes, lanes, 2, 1, 0, 6, 5, 4, 10, 9, 8,
                                    14, 13, 12, 12, 13, 14, 15);
        const Lanes result = (Lanes)packed;
        results[ii / 4] = result;
      }
      const Quads any = (Quads)bad;
      if (__builtin_ia32_ptestz128(any, any) == 0) {
        iHit = i0;
        break;
      }
      for (unsigned long ii = 0; ii < kBlockI; ii += 4) {
        const unsigned long i = i0 + ii;
        const unsigned long long front = ((Quads)results[ii / 4])[0];
        __builtin_memcpy(&out[i * 3], &front, sizeof front);
        const unsigned back = results[ii / 4][2];
        __builtin_memcpy(&out[i * 3] + 8, &back, sizeof back);
      }
    }
    // From the block with the first such byte, or for the rest.
    for (unsigned long i = iHit; i < rounds; ++i) {
      int a = kValue[s[i * 4]], b = kValue[s[i * 4 + 1]],
          c = kValue[s[i * 4 + 2]], d = kValue[s[i * 4 + 3]];
      if ((a | b | c | d) < 0)
        return -1;
      unsigned v = (unsigned)a << 18 | (unsigned)b << 12 | (unsigned)c << 6 |
                   (unsigned)d;
      out[i * 3] = (unsigned char)(v >> 16);
      out[i * 3 + 1] = (unsigned char)(v >> 8);
      out[i * 3 + 2] = (unsigned char)v;
    }
  }
  o = o + rounds * 3;

  return (long)o;
  return 0;
}
)");
}

TEST(ByteLanes, TextOfAMap) {
  EXPECT_EQ(transformedBy(specOf("for (size_t i = 0; i < n; ++i)\n  out[i] = s[i] >= 'a' && s[i] <= 'z' ? s[i] - 32 : "
                                 "kValue[s[i]] < 0 ? '.' : s[i];"),
                          "byte-lanes(i, bytes=32, vectors=1)"),
            R"(// Moves: byte-lanes(i, bytes=32, vectors=1).
// What 'i' makes of its bytes is computed for a vector of them, by comparisons
// and shifts that give the same for each value that a byte can have. It writes
// no byte that another iteration reads.
long f(const unsigned char *s, const unsigned char *u, unsigned char *out,
       int *w, size_t n, int m) {
  {
    constexpr size_t kBlockI = 32; // iterations side by side
    const size_t iEnd = n - n % kBlockI;
    typedef unsigned char Bytes __attribute__((vector_size(32)));
    typedef signed char Signed __attribute__((vector_size(32)));
    const Bytes kNone = {};
    for (size_t i0 = 0; i0 < iEnd; i0 += kBlockI) {
      const size_t i = i0;
      Bytes x;
      __builtin_memcpy(&x, &s[i], sizeof x);
      const Signed signs = (Signed)x;
      Bytes own = kNone; // where the byte itself counts
      own ^= (Bytes)(signs > 45);
      own ^= (Bytes)(signs > 57);
      own ^= (Bytes)(signs > 64);
      own ^= (Bytes)(signs > 90);
      own ^= (Bytes)(signs > 96);
      own ^= (Bytes)(signs > 122);
      Bytes value = (x & own) + 46;
      value += (Bytes)(signs > 45) & 210;
      value += (Bytes)(signs > 57) & 46;
      value += (Bytes)(signs > 64) & 210;
      value += (Bytes)(signs > 90) & 46;
      value += (Bytes)(signs > 96) & 178;
      value += (Bytes)(signs > 122) & 78;
      value += (Bytes)(signs == 43) & 253;
      const Bytes result = value;
      __builtin_memcpy(&out[i], &result, sizeof result);
    }
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i)
      out[i] = s[i] >= 'a' && s[i] <= 'z' ? s[i] - 32
               : kValue[s[i]] < 0         ? '.'
                                          : s[i];
  }
  return 0;
}
)");
}

TEST(ByteLanes, Forms) {
  for (const auto &[statements, rounds] : std::vector<std::pair<std::string, std::string>>{
           {"out[i] = kValue[s[i]];", "n"},
           {"out[i] = kHex[s[i] & 15];", "n"},
           {"const int high = kValue[s[2 * i]], low = kValue[s[2 * i + 1]]; out[i] = high << 4 | (low & 15);", "n / 2"},
           {"out[2 * i] = kHex[s[i] >> 4]; out[2 * i + 1] = kHex[s[i] & 15];", "n"},
           {"unsigned v = s[3 * i]; v = v << 8 | s[3 * i + 1]; v = v << 8 | s[3 * i + 2]; out[4 * i] = kHex[v >> 20]; "
            "out[4 * i + 1] = kHex[v >> 14 & 15]; out[4 * i + 2] = kHex[v >> 6 & 15]; out[4 * i + 3] = kHex[v & 15];",
            "n / 3"},
           {"if (s[i] >= 128) return i; out[i] = s[i];", "n"},
           {"if (s[i] == 0) break; out[i] = s[i] + 1;", "n"},
           {"if (kValue[s[i]] < 0) return i;", "n"},
           {"if (kValue[s[3 * i]] < 0 || kValue[s[3 * i + 1]] < 0 || kValue[s[3 * i + 2]] < 0) return i;", "n / 3"},
           {"if (out[i] == 7) return i; out[i] = kValue[out[i]];", "n"},
           {"if (kValue[s[2 * i]] < 0 || kValue[s[2 * i + 1]] < 0) { *w = 3; return i; } out[i] = 4;", "n / 2"},
           {"const unsigned v = kValue[s[2 * i]] | kValue[s[2 * i + 1]]; if (v & 0x80) break; out[i] = 4;", "n / 2"},
           {"out[3 * i] = s[3 * i + 2]; out[3 * i + 1] = s[3 * i + 1]; out[3 * i + 2] = s[3 * i];", "n / 3"}})
    EXPECT_EQ(verdictOn(statements, rounds), "offered") << statements;
}

TEST(ByteLanes, Refusals) {
  for (const auto &[statements, reason] : std::vector<std::pair<std::string, std::string>>{
           {"out[i] = s[i] + 1;", "a compiler vectorizes it"},
           {"out[i] = kUnseen[s[i]];", "the place of 'kUnseen[s[i]]' is not known"},
           {"out[i] = kOdd[s[i]];", "too irregular"},
           {"out[i] = kValue[s[i]] + m;", "'m' is not computed from the bytes"},
           {"out[i] = kValue[s[i]] + i;", "'i' is not computed from the bytes"},
           {"out[i] = kValue[s[i]] + kValue[u[i]];", "are not the bytes of a group"},
           {"out[i] = kValue[s[2 * i]];", "are not the bytes of a group"},
           {"out[2 * i] = kValue[s[i]];", "are not the bytes of a group"},
           {"out[i] = kValue[s[i]]; out[i] = 3;", "is written twice"},
           {"out[i] += kValue[s[i]];", "is not just assigned"},
           {"w[i] = kValue[s[i]];", "'w[i]' is no byte"},
           {"out[i] = s[2 * i] * s[2 * i + 1];", "depends on several bytes"},
           {"if (s[2 * i] == s[2 * i + 1]) break; out[i] = 3;", "depends on several bytes"},
           {"if (s[2 * i] == 0) break; out[i] = s[2 * i + 1];", "are not all tested alike"},
           {"if (s[i] == 0) out[i] = 1;", "an 'if' does not end it"},
           {"const int a = kValue[s[i]];", "it writes no bytes, and no 'if' ends it"},
           {"out[i] = 3;", "it reads no bytes"},
           {"if (s[i] < 256) break; out[i] = 1;", "ends in its first iteration"},
           {"m = kValue[s[i]]; out[i] = 1;", "lives on between iterations"},
           {"out[i] = out[i + 1] >> 1;", "may be a byte that another iteration writes"},
           {"out[i] = kValue[out[i]]; m = out[i];", "may be read after it is written"},
           {"out[2 * i] = kHex[s[2 * i] & 7 ? s[2 * i + 1] & 15 : 0]; out[2 * i + 1] = 0;",
            "is not read in each iteration"},
           {"shared = kValue[s[i]];", "uses the global 'shared'"},
           {"for (int k = 0; k < 4; ++k) out[i] = kValue[s[i]];", "is not understood"},
           {"out[8 * i] = kValue[s[8 * i]]; out[8 * i + 1] = s[8 * i + 1];", "are not the bytes of a group"},
           {"if (s[i] == 0) break; out[2 * i] = s[i]; out[2 * i + 1] = 0;", "writes more bytes than it reads"}})
    EXPECT_THAT(verdictOn(statements, "n / 8"), HasSubstr(reason)) << statements;
}

TEST(ByteLanes, BytesBehindTheEndMustBeThere) {
  const std::string pairs = "if ((kValue[s[2 * i]] | kValue[s[2 * i + 1]]) < 0) break; out[i] = 3;";
  EXPECT_EQ(verdictOn(pairs, "n / 2"), "offered");
  EXPECT_EQ(verdictOn(pairs, "n / 3"), "offered");
  EXPECT_THAT(verdictOn(pairs, "n / 1"), HasSubstr("nothing says that 's' is that long"));
  EXPECT_THAT(verdictOn(pairs, "n"), HasSubstr("nothing says that 's' is that long"));
  EXPECT_THAT(verdictOn(pairs, "n / 2 + 1"), HasSubstr("nothing says that 's' is that long"));
  EXPECT_THAT(verdictOn(pairs, "m / 2"), HasSubstr("nothing says that 's' is that long"));
  EXPECT_THAT(verdictOn(pairs, "n / 2", false), HasSubstr("AGENTIC_IN(s, …) would say so"));
  const std::string local = "unsigned char t[64]; for (int k = 0; k < 64; ++k) t[k] = s[k];\n";
  const auto verdict = [&](const std::string &rounds) {
    return refusalOf(specOf(local + "for (int i = 0; i < " + rounds +
                            "; ++i) { if (t[2 * i] > 9 || t[2 * i + 1] > 9) break; out[i] = t[2 * i]; }"),
                     "byte-lanes", "i");
  };
  EXPECT_EQ(verdict("32"), "offered");
  EXPECT_THAT(verdict("33"), HasSubstr("nothing says that 't' is that long"));
}

TEST(ByteLanes, ArgumentsMayOverlap) {
  KernelSpec spec = specOf("for (size_t i = 0; i < n; ++i) out[i] = kValue[s[i]];");
  spec.contract.mayAlias = {{"s", "out"}};
  EXPECT_THAT(refusalOf(spec, "byte-lanes", "i"), HasSubstr("may be a byte that another iteration writes"));
}

TEST(ByteLanes, ShufflesNeedALevel) {
  const std::string loop = "for (size_t i = 0; i < n; ++i) out[i] = kHex[s[i] & 15];";
  const auto at = [&](const std::string &level, const std::string &parameters, Family family = Family::Clang) {
    return transformedBy(specOf(loop), "byte-lanes(i, " + parameters + ")", {.family = family, .level = level});
  };
  EXPECT_THAT(at("", "bytes=16, shuffles=1, vectors=1"), HasSubstr("the level has no shuffles of 16 bytes"));
  EXPECT_THAT(at("armv8-a", "bytes=16, shuffles=1, vectors=1"), HasSubstr("the level has no shuffles of 16 bytes"));
  EXPECT_THAT(at("x86-64-v2", "bytes=32, shuffles=1, vectors=1"), HasSubstr("the level has no shuffles of 32 bytes"));
  EXPECT_THAT(at("x86-64-v3", "bytes=32, shuffles=1, vectors=1"), HasSubstr("__builtin_ia32_pshufb256("));
  EXPECT_THAT(at("x86-64-v4", "bytes=64, shuffles=1, vectors=1"), HasSubstr("__builtin_ia32_pshufb512("));
  EXPECT_THAT(at("x86-64-v4", "bytes=64, shuffles=1, vectors=1", Family::Gcc), HasSubstr("no shuffles of 64 bytes"));
  EXPECT_THAT(at("x86-64-v4", "bytes=64, vectors=1"), Not(HasSubstr("__builtin_ia32")));
  EXPECT_EQ(verdictOn("out[i] = kOdd[s[i] & 15];", "n", true, {.level = "x86-64-v3"}), "offered");
  EXPECT_THAT(verdictOn("out[i] = kOdd[s[i]];", "n", true, {.level = "x86-64-v3"}), HasSubstr("too irregular"));
}

TEST(ByteLanes, RecipesFromFilesAreChecked) {
  const KernelSpec spec = specOf("for (size_t i = 0; i < n; ++i) out[i] = kValue[s[i]];");
  EXPECT_THAT(transformedBy(spec, "byte-lanes(i, bytes=24, vectors=1)"), HasSubstr("a power of two"));
  EXPECT_THAT(transformedBy(spec, "byte-lanes(i, bytes=128, vectors=1)"), HasSubstr("'bytes' must be"));
  EXPECT_THAT(transformedBy(spec, "byte-lanes(i, bytes=16, vectors=9)"), HasSubstr("'vectors' must be"));
  KernelSpec again = spec;
  again.text = transformedBy(spec, "byte-lanes(i, bytes=16, vectors=1)");
  EXPECT_EQ(refusalOf(again, "byte-lanes", "i"), "it only does what blocks left over");
  again.text = transformedBy(specOf(kDecode), "normalise(i); byte-lanes(i, bytes=16, vectors=1)");
  EXPECT_EQ(refusalOf(again, "byte-lanes", "i"), "the bound 'iHit' of the loop 'i' may change");
}

} // namespace
} // namespace agentic
