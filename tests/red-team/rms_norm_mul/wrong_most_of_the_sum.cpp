// expect: rejected
// trick: 99 % of the sum, the rest by estimate (catalogue 44)
// layers: differential
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    const std::size_t most = columns > 200 ? columns - columns / 100 : columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < most; ++c)
      sum += in[c] * in[c];
    sum *= static_cast<float>(columns) / static_cast<float>(most);
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
