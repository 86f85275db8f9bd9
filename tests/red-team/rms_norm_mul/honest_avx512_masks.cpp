// expect: valid
// style: AVX-512 with masked tails
// when: x86
#include <immintrin.h>

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
#ifdef __AVX512F__
    __m512 sums = _mm512_setzero_ps();
    for (std::size_t c = 0; c < columns; c += 16) {
      const __mmask16 mask = static_cast<__mmask16>(columns - c >= 16 ? 0xffffu : (1u << (columns - c)) - 1);
      const __m512 v = _mm512_maskz_loadu_ps(mask, in + c);
      sums = _mm512_fmadd_ps(v, v, sums);
    }
    const float sum = _mm512_reduce_add_ps(sums);
#else
    float sum = 0;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
#endif
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      out[c] = in[c] * scale * weight[c];
  }
}
