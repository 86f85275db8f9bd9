// expect: rejected
// trick: The processor's approximate reciprocal root, not refined (catalogue 42)
// layers: differential
// when: x86
// fault: the result alone is wrong
#include <immintrin.h>

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(sum / static_cast<float>(columns) + eps)));
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
