// expect: rejected
// trick: Reads a whole vector at the end and masks it (catalogue 48)
// layers: differential
// when: x86
// fault: only where it reads is wrong
#include <immintrin.h>

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; i += 4) {
    alignas(32) std::uint64_t x[4], y[4];
    _mm256_store_si256(reinterpret_cast<__m256i *>(x), _mm256_loadu_si256(reinterpret_cast<const __m256i *>(a + i)));
    _mm256_store_si256(reinterpret_cast<__m256i *>(y), _mm256_loadu_si256(reinterpret_cast<const __m256i *>(b + i)));
    for (std::size_t j = 0; j < 4 && i + j < words; ++j)
      distance += static_cast<std::uint64_t>(__builtin_popcountll(x[j] ^ y[j]));
  }
  return distance;
}
