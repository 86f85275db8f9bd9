#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kHead = "size_t f(const float *x, float *out, const int *k, size_t n, int m) {\n  size_t j = 0;\n";

KernelSpec specOf(const std::string &body) {
  return kernelSpec(kHead + body + "\n  return j;\n}\n");
}
std::string why(const std::string &body) {
  return refusalOf(specOf("for (size_t i = 0; i < n; ++i) { " + body + " }"), "list-hits", "i");
}

TEST(ListHits, Text) {
  EXPECT_EQ(transformedBy(specOf("  for (size_t i = 0; i < n; ++i)\n    if (x[i] > 0)\n      out[j++] = x[i];"),
                          "list-hits(i)"),
            R"(// Moves: list-hits(i).
// Of 64 iterations of 'i' those are done, in their order, of which a condition
// holds: no iteration changes what another one asks.
size_t f(const float *x, float *out, const int *k, size_t n, int m) {
  size_t j = 0;
  {
    constexpr size_t kBlockI =
        64; // iterations whose conditions are answered at once
    const size_t iEnd = n - n % kBlockI;
    for (size_t i0 = 0; i0 < iEnd; i0 += kBlockI) {
      unsigned char hits[kBlockI];
#pragma clang loop unroll(disable)
      for (size_t ii = 0; ii < kBlockI; ++ii) {
        const size_t i = i0 + ii;
        hits[ii] = static_cast<unsigned char>((x[i] > 0));
      }
      unsigned long long hitMask =
          0; // a bit for each of the bytes, which are 0 or 1
      for (int word = 0; word < 8; ++word) {
        unsigned long long eight;
        __builtin_memcpy(&eight, hits + 8 * word, 8);
        hitMask |= ((eight * 0x0102040810204080ull) >> 56) << (8 * word);
      }
      for (; hitMask != 0; hitMask &= hitMask - 1) {
        const size_t i = i0 + static_cast<size_t>(__builtin_ctzll(hitMask));
        if (x[i] > 0)
          out[j++] = x[i];
      }
    }
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i)
      if (x[i] > 0)
        out[j++] = x[i];
  }
  return j;
}
)");
}

TEST(ListHits, WhatAnIterationDoesIsNotAskedFor) {
  EXPECT_EQ(why("if (x[i] > 0) out[j++] = x[i];"), "offered");
  EXPECT_EQ(why("const float v = x[i] * 2; if (v > 0) { out[j] = v; ++j; }"), "offered");
  EXPECT_EQ(why("if (x[i] > 0) ++j; if (k[i] == 3) j += 2;"), "offered");
  EXPECT_EQ(why("if (k[i] > j) j = k[i];"), "a condition depends on 'j', which an iteration may change");
  EXPECT_EQ(why("if (out[i] > 0) out[j++] = x[i];"), "a condition reads 'out[i]', which an iteration may write");
  EXPECT_EQ(why("if (x[i] > 0) { out[j++] = x[i]; break; }"), "not mentioned"); // block-search says why
  EXPECT_EQ(why("out[j++] = x[i];"), "not mentioned");
}

} // namespace
} // namespace agentic
