// expect: valid
// style: Prefetches, and hints
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    if (__builtin_expect(r + 1 < rows, 1))
      __builtin_prefetch(in + columns);
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
