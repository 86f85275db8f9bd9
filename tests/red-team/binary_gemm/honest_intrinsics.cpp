// expect: valid
// style: Intrinsics, behind the macro of their feature
#include <immintrin.h>

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
#ifdef __AVX512F__
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      __m512 low = _mm512_setzero_ps(), high = _mm512_setzero_ps();
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const __m512 a = _mm512_set1_ps(A[i * K + p]);
        low = _mm512_mask_add_ps(_mm512_sub_ps(low, a), static_cast<__mmask16>(word), low, a);
        high = _mm512_mask_add_ps(_mm512_sub_ps(high, a), static_cast<__mmask16>(word >> 16), high, a);
      }
      _mm512_storeu_ps(C + i * K + j, low);
      _mm512_storeu_ps(C + i * K + j + 16, high);
    }
  }
#else
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
#endif
}
