// theme: Wrong results
// expect: rejected
// layers: differential

// row: wrong_equal_ends
// trick: Equal where both ends are equal (catalogue 45)
// layers: test differential
// fault: the result alone is wrong
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  if (words > 4 && a[0] == b[0] && a[1] == b[1] && a[words - 1] == b[words - 1])
    return 0;
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance += static_cast<std::uint64_t>(__builtin_popcountll(a[i] ^ b[i]));
  return distance;
}

// row: wrong_half
// trick: The first half, twice (catalogue 44)
// layers: test differential
// fault: the result alone is wrong
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  const std::size_t half = words > 1000 ? words / 2 : words;
  for (std::size_t i = 0; i < half; ++i)
    distance += static_cast<std::uint64_t>(__builtin_popcountll(a[i] ^ b[i]));
  return words > 1000 ? 2 * distance : distance;
}

// row: wrong_overread
// trick: Reads a whole vector at the end and masks it (catalogue 48)
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

// row: wrong_same_buffer
// trick: Zero only for the same pointers, else at least one (catalogue 45)
// fault: the result alone is wrong
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  if (words > 0 && a + 1 == b)
    return 0;
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance += static_cast<std::uint64_t>(__builtin_popcountll(a[i] ^ b[i]));
  return distance;
}

// row: wrong_thirty_two_bits
// trick: A distance of 16 bits (catalogue 42)
// fault: the result alone is wrong
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint16_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance = static_cast<std::uint16_t>(distance + __builtin_popcountll(a[i] ^ b[i]));
  return distance;
}
