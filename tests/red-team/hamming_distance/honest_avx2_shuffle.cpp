// expect: valid
// style: A look-up in registers
// when: x86
#include <immintrin.h>

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  std::size_t i = 0;
#ifdef __AVX2__
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3,
                                         2, 3, 3, 4);
  const __m256i mask = _mm256_set1_epi8(15);
  __m256i sums = _mm256_setzero_si256();
  for (; i + 4 <= words; i += 4) {
    const __m256i v = _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(a + i)),
                                       _mm256_loadu_si256(reinterpret_cast<const __m256i *>(b + i)));
    const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(v, mask));
    const __m256i high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), mask));
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256()));
  }
  std::uint64_t lanes[4];
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(lanes), sums);
  distance = lanes[0] + lanes[1] + lanes[2] + lanes[3];
#endif
  for (; i < words; ++i)
    distance += static_cast<std::uint64_t>(_mm_popcnt_u64(a[i] ^ b[i]));
  return distance;
}
