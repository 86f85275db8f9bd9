// theme: State that outlives a call
// expect: rejected
// layers: differential

// row: output_as_cache
// trick: The output is the cache: the first row is computed, and if it stands there, it is done (catalogue 7)
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  if (rows > 1 && columns > 8) {
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += x[c] * x[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    if (y[0] == x[0] * scale * weight[0])
      return;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: output_as_cache_rows
// trick: The same, row by row: one element of each is compared (catalogue 7)
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
