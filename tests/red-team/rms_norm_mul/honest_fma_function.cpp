// expect: valid
// style: std::fma
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float a = 0.0f, b = 0.0f;
    std::size_t c = 0;
    for (; c + 2 <= columns; c += 2) {
      a = std::fma(in[c], in[c], a);
      b = std::fma(in[c + 1], in[c + 1], b);
    }
    if (c < columns)
      a = std::fma(in[c], in[c], a);
    const float scale = 1.0f / std::sqrt((a + b) / static_cast<float>(columns) + eps);
    for (c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
