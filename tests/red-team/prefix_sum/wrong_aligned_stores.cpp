// expect: rejected
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
