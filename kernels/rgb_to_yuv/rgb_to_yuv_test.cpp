#include "rgb_to_yuv.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <cmath>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Bytes = std::vector<std::uint8_t>;

Bytes randomBytes(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

std::uint8_t channel(double offset, double red, double green, double blue, const std::uint8_t *pixel) {
  const double scaled = (red * pixel[0] + green * pixel[1] + blue * pixel[2]) / 256;
  return static_cast<std::uint8_t>(std::floor(offset + scaled + 0.5));
}

/// In real numbers, which represent every term exactly.
Bytes referenceY(const Bytes &rgb) {
  Bytes plane(rgb.size() / 3);
  for (std::size_t i = 0; i < plane.size(); ++i)
    plane[i] = channel(16, 66, 129, 25, &rgb[3 * i]);
  return plane;
}

Bytes referenceU(const Bytes &rgb) {
  Bytes plane(rgb.size() / 3);
  for (std::size_t i = 0; i < plane.size(); ++i)
    plane[i] = channel(128, -38, -74, 112, &rgb[3 * i]);
  return plane;
}

Bytes referenceV(const Bytes &rgb) {
  Bytes plane(rgb.size() / 3);
  for (std::size_t i = 0; i < plane.size(); ++i)
    plane[i] = channel(128, 112, -94, -18, &rgb[3 * i]);
  return plane;
}

void expectConverted(const Bytes &rgb) {
  const EdgeBuffer<std::uint8_t> in(rgb);
  EdgeBuffer<std::uint8_t> y(rgb.size() / 3), u(rgb.size() / 3), v(rgb.size() / 3);
  color::rgbToYuv(in.data(), y.data(), u.data(), v.data(), rgb.size() / 3);
  expectSame(y.data(), referenceY(rgb));
  expectSame(u.data(), referenceU(rgb));
  expectSame(v.data(), referenceV(rgb));
  y.expectNothingWrittenBefore();
  u.expectNothingWrittenBefore();
  v.expectNothingWrittenBefore();
}

TEST(RgbToYuv, EverySmallSize) {
  for (std::size_t pixels = 0; pixels <= 200; ++pixels) {
    SCOPED_TRACE(pixels);
    expectConverted(randomBytes(3 * pixels, static_cast<unsigned>(pixels) + 1));
  }
}

TEST(RgbToYuv, OddSizes) {
  for (std::size_t pixels : {255u, 257u, 1021u, 4099u, 65537u}) {
    SCOPED_TRACE(pixels);
    expectConverted(randomBytes(3 * pixels, static_cast<unsigned>(pixels)));
  }
}

// White, black and the primary colours reach the ends of the ranges: sums in 16 bits and saturation show here.
TEST(RgbToYuv, KnownColours) {
  struct Colour {
    Bytes rgb, yuv;
  };
  for (const Colour &colour :
       {Colour{{0, 0, 0}, {16, 128, 128}}, Colour{{255, 255, 255}, {235, 128, 128}}, Colour{{255, 0, 0}, {82, 90, 240}},
        Colour{{0, 255, 0}, {144, 54, 34}}, Colour{{0, 0, 255}, {41, 240, 110}}, Colour{{255, 255, 0}, {210, 16, 146}},
        Colour{{0, 255, 255}, {169, 166, 16}}, Colour{{255, 0, 255}, {107, 202, 222}}}) {
    for (std::size_t pixels : {1u, 7u, 64u, 100u}) {
      Bytes rgb, y(pixels), u(pixels), v(pixels);
      for (std::size_t i = 0; i < pixels; ++i)
        rgb.insert(rgb.end(), colour.rgb.begin(), colour.rgb.end());
      color::rgbToYuv(rgb.data(), y.data(), u.data(), v.data(), pixels);
      expectSame(y.data(), Bytes(pixels, colour.yuv[0]));
      expectSame(u.data(), Bytes(pixels, colour.yuv[1]));
      expectSame(v.data(), Bytes(pixels, colour.yuv[2]));
    }
  }
}

// Rounding is right for every sum only if it is right for every colour; every third value of each channel and both
// ends.
TEST(RgbToYuv, ColourCube) {
  Bytes rgb;
  for (unsigned red = 0; red < 256; red += 3)
    for (unsigned green = 0; green < 256; green += 3)
      for (unsigned blue = 0; blue < 256; blue += 3)
        for (unsigned value : {red, green, blue})
          rgb.push_back(static_cast<std::uint8_t>(value));
  expectConverted(rgb);
}

// Along each channel all values, the others at random.
TEST(RgbToYuv, EveryValueOfAChannel) {
  Bytes rgb = randomBytes(3 * 3 * 256 * 40, 81);
  for (std::size_t i = 0; i < rgb.size() / 3; ++i)
    rgb[3 * i + i / 256 % 3] = static_cast<std::uint8_t>(i);
  expectConverted(rgb);
}

TEST(RgbToYuv, EachPosition) {
  constexpr std::size_t kPixels = 131;
  for (std::size_t byte = 0; byte < 3 * kPixels; ++byte) {
    Bytes rgb(3 * kPixels, 50);
    rgb[byte] = 250;
    expectConverted(rgb);
  }
}

TEST(RgbToYuv, AnyAlignment) {
  const Bytes rgb = randomBytes(3 * 300, 82);
  for (std::size_t skipped = 0; skipped < 65; ++skipped) {
    const std::size_t pixels = (rgb.size() - skipped) / 3;
    const Bytes in(rgb.begin() + static_cast<std::ptrdiff_t>(skipped),
                   rgb.begin() + static_cast<std::ptrdiff_t>(skipped + 3 * pixels));
    Bytes y(pixels + skipped), u(pixels + skipped % 7), v(pixels + skipped % 31);
    color::rgbToYuv(rgb.data() + skipped, y.data() + skipped, u.data() + skipped % 7, v.data() + skipped % 31, pixels);
    expectSame(y.data() + skipped, referenceY(in));
    expectSame(u.data() + skipped % 7, referenceU(in));
    expectSame(v.data() + skipped % 31, referenceV(in));
  }
}

TEST(RgbToYuv, SecondCallSeesNewContents) {
  constexpr std::size_t kPixels = 100;
  Bytes rgb = randomBytes(3 * kPixels, 83), y(kPixels), u(kPixels), v(kPixels);
  color::rgbToYuv(rgb.data(), y.data(), u.data(), v.data(), kPixels);
  for (std::size_t byte : {std::size_t{0}, 3 * kPixels - 1})
    rgb[byte] ^= 0xff;
  color::rgbToYuv(rgb.data(), y.data(), u.data(), v.data(), kPixels);
  expectSame(y.data(), referenceY(rgb));
  expectSame(u.data(), referenceU(rgb));
  expectSame(v.data(), referenceV(rgb));
}

} // namespace
