// expect: valid
// style: A sum in double precision
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    double sum = 0.0;
    for (std::size_t c = 0; c < columns; ++c)
      sum += static_cast<double>(in[c]) * static_cast<double>(in[c]);
    const auto scale = static_cast<float>(1.0 / std::sqrt(sum / static_cast<double>(columns) + static_cast<double>(eps)));
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
