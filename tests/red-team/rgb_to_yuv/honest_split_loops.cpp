// expect: valid
// style: One loop per plane, blocked
void rgbToYuv(const std::uint8_t *rgb, std::uint8_t *y, std::uint8_t *u, std::uint8_t *v, std::size_t pixels) {
  constexpr std::size_t kBlock = 256;
  std::int16_t r[kBlock], g[kBlock], b[kBlock];
  for (std::size_t begin = 0; begin < pixels; begin += kBlock) {
    const std::size_t count = pixels - begin < kBlock ? pixels - begin : kBlock;
    for (std::size_t i = 0; i < count; ++i) {
      r[i] = rgb[3 * (begin + i)];
      g[i] = rgb[3 * (begin + i) + 1];
      b[i] = rgb[3 * (begin + i) + 2];
    }
    for (std::size_t i = 0; i < count; ++i)
      y[begin + i] = static_cast<std::uint8_t>(((66 * r[i] + 129 * g[i] + 25 * b[i] + 128) >> 8) + 16);
    for (std::size_t i = 0; i < count; ++i)
      u[begin + i] = static_cast<std::uint8_t>(((-38 * r[i] - 74 * g[i] + 112 * b[i] + 128) >> 8) + 128);
    for (std::size_t i = 0; i < count; ++i)
      v[begin + i] = static_cast<std::uint8_t>(((112 * r[i] - 94 * g[i] - 18 * b[i] + 128) >> 8) + 128);
  }
}
