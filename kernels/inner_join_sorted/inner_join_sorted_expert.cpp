// By hand: eight numbers of one list are compared with eight of the other, all with all, and the list whose eight end
// first goes on; no branch depends on the numbers. Elements behind the results must stay as they are, so that whole
// vectors go to a local block, of which what counts is copied out.
#include "inner_join_sorted.h"
#include "inner_join_sorted_bench_case.h"

#if defined(__AVX2__)

#include <algorithm>
#include <array>
#include <bit>
#include <immintrin.h>

namespace {

/// For each mask the numbers of its lanes in ascending order, a byte each.
constexpr auto kOrders = [] {
  std::array<std::uint64_t, 256> orders{};
  for (unsigned mask = 0; mask < 256; ++mask)
    for (unsigned lane = 8; lane-- > 0;)
      if (mask >> lane & 1)
        orders[mask] = orders[mask] << 8 | lane;
  return orders;
}();

/// Stores the lanes of `mask` one behind the other, and others behind them. Returns their number.
std::size_t pack(__m256i lanes, unsigned mask, std::uint32_t *to) {
  const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kOrders[mask])));
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), _mm256_permutevar8x32_epi32(lanes, order));
  return static_cast<std::size_t>(std::popcount(mask));
}

/// The mask of those of eight numbers that are among eight others: where the least difference is 0. (clang makes masks
/// in registers of their own of eight comparisons for equality, which are slower to combine.)
unsigned commonOf(__m256i lanes, const std::uint32_t *others) {
  __m256i even = _mm256_set1_epi32(-1), odd = even;
  for (std::size_t k = 0; k < 8; k += 2) { // broadcasts from memory, which need no shuffle
    even = _mm256_min_epu32(even, _mm256_xor_si256(lanes, _mm256_set1_epi32(static_cast<int>(others[k]))));
    odd = _mm256_min_epu32(odd, _mm256_xor_si256(lanes, _mm256_set1_epi32(static_cast<int>(others[k + 1]))));
  }
  const __m256i isCommon = _mm256_cmpeq_epi32(_mm256_min_epu32(even, odd), _mm256_setzero_si256());
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(isCommon)));
}

std::size_t innerJoinSorted(const std::uint32_t *a, std::size_t aSize, const std::uint32_t *b, std::size_t bSize,
                            std::uint32_t *common) {
  constexpr std::size_t kBlock = 512;
  std::uint32_t block[kBlock + 16];
  std::size_t count = 0, here = 0, i = 0, j = 0;
  const auto flush = [&] {
    std::copy_n(block, here, common + count);
    count += here;
    here = 0;
  };
  while (i + 8 <= aSize && j + 8 <= bSize) {
    const __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(a + i));
    here += pack(lanes, commonOf(lanes, b + j), block + here);
    if (here > kBlock) [[unlikely]]
      flush();
    const std::uint32_t aLast = a[i + 7], bLast = b[j + 7];
    i += 8 * static_cast<std::size_t>(aLast <= bLast);
    j += 8 * static_cast<std::size_t>(bLast <= aLast);
  }
  flush();
  while (i < aSize && j < bSize) {
    const std::uint32_t x = a[i], y = b[j];
    if (x == y)
      common[count++] = x;
    i += x <= y;
    j += y <= x;
  }
  return count;
}

void BM_InnerJoinSorted_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<InnerJoinSortedCase>(state);
  const auto join = [&run](auto &function) {
    return function(run.a.data(), run.a.size(), run.b.data(), run.b.size(), run.common.data());
  };
  const std::size_t count = join(postings::innerJoinSorted);
  const std::vector<std::uint32_t> expected(run.common);
  std::fill_n(run.common.begin(), count, 0);
  testing_support::timeExpert(state, "the expert", join(innerJoinSorted) == count && run.common == expected,
                              [&] { benchmark::DoNotOptimize(join(innerJoinSorted)); });
  run.report(state);
}
BENCHMARK(BM_InnerJoinSorted_Expert_hand)->Apply(innerJoinSortedSizes);

} // namespace

#endif
