// expect: valid
// style: Attributes that are allowed
[[gnu::always_inline]] static inline float square(float value) { return value * value; }
[[gnu::noinline]] static float meanSquare(const float *in, std::size_t columns) {
  float sum = 0.0f;
  for (std::size_t c = 0; c < columns; ++c)
    sum += square(in[c]);
  return sum / static_cast<float>(columns);
}

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    [[maybe_unused]] const std::size_t begin = r * columns;
    alignas(32) float scale[1] = {1.0f / std::sqrt(meanSquare(x + begin, columns) + eps)};
    for (std::size_t c = 0; c < columns; ++c)
      y[begin + c] = x[begin + c] * scale[0] * weight[c];
  }
}
