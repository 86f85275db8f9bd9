// expect: rejected
// trick: Inputs of 11 bits (catalogue 42)
// layers: differential
// when: x86
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += static_cast<float>(static_cast<_Float16>(in[c])) * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = static_cast<float>(static_cast<_Float16>(in[c])) * scale * weight[c];
  }
}
