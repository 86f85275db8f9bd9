// expect: rejected
// trick: A reciprocal root by a famous constant (catalogue 42)
// layers: test differential
// fault: the result alone is wrong
#include <bit>

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float value = sum / static_cast<float>(columns) + eps;
    float scale = std::bit_cast<float>(0x5f3759dfu - (std::bit_cast<unsigned>(value) >> 1));
    scale = scale * (1.5f - 0.5f * value * scale * scale);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
