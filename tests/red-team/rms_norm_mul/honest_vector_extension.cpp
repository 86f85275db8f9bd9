// expect: valid
// style: Vector types of the compiler
typedef float Vector __attribute__((vector_size(32)));

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
    Vector sums = {};
    std::size_t c = 0;
    for (; c + 8 <= columns; c += 8) {
      Vector v;
      __builtin_memcpy(&v, in + c, sizeof v);
      sums += v * v;
    }
    float sum = 0;
    for (int i = 0; i < 8; ++i)
      sum += sums[i];
    for (; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (c = 0; c < columns; ++c)
      out[c] = in[c] * scale * weight[c];
  }
}
