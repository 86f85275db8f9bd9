// expect: valid
// style: A template over weights
template <int R, int G, int B, int Offset> static std::uint8_t plane(int r, int g, int b) {
  return static_cast<std::uint8_t>(((R * r + G * g + B * b + 128) >> 8) + Offset);
}

void rgbToYuv(const std::uint8_t *rgb, std::uint8_t *y, std::uint8_t *u, std::uint8_t *v, std::size_t pixels) {
  for (std::size_t i = 0; i < pixels; ++i) {
    const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    y[i] = plane<66, 129, 25, 16>(r, g, b);
    u[i] = plane<-38, -74, 112, 128>(r, g, b);
    v[i] = plane<112, -94, -18, 128>(r, g, b);
  }
}
