#include "tests/source/reduction_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kAdler = R"(unsigned f(const unsigned char *p, size_t n) {
  unsigned a = 1, b = 0;
  for (size_t i = 0; i < n; ++i) {
    a = (a + p[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
})";

std::string verdictOn(const std::string &body, const Freedom &freedom = {}) {
  return verdict(
      "unsigned long long f(const unsigned char *p, const int *x, int *y, unsigned m, size_t n) {\n"
      "  unsigned a = 1, b = 0, c = 0; unsigned long long v = 0, w = 0; int h = 0, g = 0; unsigned char t = 0;\n"
      "  float z = 0;\n  for (size_t i = 0; i < n; ++i) {" +
          body + "}\n  return a + b + c + v + w + h + g + t + static_cast<unsigned>(z); }",
      "coupled-sums", "i", freedom);
}

TEST(CoupledSums, Text) {
  EXPECT_EQ(textOf(kAdler, "coupled-sums(i, lanes=32)"), R"(// Moves: coupled-sums(i, lanes=32).
// Every iteration of 'i' makes 'a', 'b' sums of each other and of what it
// reads, with constant factors; every lane gathers its own iterations, which
// are weighted where the lanes are put together. Remainders are taken late:
// nothing wraps before.
unsigned f(const unsigned char *p, size_t n) {
  unsigned a = 1, b = 0;
  {
    constexpr size_t kLanesI = 32; // sums side by side
    const size_t iEnd = (n - n % kLanesI) * (a < 65521 && b < 65521);
    for (size_t i0 = 0; i0 < iEnd;) {
      unsigned long long aSum = static_cast<unsigned long long>(a);
      unsigned long long bSum = static_cast<unsigned long long>(b);
      unsigned aLane[kLanesI] = {};
      unsigned bLane[kLanesI] = {};
      // Put together before a lane wraps.
      for (int block = 0; block < 4096 && i0 < iEnd; ++block, i0 += kLanesI) {
        bSum += 32 * aSum;
        for (size_t ii = 0; ii < kLanesI; ++ii) {
          const size_t i = i0 + ii;
          const unsigned added = static_cast<unsigned>(p[i]);
          bLane[ii] += aLane[ii];
          aLane[ii] += added;
        }
      }
      unsigned long long aTotal = 0;
      unsigned long long bTotal = 0;
      for (size_t ii = 0; ii < kLanesI; ++ii) {
        bTotal += aTotal + aLane[ii] +
                  32 * static_cast<unsigned long long>(bLane[ii]);
        aTotal += aLane[ii];
      }
      a = static_cast<unsigned int>((aSum + aTotal) % 65521);
      b = static_cast<unsigned int>((bSum + bTotal) % 65521);
    }
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i) {
      a = (a + p[i]) % 65521;
      b = (b + a) % 65521;
    }
  }
  return b << 16 | a;
}
)");
}

TEST(CoupledSums, AcceptsSumsOfSums) {
  for (const char *body :
       {"a += p[i]; b += a;", "b += a; a += p[i];", "b += a + p[i]; a += p[i];", "h = h * 31 + x[i];",
        "v += p[i]; w += v;", "a += p[i]; b += a; c += b;", "const unsigned q = x[i] * 3u; a += q; b -= a;",
        "unsigned q = a; q += p[i]; b += q; a = q;", "a = (a << 5) + a + p[i];", "a = 33u * a + i;",
        "a += p[2 * i]; b += a; a += p[2 * i + 1]; b += a;", "a = (a + p[i]) % 255; b = (b + a) % 255;",
        "a += p[i]; if (a >= 255) a -= 255; b += a; if (b > 254) b -= 255;",
        "v = (v + p[i]) % 65521; w = (w + v) % 65521;", "h = (h + p[i]) % 251; g = (g + h) % 251;"})
    EXPECT_EQ(verdictOn(body), "offered") << body;
}

TEST(CoupledSums, RefusesTheRest) {
  for (const auto &[body, reason] : std::vector<std::pair<std::string, std::string>>{
           {"a += p[i];", "split-reduction is for them"},
           {"a += p[i]; b ^= a;", "more of it than a sum"},
           {"a += p[i]; b += a * a;", "more of it than a sum"},
           {"a += p[i]; b += a; y[i] = b;", "writes memory"},
           {"a += p[i]; b += x[a & 7];", "more than a sum"},
           {"a = a * m + p[i];", "more of it than a sum"},
           {"a = (a + p[i]) % m; b += a;", "not a constant"},
           {"a = (a + p[i]) % 255; b = (b + a) % 251;", "two divisors"},
           {"a = (a + p[i]) % 255; b += a;", "no remainder at the end"},
           {"a = (a + static_cast<unsigned>(x[i])) % 255; b = (b + a) % 255;", "may wrap"},
           {"h = (h + x[i]) % 255; g = (g + h) % 255;", "may wrap"},
           {"a = (a * 31 + p[i]) % 1000003;", "64 bits do not hold"},
           {"a += p[i]; if (a >= 100) a -= 255; b += a;", "more than subtract"},
           {"a += x[i]; if (a >= 255) a -= 255; b += a; if (b >= 255) b -= 255;", "more than a remainder"},
           {"a += p[i]; v += a;", "different types"},
           {"t += p[i]; a += t;", "different types"},
           {"t += p[i]; t *= 3;", "less than 32 bits, and no remainders"},
           {"z += p[i]; a += p[i];", "'z' is no integer"},
           {"a += shared; b += a;", "uses the global 'shared'"},
           {"a += p[i]; b += a; if (b > 9) break;", "'break'"},
           {"a += p[i]; b += a > 7;", "no sum of integers"}})
    EXPECT_THAT(verdictOn(body), HasSubstr(reason)) << body;
}

TEST(CoupledSums, ConversionsThatNobodyWroteCutAsTheyDid) {
  const std::string kernel =
      "unsigned f(const unsigned *p, size_t n) {\n  unsigned a = 1, b = 0;\n  for (size_t i = 0; i < n; ++i) {\n"
      "    const unsigned short x = p[i];\n    a = (a + x) % 65521;\n    b = (b + a) % 65521;\n  }\n"
      "  return b << 16 | a;\n}";
  EXPECT_THAT(textOf(kernel, "coupled-sums(i, lanes=32)"), HasSubstr("static_cast<unsigned short>(p[i])"));
}

TEST(CoupledSums, RemaindersOfNarrowTypes) {
  const std::string kernel =
      "unsigned f(const unsigned char *p, size_t n) {\n  unsigned short a = 1, b = 0;\n"
      "  for (size_t i = 0; i < n; ++i) {\n    a = (a + p[i]) % 255;\n    b = (b + a) % 255;\n  }\n"
      "  return b << 8 | a;\n}";
  EXPECT_THAT(textOf(kernel, "coupled-sums(i, lanes=32)"),
              HasSubstr("b = static_cast<unsigned short>((bSum + bTotal) % 255);"));
}

TEST(CoupledSums, NeighbouringElementsOfAnIterationAreLanes) {
  const std::string kernel =
      "unsigned long f(const unsigned char *p, size_t n) {\n  unsigned long a = 1, b = 0;\n"
      "  for (size_t i = 0; i < n; ++i) {\n"
      "    a += p[4 * i]; b += a; a += p[4 * i + 1]; b += a;\n"
      "    a += p[4 * i + 2]; b += a; a += p[4 * i + 3]; b += a;\n  }\n  return b << 16 | a;\n}\n";
  const std::string text = textOf(kernel, "coupled-sums(i, lanes=32)");
  EXPECT_THAT(text, HasSubstr("kBlockI = 8; // iterations side by side"));
  EXPECT_THAT(text, HasSubstr("p[(4 * i) + ii]"));
  EXPECT_THAT(text, HasSubstr("unsigned aLane[32]")) << "bytes are gathered in 32 bits";
  EXPECT_THAT(textOf(kernel, "coupled-sums(i, lanes=30)"), HasSubstr("no multiple of the 4 elements"));
}

/// A checksum in blocks, as libraries have it: macros hold the statements, and the pointer lives on.
const std::string kInBlocks = R"(unsigned long f(unsigned long a, const unsigned char *p, size_t n) {
  unsigned long b = 0;
  unsigned k;
  while (n >= 4000) {
    n -= 4000;
    k = 4000 / 4;
    do {
      ADD4(p);
      p += 4;
    } while (--k);
    REDUCE(a);
    REDUCE(b);
  }
  while (n--) {
    a += *p++;
    b += a;
  }
  return b << 16 | a;
})";

KernelSpec inBlocks(std::vector<std::string> definitions) {
  KernelSpec spec = kernelSpec(kInBlocks, std::move(definitions));
  return spec;
}

TEST(CoupledSums, MacrosAndPointersThatLiveOn) {
  const KernelSpec spec = inBlocks(
      {"#define ADD(p, at) {a += (p)[at]; b += a;}\n#define ADD4(p) ADD(p, 0); ADD(p, 1); ADD(p, 2); ADD(p, 3);",
       "#define REDUCE(v) v %= 65521u"});
  const std::string forming = "normalise(n); normalise(k); normalise(n)";
  const std::string text = transformedBy(spec, forming + "; coupled-sums(k, lanes=32)");
  EXPECT_THAT(text, HasSubstr("kBlockK = 8; // iterations side by side"));
  EXPECT_THAT(text, HasSubstr("p[(k * 4) + kk]"));
  EXPECT_THAT(text, HasSubstr("p += rounds_2 * 4;"));
  EXPECT_THAT(text, HasSubstr("a %= 65521u;"));
}

TEST(CoupledSums, MacrosOfHeadersStay) {
  KernelSpec spec = inBlocks({"#define ADD4(p) GATHER(p, 0) GATHER(p, 1) GATHER(p, 2) GATHER(p, 3)"});
  spec.parseArguments.insert(spec.parseArguments.end(),
                             {"-DGATHER(p,at)={a+=(p)[at];b+=a;}", "-DREDUCE(v)=v %= 65521u"});
  const std::string text = transformedBy(spec, "normalise(n)");
  EXPECT_THAT(text, HasSubstr("ADD4(p)"));
  EXPECT_THAT(text, HasSubstr("REDUCE(a)"));
}

TEST(CoupledSums, RecipesFromFilesAreChecked) {
  EXPECT_THAT(textOf(kAdler, "coupled-sums(i, lanes=1000)"), HasSubstr("'lanes' must be"));
  EXPECT_THAT(textOf(kAdler, "coupled-sums(k, lanes=32)"), HasSubstr("there is no loop 'k'"));
  EXPECT_THAT(textOf(kAdler, "coupled-sums(i, lanes=32); coupled-sums(i#2, lanes=32)"), HasSubstr("error"));
}

} // namespace
} // namespace agentic
