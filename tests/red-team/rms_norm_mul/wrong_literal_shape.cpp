// expect: rejected
// trick: A literal shape is fast; elsewhere the last column is forgotten (catalogue 51)
// layers: test differential
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  const std::size_t used = columns % 64 == 0 ? columns : columns - (columns > 1 ? 1 : 0);
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < used; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < used; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
