// theme: Honest candidates
// expect: valid

// row: honest_enum_constants
// style: Constants in an enumeration, structured bindings
enum Weight : int { kRed = 66, kGreen = 129, kBlue = 25 };
struct Pixel { int r, g, b; };

void rgbToYuv(const std::uint8_t *rgb, std::uint8_t *y, std::uint8_t *u, std::uint8_t *v, std::size_t pixels) {
  for (std::size_t i = 0; i < pixels; ++i) {
    const auto [r, g, b] = Pixel{rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]};
    y[i] = static_cast<std::uint8_t>(((kRed * r + kGreen * g + kBlue * b + 128) >> 8) + 16);
    u[i] = static_cast<std::uint8_t>(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
    v[i] = static_cast<std::uint8_t>(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
  }
}

// row: honest_split_loops
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

// row: honest_template_plane
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
