// By hand: a vector of rows is compared, and the numbers of those that match are compressed. Elements behind the
// results must stay as they are: AVX-512 stores under a mask (compressing stores are slow on some processors); where
// AVX2 has only a slow masked store, whole vectors go to a local block, of which what counts is copied out.
#include "matching_rows.h"
#include "matching_rows_bench_case.h"

#if (defined(__AVX512BW__) && defined(__AVX512VL__)) || defined(__AVX2__)

#include <algorithm>
#include <array>
#include <bit>
#include <immintrin.h>

namespace {

#if defined(__AVX512BW__) && defined(__AVX512VL__)
constexpr std::size_t kLanes = 16;

/// Scans as many whole vectors as there are.
std::size_t scanVectors(const std::int32_t *values, const std::uint16_t *codes, std::size_t size, std::int32_t low,
                        std::int32_t high, std::uint16_t key, std::uint32_t *rows) {
  const __m256i keys = _mm256_set1_epi16(static_cast<short>(key));
  __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  std::size_t count = 0;
  for (std::size_t i = 0; i + kLanes <= size; i += kLanes) {
    const __m512i lanes = _mm512_loadu_si512(values + i);
    const __m256i here = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(codes + i));
    __mmask16 mask = _mm256_cmpeq_epi16_mask(here, keys);
    mask = _mm512_mask_cmple_epi32_mask(mask, _mm512_set1_epi32(low), lanes);
    mask = _mm512_mask_cmple_epi32_mask(mask, lanes, _mm512_set1_epi32(high));
    const int matches = std::popcount(_cvtmask16_u32(mask));
    _mm512_mask_storeu_epi32(rows + count, _cvtu32_mask16((1u << matches) - 1),
                             _mm512_maskz_compress_epi32(mask, numbers));
    count += static_cast<std::size_t>(matches);
    numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(kLanes));
  }
  return count;
}
#else
constexpr std::size_t kLanes = 8;

/// For each mask the numbers of its lanes in ascending order, a byte each.
constexpr auto kOrders = [] {
  std::array<std::uint64_t, 256> orders{};
  for (unsigned mask = 0; mask < 256; ++mask)
    for (unsigned lane = 8; lane-- > 0;)
      if (mask >> lane & 1)
        orders[mask] = orders[mask] << 8 | lane;
  return orders;
}();

std::size_t scanVectors(const std::int32_t *values, const std::uint16_t *codes, std::size_t size, std::int32_t low,
                        std::int32_t high, std::uint16_t key, std::uint32_t *rows) {
  constexpr std::size_t kBlock = 1024;
  std::uint32_t block[kBlock + kLanes];
  std::size_t count = 0;
  for (std::size_t begin = 0, last = size / kLanes * kLanes; begin < last; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, last);
    std::size_t here = 0;
    for (std::size_t i = begin; i < end; i += kLanes) {
      const __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(values + i));
      const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(codes + i)));
      const __m256i isOutside = _mm256_or_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(low), lanes),
                                                _mm256_cmpgt_epi32(lanes, _mm256_set1_epi32(high)));
      const __m256i isMatch = _mm256_andnot_si256(isOutside, _mm256_cmpeq_epi32(wide, _mm256_set1_epi32(key)));
      const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(isMatch)));
      const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kOrders[mask])));
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(block + here),
                          _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(i)), order));
      here += static_cast<std::size_t>(std::popcount(mask));
    }
    std::copy_n(block, here, rows + count);
    count += here;
  }
  return count;
}
#endif

std::size_t matchingRows(const std::int32_t *values, const std::uint16_t *codes, std::size_t size, std::int32_t low,
                         std::int32_t high, std::uint16_t key, std::uint32_t *rows) {
  std::size_t count = scanVectors(values, codes, size, low, high, key, rows);
  for (std::size_t i = size / kLanes * kLanes; i < size; ++i)
    if (low <= values[i] && values[i] <= high && codes[i] == key)
      rows[count++] = static_cast<std::uint32_t>(i);
  return count;
}

void BM_MatchingRows_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<MatchingRowsCase>(state);
  const auto scan = [&run](auto &function) {
    return function(run.values.data(), run.codes.data(), run.values.size(), run.low, run.high, run.key,
                    run.rows.data());
  };
  const std::size_t count = scan(columns::matchingRows);
  const std::vector<std::uint32_t> expected(run.rows);
  std::fill_n(run.rows.begin(), count, 0);
  testing_support::timeExpert(state, "the expert", scan(matchingRows) == count && run.rows == expected,
                              [&] { benchmark::DoNotOptimize(scan(matchingRows)); });
  run.report(state);
}
BENCHMARK(BM_MatchingRows_Expert_hand)->Apply(matchingRowsSizes);

} // namespace

#endif
