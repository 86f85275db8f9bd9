// The same by hand: with 16 lanes each block's products are a table of its own, which the nibbles choose from.
#include "dequantize_q4.h"
#include "dequantize_q4_bench_case.h"

#if defined(__AVX512BW__) || defined(__AVX2__)
#include <immintrin.h>

namespace {

#if defined(__AVX512BW__)

void expert(const std::uint8_t *packed, const float *scales, float *out, std::size_t blocks) {
  // All with a mask of ones, which costs nothing: without one g++ 12 warns of a variable of its own header.
  constexpr __mmask16 kAll = 0xffff;
  const __m512 weights = _mm512_setr_ps(-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7);
  for (std::size_t b = 0; b < blocks; ++b) {
    const __m512 products = weights * scales[b];
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(packed + 16 * b));
    const __m512i low = _mm512_maskz_cvtepu8_epi32(kAll, bytes); // of an index only the lowest four bits count
    const __m512i high = _mm512_maskz_srli_epi32(kAll, low, 4);
    _mm512_storeu_ps(out + 32 * b, _mm512_maskz_permutexvar_ps(kAll, low, products));
    _mm512_storeu_ps(out + 32 * b + 16, _mm512_maskz_permutexvar_ps(kAll, high, products));
  }
}

#else

void expert(const std::uint8_t *packed, const float *scales, float *out, std::size_t blocks) {
  const __m256i fifteen = _mm256_set1_epi32(15), eight = _mm256_set1_epi32(8);
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < 16; i += 8) {
      const __m256i bytes =
          _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(packed + 16 * b + i)));
      const __m256i low = _mm256_sub_epi32(_mm256_and_si256(bytes, fifteen), eight);
      const __m256i high = _mm256_sub_epi32(_mm256_srli_epi32(bytes, 4), eight);
      _mm256_storeu_ps(out + 32 * b + i, _mm256_cvtepi32_ps(low) * scales[b]);
      _mm256_storeu_ps(out + 32 * b + 16 + i, _mm256_cvtepi32_ps(high) * scales[b]);
    }
  }
}

#endif

void BM_DequantizeQ4_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<DequantizeQ4Case>(state);
  std::vector<float> expected(run.out.size());
  quant::dequantizeQ4(run.packed.data(), run.scales.data(), expected.data(), run.blocks);
  expert(run.packed.data(), run.scales.data(), run.out.data(), run.blocks);
  testing_support::timeExpert(state, "the expert", run.out == expected, [&] {
    expert(run.packed.data(), run.scales.data(), run.out.data(), run.blocks);
    benchmark::DoNotOptimize(run.out.data());
  });
  run.report(state);
}
BENCHMARK(BM_DequantizeQ4_Expert_hand)->Apply(dequantizeQ4Sizes);

} // namespace
#endif
