// expect: valid
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
