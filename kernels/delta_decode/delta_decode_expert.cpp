// The same values, eight at a time: sums within a vector by shifts, and one addition from vector to vector. Vectors of
// 32 bytes with AVX-512, too: longer ones need more steps that cross their lanes.
#include "delta_decode.h"
#include "delta_decode_bench_case.h"

#if defined(__AVX2__)
#include <immintrin.h>

namespace {

__m256i fromZigzag(__m256i codes) {
  const __m256i isOdd = _mm256_sub_epi32(_mm256_setzero_si256(), _mm256_and_si256(codes, _mm256_set1_epi32(1)));
  return _mm256_xor_si256(_mm256_srli_epi32(codes, 1), isOdd);
}

void deltaDecodeInLanes(const std::uint32_t *deltas, std::int32_t *values, std::size_t count, std::int32_t first) {
  __m256i before = _mm256_set1_epi32(first); // the value in front of the vector, in all lanes
  const __m256i last = _mm256_set1_epi32(7);
  std::size_t i = 0;
  const auto eight = [&](std::size_t at) {
    __m256i sums = fromZigzag(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(deltas + at)));
    sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 4));
    sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 8));
    const __m256i lowHalf = _mm256_permute2x128_si256(sums, sums, 0x08); // zeros, then the lower half
    sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(lowHalf, 0xff));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(values + at), _mm256_add_epi32(before, sums));
    before = _mm256_add_epi32(before, _mm256_permutevar8x32_epi32(sums, last));
  };
  for (; i + 32 <= count; i += 32) {
    eight(i);
    eight(i + 8);
    eight(i + 16);
    eight(i + 24);
  }
  for (; i + 8 <= count; i += 8)
    eight(i);
  coding::deltaDecode(deltas + i, values + i, count - i, _mm256_cvtsi256_si32(before));
}

void BM_DeltaDecode_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<DeltaDecodeCase>(state);
  const std::size_t count = run.deltas.size();
  std::vector<std::int32_t> expected(count);
  coding::deltaDecode(run.deltas.data(), expected.data(), count, 1000);
  deltaDecodeInLanes(run.deltas.data(), run.values.data(), count, 1000);
  testing_support::timeExpert(state, "the lanes", run.values == expected, [&] {
    deltaDecodeInLanes(run.deltas.data(), run.values.data(), count, 1000);
    benchmark::DoNotOptimize(run.values.data());
  });
  run.report(state);
}
BENCHMARK(BM_DeltaDecode_Expert_hand)->Arg(kDeltaDecodeCount)->ArgName("count")->Unit(benchmark::kMicrosecond);

} // namespace

#endif
