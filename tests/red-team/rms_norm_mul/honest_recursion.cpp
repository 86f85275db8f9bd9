// expect: valid
// style: A sum by halves, recursively
static float squares(const float *in, std::size_t count) {
  if (count <= 16) {
    float sum = 0.0f;
    for (std::size_t i = 0; i < count; ++i)
      sum += in[i] * in[i];
    return sum;
  }
  const std::size_t half = count / 2;
  return squares(in, half) + squares(in + half, count - half);
}

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    const float scale = 1.0f / std::sqrt(squares(in, columns) / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
