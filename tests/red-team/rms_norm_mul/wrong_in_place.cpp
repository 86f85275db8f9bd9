// expect: rejected
// trick: Correct only when input and output are the same (catalogue 47)
// layers: test differential
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t i = 0; i < rows * columns; ++i)
    y[i] = x[i];
  for (std::size_t r = 0; r + 1 < rows; ++r) {
    float *row = y + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += row[c] * row[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      row[c] *= scale * weight[c];
  }
}
