// By hand: each vector is compressed twice, its smaller lanes and the others. Elements behind the results must stay as
// they are: AVX-512 stores under a mask (compressing stores are slow on some processors); where AVX2 has only a slow
// masked store, whole vectors go to local blocks, of which what counts is copied out.
#include "partition_less.h"
#include "partition_less_bench_case.h"

#if defined(__AVX512BW__) || defined(__AVX2__)

#include <algorithm>
#include <array>
#include <bit>
#include <immintrin.h>

namespace {

#if defined(__AVX512BW__)
constexpr std::size_t kLanes = 16;

/// Parts as many whole vectors as there are. Returns how many values are below.
std::size_t partVectors(const std::int32_t *values, std::size_t size, std::int32_t pivot, std::int32_t *less,
                        std::int32_t *others) {
  std::size_t lessCount = 0;
  for (std::size_t i = 0; i + kLanes <= size; i += kLanes) {
    const __m512i lanes = _mm512_loadu_si512(values + i);
    const __mmask16 isLess = _mm512_cmplt_epi32_mask(lanes, _mm512_set1_epi32(pivot));
    const int count = std::popcount(_cvtmask16_u32(isLess));
    _mm512_mask_storeu_epi32(less + lessCount, _cvtu32_mask16((1u << count) - 1),
                             _mm512_maskz_compress_epi32(isLess, lanes));
    _mm512_mask_storeu_epi32(others + (i - lessCount), _cvtu32_mask16(0xffffu >> count),
                             _mm512_maskz_compress_epi32(_knot_mask16(isLess), lanes));
    lessCount += static_cast<std::size_t>(count);
  }
  return lessCount;
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

void pack(__m256i lanes, unsigned mask, std::int32_t *to) {
  const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kOrders[mask])));
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), _mm256_permutevar8x32_epi32(lanes, order));
}

std::size_t partVectors(const std::int32_t *values, std::size_t size, std::int32_t pivot, std::int32_t *less,
                        std::int32_t *others) {
  constexpr std::size_t kBlock = 1024;
  std::int32_t lessBlock[kBlock + kLanes], othersBlock[kBlock + kLanes];
  std::size_t lessCount = 0;
  for (std::size_t begin = 0, end = size / kLanes * kLanes; begin < end; begin += kBlock) {
    const std::size_t length = std::min(kBlock, end - begin);
    std::size_t here = 0;
    for (std::size_t i = 0; i < length; i += kLanes) {
      const __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(values + begin + i));
      const __m256i isLess = _mm256_cmpgt_epi32(_mm256_set1_epi32(pivot), lanes);
      const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(isLess)));
      pack(lanes, mask, lessBlock + here);
      pack(lanes, mask ^ 255, othersBlock + (i - here));
      here += static_cast<std::size_t>(std::popcount(mask));
    }
    std::copy_n(lessBlock, here, less + lessCount);
    std::copy_n(othersBlock, length - here, others + (begin - lessCount));
    lessCount += here;
  }
  return lessCount;
}
#endif

std::size_t partitionLess(const std::int32_t *values, std::size_t size, std::int32_t pivot, std::int32_t *less,
                          std::int32_t *others) {
  std::size_t lessCount = partVectors(values, size, pivot, less, others);
  for (std::size_t i = size / kLanes * kLanes; i < size; ++i) {
    if (values[i] < pivot)
      less[lessCount++] = values[i];
    else
      others[i - lessCount] = values[i];
  }
  return lessCount;
}

void BM_PartitionLess_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<PartitionLessCase>(state);
  std::vector<std::int32_t> less(run.less), others(run.others);
  const std::size_t size = run.values.size();
  const std::size_t count = selection::partitionLess(run.values.data(), size, run.pivot, less.data(), others.data());
  testing_support::timeExpert(
      state, "the expert",
      partitionLess(run.values.data(), size, run.pivot, run.less.data(), run.others.data()) == count &&
          less == run.less && others == run.others,
      [&] {
        benchmark::DoNotOptimize(partitionLess(run.values.data(), size, run.pivot, run.less.data(), run.others.data()));
      });
  run.report(state);
}
BENCHMARK(BM_PartitionLess_Expert_hand)->Apply(partitionLessSizes);

} // namespace

#endif
