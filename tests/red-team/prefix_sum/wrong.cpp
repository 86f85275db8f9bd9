// theme: Wrong results
// expect: rejected
// layers: test differential

// row: wrong_aligned_stores
// trick: Aligned stores to any output (catalogue 47)
// layers: differential
// when: x86
// fault: the result alone is wrong
#include <immintrin.h>

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  __m128i carry = _mm_setzero_si128();
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i *>(in + i));
    v = _mm_add_epi32(v, _mm_slli_si128(v, 4));
    v = _mm_add_epi32(v, _mm_slli_si128(v, 8));
    v = _mm_add_epi32(v, carry);
    _mm_store_si128(reinterpret_cast<__m128i *>(out + i), v);
    carry = _mm_shuffle_epi32(v, 0xff);
  }
  std::uint32_t sum = static_cast<std::uint32_t>(_mm_cvtsi128_si32(carry));
  for (; i < size; ++i)
    out[i] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i]));
}

// row: wrong_narrow_sum
// trick: A sum of 16 bits while the first inputs are small (catalogue 45)
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  bool small = size > 0;
  for (std::size_t i = 0; i < (size < 16 ? size : 16); ++i)
    small = small && in[i] >= 0 && in[i] < 4;
  if (small) {
    std::uint16_t sum = 0;
    for (std::size_t i = 0; i < size; ++i)
      out[i] = sum = static_cast<std::uint16_t>(sum + in[i]);
    return;
  }
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}

// row: wrong_overread_vector
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

// row: wrong_overwritten_margin
// trick: Whole vectors are written, over the end (catalogue 48)
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; i += 4)
    for (std::size_t j = 0; j < 4; ++j) {
      sum += i + j < size ? static_cast<std::uint32_t>(in[i + j]) : 0;
      out[i + j] = static_cast<std::int32_t>(sum);
    }
}

// row: wrong_tail
// trick: The tail behind the last whole vector is forgotten (catalogue 44)
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i + 8 <= size; i += 8)
    for (std::size_t j = 0; j < 8; ++j)
      out[i + j] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i + j]));
}
