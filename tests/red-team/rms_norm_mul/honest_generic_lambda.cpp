// expect: valid
// style: Generic lambdas and auto
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  const auto square = [](auto value) { return value * value; };
  for (std::size_t r = 0; r < rows; ++r) {
    const auto *in = x + r * columns;
    auto sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += square(in[c]);
    const auto scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    const auto apply = [&](std::size_t c) { return in[c] * scale * weight[c]; };
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = apply(c);
  }
}
