// expect: rejected
// trick: Weights of one are assumed where the first two are (catalogue 45)
// layers: differential
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  const bool ones = columns > 2 && weight[0] == weight[1];
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * (ones ? weight[0] : weight[c]);
  }
}
