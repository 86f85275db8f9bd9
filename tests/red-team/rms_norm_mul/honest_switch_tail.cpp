// expect: valid
// style: A switch for the tail
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    std::size_t c = 0;
    for (; c + 4 <= columns; c += 4)
      sum += (in[c] * in[c] + in[c + 1] * in[c + 1]) + (in[c + 2] * in[c + 2] + in[c + 3] * in[c + 3]);
    switch (columns - c) {
    case 3:
      sum += in[c + 2] * in[c + 2];
      [[fallthrough]];
    case 2:
      sum += in[c + 1] * in[c + 1];
      [[fallthrough]];
    case 1:
      sum += in[c] * in[c];
      break;
    default:
      break;
    }
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}
