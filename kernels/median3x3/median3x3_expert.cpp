// By hand: a vector of medians at once. Columns of three are sorted; the median of nine is the median of the largest
// minimum, the middle of the middles, and the smallest maximum.
#include "median3x3_bench_case.h"

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

struct Sorted {
  Bytes low, middle, high;
};

Bytes smaller(Bytes a, Bytes b) {
  return SIMD(min_epu8)(a, b);
}

Bytes larger(Bytes a, Bytes b) {
  return SIMD(max_epu8)(a, b);
}

Bytes median(Bytes a, Bytes b, Bytes c) {
  return larger(smaller(a, b), smaller(larger(a, b), c));
}

Bytes load(const std::uint8_t *from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  return bytes;
}

/// Of a column of four, the first three and the last three: both hold the two in the middle.
struct Columns {
  Sorted upper, lower;
};

Sorted sorted(Bytes low, Bytes high, Bytes other) {
  return {smaller(low, other), larger(low, smaller(high, other)), larger(high, other)};
}

Columns sortedColumns(const std::uint8_t *from, std::size_t width) {
  const Bytes b = load(from + width), c = load(from + 2 * width), low = smaller(b, c), high = larger(b, c);
  return {sorted(low, high, load(from)), sorted(low, high, load(from + 3 * width))};
}

void store(std::uint8_t *to, const Sorted &left, const Sorted &here, const Sorted &right) {
  const Bytes result =
      median(larger(larger(left.low, here.low), right.low), median(left.middle, here.middle, right.middle),
             smaller(smaller(left.high, here.high), right.high));
  std::memcpy(to, &result, sizeof(result));
}

/// Two rows at a time. For images of four rows or more, at least a vector and two pixels wide: what remains at the end
/// of a row, or below, overlaps what was done before it.
void median3x3(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width) {
  const std::size_t lastX = width - 1 - sizeof(Bytes), lastY = height - 3;
  std::memcpy(out, in, width);
  for (std::size_t y = 1;; y = std::min(y + 2, lastY)) {
    for (std::size_t x = 1;; x = std::min(x + sizeof(Bytes), lastX)) {
      const std::uint8_t *above = in + (y - 1) * width + x;
      const Columns left = sortedColumns(above - 1, width), here = sortedColumns(above, width),
                    right = sortedColumns(above + 1, width);
      store(out + y * width + x, left.upper, here.upper, right.upper);
      store(out + (y + 1) * width + x, left.lower, here.lower, right.lower);
      if (x == lastX)
        break;
    }
    if (y == lastY)
      break;
  }
  for (std::size_t y = 1; y + 1 < height; ++y) {
    out[y * width] = in[y * width];
    out[(y + 1) * width - 1] = in[(y + 1) * width - 1];
  }
  std::memcpy(out + (height - 1) * width, in + (height - 1) * width, width);
}

void BM_Median3x3_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<Median3x3Case>(state);
  run.out.assign(run.out.size(), 0);
  median3x3(run.in.data(), run.out.data(), run.height, run.width);
  testing_support::timeExpert(state, "the vectors", run.hasKernelsInterior(), [&] {
    median3x3(run.in.data(), run.out.data(), run.height, run.width);
    benchmark::DoNotOptimize(run.out.data());
  });
  run.report(state);
}
BENCHMARK(BM_Median3x3_Expert_hand)->Apply(median3x3Sizes);

} // namespace

#endif
