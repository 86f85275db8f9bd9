// expect: rejected
// trick: Every row takes the first one's scale while they look alike (catalogue 45)
// layers: differential
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  float last = 0.0f, lastFirst = 0.0f;
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float scale = last;
    if (r == 0 || in[0] != lastFirst) {
      float sum = 0.0f;
      for (std::size_t c = 0; c < columns; ++c)
        sum += in[c] * in[c];
      scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    }
    last = scale;
    lastFirst = in[0];
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
