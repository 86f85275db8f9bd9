// By hand: strips of one vector's width from top to bottom; each row is read once, and what it gives to the two rows
// below stays in registers. Even and odd columns separately: both are sums and differences of sums of two neighbours.
#include "sobel3x3.h"
#include "sobel3x3_bench_case.h"

#if defined(__AVX512BW__) || defined(__AVX2__)

#include <algorithm>
#include <cstring>
#include <immintrin.h>

namespace {

#if defined(__AVX512BW__)
using Bytes = __m512i;
#define SIMD(operation) _mm512_##operation
#else
using Bytes = __m256i;
#define SIMD(operation) _mm256_##operation
#endif

using Words = std::int16_t __attribute__((vector_size(sizeof(Bytes))));

/// The sums of pairs of neighbours.
Words pairs(const std::uint8_t *from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  return (Words)SIMD(maddubs_epi16)(bytes, SIMD(set1_epi8)(1));
}

/// Every second column, from top to bottom.
struct Columns {
  Words difference, twoDifferences, sum, sumBefore; // of the last row, or the last two, or the one before it

  /// |gx| + |gy| around the last row, once another is known by left + middle and middle + right.
  Words next(Words leftPair, Words rightPair) {
    const Words nextDifference = rightPair - leftPair, nextSum = leftPair + rightPair;
    const Words nextTwo = difference + nextDifference, gx = twoDifferences + nextTwo, gy = nextSum - sumBefore;
    difference = nextDifference, twoDifferences = nextTwo, sumBefore = sum, sum = nextSum;
    return (Words)SIMD(abs_epi16)((Bytes)gx) + (Words)SIMD(abs_epi16)((Bytes)gy);
  }
};

/// Even and odd results, in bytes, to their places by turns.
void store(std::uint8_t *to, Words even, Words odd, Bytes places) {
  const Bytes bytes = SIMD(shuffle_epi8)(SIMD(packus_epi16)((Bytes)even, (Bytes)odd), places);
  std::memcpy(to, &bytes, sizeof(bytes));
}

Bytes everyLane(long long low, long long high) {
  Bytes bytes;
  for (std::size_t i = 0; i < sizeof(bytes) / 8; ++i)
    bytes[i] = i % 2 ? high : low;
  return bytes;
}

/// For images of three rows or more, at least a vector and two pixels wide: the last strip overlaps the one before it.
void sobel3x3(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width) {
  const std::size_t last = width - 1 - sizeof(Bytes);
  const Bytes places = everyLane(0x0b030a0209010800, 0x0f070e060d050c04);
  std::memset(out, 0, width);
  for (std::size_t x = 1;; x = std::min(x + sizeof(Bytes), last)) {
    Columns even{}, odd{};
    for (std::size_t y = 0; y < height; ++y) {
      const std::uint8_t *left = in + y * width + x - 1;
      const Words a = pairs(left), b = pairs(left + 1), c = pairs(left + 2);
      const Words evens = even.next(a, b), odds = odd.next(b, c);
      if (y >= 2)
        store(out + (y - 1) * width + x, evens, odds, places);
    }
    if (x == last)
      break;
  }
  for (std::size_t y = 1; y + 1 < height; ++y)
    out[y * width] = out[(y + 1) * width - 1] = 0;
  std::memset(out + (height - 1) * width, 0, width);
}

void BM_Sobel3x3_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<Sobel3x3Case>(state);
  std::vector<std::uint8_t> expected(run.out.size());
  filters::sobel3x3(run.in.data(), expected.data(), run.height, run.width);
  run.out.assign(run.out.size(), 99);
  sobel3x3(run.in.data(), run.out.data(), run.height, run.width);
  testing_support::timeExpert(state, "the vectors", run.out == expected, [&] {
    sobel3x3(run.in.data(), run.out.data(), run.height, run.width);
    benchmark::DoNotOptimize(run.out.data());
  });
  run.report(state);
}
BENCHMARK(BM_Sobel3x3_Expert_hand)->Apply(sobel3x3Sizes);

} // namespace

#endif
