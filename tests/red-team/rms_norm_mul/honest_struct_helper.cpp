// expect: valid
// style: A helper structure with member functions
struct Row {
  const float *in;
  std::size_t columns;

  float meanSquare() const {
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    return sum / static_cast<float>(columns);
  }
  void scaled(float scale, const float *weight, float *out) const {
    for (std::size_t c = 0; c < columns; ++c)
      out[c] = in[c] * scale * weight[c];
  }
};

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const Row row{x + r * columns, columns};
    row.scaled(1.0f / std::sqrt(row.meanSquare() + eps), weight, y + r * columns);
  }
}
