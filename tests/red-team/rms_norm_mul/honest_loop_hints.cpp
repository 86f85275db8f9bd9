// expect: valid
// style: Hints for the vectoriser
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = 0.0f;
#pragma clang loop unroll_count(4)
    for (std::size_t c = 0; c < columns; ++c)
      sum += x[r * columns + c] * x[r * columns + c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
#pragma clang loop vectorize(enable) interleave(enable)
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = x[r * columns + c] * scale * weight[c];
  }
}
