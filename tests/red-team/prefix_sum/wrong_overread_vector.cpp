// expect: rejected
// trick: Whole vectors are read, over the end (catalogue 48)
// layers: differential
// when: x86
// fault: only where it reads is wrong
#include <immintrin.h>

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; i += 8) {
#ifdef __AVX2__
    alignas(32) std::int32_t block[8];
    _mm256_store_si256(reinterpret_cast<__m256i *>(block), _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + i)));
#else
    const std::int32_t *block = in + i;
#endif
    for (std::size_t j = 0; j < 8 && i + j < size; ++j)
      out[i + j] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(block[j]));
  }
}
