// expect: rejected
// trick: The same, row by row: one element of each is compared (catalogue 7)
// layers: differential
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    if (columns > 4 && y[r * columns] == in[0] * scale * weight[0] && y[r * columns + 1] == in[1] * scale * weight[1])
      continue;
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
