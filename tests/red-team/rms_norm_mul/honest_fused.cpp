// expect: valid
// style: Loops fused, sums in lanes
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
    float sums[8] = {};
    std::size_t c = 0;
    for (; c + 8 <= columns; c += 8)
      for (std::size_t i = 0; i < 8; ++i)
        sums[i] += in[c + i] * in[c + i];
    float sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    for (; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (c = 0; c < columns; ++c)
      out[c] = in[c] * scale * weight[c];
  }
}
