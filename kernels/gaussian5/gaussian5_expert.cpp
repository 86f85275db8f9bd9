// By hand: strips of one vector's width from top to bottom. Across, pairs of bytes are multiplied and added, for even
// and odd columns separately; down, (1 4 6 4 1) is four times (1 1), each with the sum before it in a register.
#include "gaussian5.h"
#include "gaussian5_bench_case.h"

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
using Words = std::uint16_t __attribute__((vector_size(sizeof(Bytes))));

/// The sums of pairs of bytes times `first` and `second`.
Words pairs(const std::uint8_t *from, int first, int second) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  return (Words)SIMD(maddubs_epi16)(bytes, SIMD(set1_epi16)(static_cast<short>(first + 256 * second)));
}

/// (1 4 6 4 1) down a column, one row at a time: right from the fifth on.
template <typename Number> struct Cascade {
  Number held[4] = {};

  Number next(Number sum) {
    for (Number &before : held) {
      const Number both = before + sum;
      before = sum;
      sum = both;
    }
    return sum;
  }
};

/// Column x, for the two on either side.
void smoothColumn(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width, std::size_t x) {
  const auto filtered = [&](std::size_t y) {
    const std::uint8_t *row = in + std::min(y, height - 1) * width;
    const auto at = [&](std::size_t shifted) { return row[std::clamp<std::size_t>(shifted, 2, width + 1) - 2]; };
    return at(x) + 4 * at(x + 1) + 6 * at(x + 2) + 4 * at(x + 3) + at(x + 4);
  };
  Cascade<int> sums;
  for (std::size_t y : {0u, 0u, 0u, 1u}) // the rows above the first are like it
    sums.next(filtered(y));
  for (std::size_t y = 0; y < height; ++y)
    out[y * width + x] = static_cast<std::uint8_t>((sums.next(filtered(y + 2)) + 128) >> 8);
}

/// For images at least a vector and four pixels wide: the last strip overlaps the one before it.
void gaussian5(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width) {
  for (std::size_t x : {std::size_t{0}, std::size_t{1}, width - 2, width - 1})
    smoothColumn(in, out, height, width, x);
  const std::size_t last = width - 2 - sizeof(Bytes);
  for (std::size_t x = 2;; x = std::min(x + sizeof(Bytes), last)) {
    const auto row = [&](std::size_t y) { return in + std::min(y, height - 1) * width + x - 2; };
    const auto even = [&](const std::uint8_t *p) { return pairs(p, 1, 4) + pairs(p + 2, 6, 4) + pairs(p + 4, 1, 0); };
    const auto odd = [&](const std::uint8_t *p) {
      return pairs(p + 1, 1, 4) + pairs(p + 3, 6, 4) + pairs(p + 4, 0, 1);
    };
    Cascade<Words> evenSums, oddSums;
    for (std::size_t y : {0u, 0u, 0u, 1u}) {
      evenSums.next(even(row(y)));
      oddSums.next(odd(row(y)));
    }
    for (std::size_t y = 0; y < height; ++y) {
      const Words evens = evenSums.next(even(row(y + 2))) + 128, odds = oddSums.next(odd(row(y + 2))) + 128;
      const Words result = evens >> 8 | (odds & 0xff00);
      std::memcpy(out + y * width + x, &result, sizeof(result));
    }
    if (x == last)
      break;
  }
}

void BM_Gaussian5_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<Gaussian5Case>(state);
  std::vector<std::uint8_t> expected(run.out.size());
  filters::gaussian5(run.in.data(), expected.data(), run.height, run.width);
  run.out.assign(run.out.size(), 0);
  gaussian5(run.in.data(), run.out.data(), run.height, run.width);
  testing_support::timeExpert(state, "the vectors", run.out == expected, [&] {
    gaussian5(run.in.data(), run.out.data(), run.height, run.width);
    benchmark::DoNotOptimize(run.out.data());
  });
  run.report(state);
}
BENCHMARK(BM_Gaussian5_Expert_hand)->Apply(gaussian5Sizes);

} // namespace

#endif
