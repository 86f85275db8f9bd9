// expect: valid
// style: AVX2 intrinsics behind their macro
// when: x86
#include <immintrin.h>

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
#ifdef __AVX2__
  __m256i carry = _mm256_setzero_si256();
  for (; i + 8 <= size; i += 8) {
    __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + i));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    const __m256i low = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(3));
    v = _mm256_add_epi32(v, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xf0));
    v = _mm256_add_epi32(v, carry);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + i), v);
    carry = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(7));
  }
  sum = static_cast<std::uint32_t>(_mm256_extract_epi32(carry, 0));
#endif
  for (; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}
