#include "gaussian5.h"

#include "expect_same.h"
#include "image_filter.h"

#include <algorithm>
#include <random>

namespace {

using testing_support::expectSame;
using testing_support::Image;

/// All 25 products at once, on a copy of the image with its border repeated twice, in 64 bits.
Image reference(const Image &in, std::size_t height, std::size_t width) {
  constexpr std::uint64_t kWeights[] = {1, 4, 6, 4, 1};
  const std::size_t padded = width + 4;
  Image copy((height + 4) * padded), out(in.size());
  for (std::size_t y = 0; y < height + 4 && !in.empty(); ++y)
    for (std::size_t x = 0; x < padded; ++x)
      copy[y * padded + x] =
          in[(std::clamp(y, std::size_t{2}, height + 1) - 2) * width + std::clamp(x, std::size_t{2}, width + 1) - 2];
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint64_t sum = 0;
    for (std::size_t tap = 0; tap < 25; ++tap)
      sum += kWeights[tap / 5] * kWeights[tap % 5] * copy[(i / width + tap / 5) * padded + i % width + tap % 5];
    out[i] = static_cast<std::uint8_t>((2 * sum + 256) / 512);
  }
  return out;
}

Image randomImage(std::size_t size, unsigned largest, unsigned seed) {
  std::mt19937 engine(seed);
  Image image(size);
  for (std::uint8_t &pixel : image)
    pixel = static_cast<std::uint8_t>(engine() % (largest + 1));
  return image;
}

void expectSmoothed(const Image &image, std::size_t height, std::size_t width) {
  testing_support::expectFiltered(filters::gaussian5, reference, image, height, width);
}

// Where a tap leaves the image on both sides at once, and every tail of a vector.
TEST(Gaussian5, EverySmallSize) {
  for (std::size_t height = 0; height <= 7; ++height)
    for (std::size_t width = 0; width <= 136; ++width)
      expectSmoothed(randomImage(height * width, 255, static_cast<unsigned>(height * 200 + width)), height, width);
  for (std::size_t height = 8; height <= 70; ++height)
    expectSmoothed(randomImage(height * 5, 255, static_cast<unsigned>(height)), height, 5);
}

TEST(Gaussian5, OddAndLargestSizes) {
  for (const auto &[height, width] :
       {std::pair<std::size_t, std::size_t>{301, 3}, {67, 129}, {31, 257}, {7, 1021}, {6, 4095}, {7, 4096}})
    expectSmoothed(randomImage(height * width, 255, static_cast<unsigned>(height)), height, width);
}

// One pixel shows every weight around it, at the borders several at once, and nothing in a row before or behind.
TEST(Gaussian5, OneBrightPixelAnywhere) {
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>{7, 9}, {5, 70}, {9, 6}}) {
    for (std::size_t position = 0; position < height * width; ++position) {
      Image image(height * width, 0);
      image[position] = 255;
      expectSmoothed(image, height, width);
    }
  }
}

// The largest sum is 65280: it must not wrap, nor lose a half to a sign bit.
TEST(Gaussian5, KeepsEvenShades) {
  for (unsigned shade : {0u, 1u, 127u, 128u, 254u, 255u}) {
    const Image image(9 * 77, static_cast<std::uint8_t>(shade));
    EXPECT_EQ(reference(image, 9, 77), image);
    expectSmoothed(image, 9, 77);
  }
}

// Small values: nothing but the rounding decides.
TEST(Gaussian5, Rounding) {
  for (unsigned largest : {1u, 2u, 3u, 7u})
    expectSmoothed(randomImage(23 * 143, largest, 41), 23, 143);
  Image checks(20 * 75);
  for (std::size_t i = 0; i < checks.size(); ++i)
    checks[i] = (i % 75 + i / 75) % 2 ? 255 : 0;
  expectSmoothed(checks, 20, 75);
}

TEST(Gaussian5, AnyAlignment) {
  constexpr std::size_t kHeight = 3, kWidth = 150;
  const Image all = randomImage(kHeight * kWidth + 70, 255, 42);
  for (std::size_t shift = 0; shift < 70; ++shift) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(shift);
    const Image expected = reference({begin, begin + kHeight * kWidth}, kHeight, kWidth);
    Image out(69 - shift + expected.size() + 1, 99);
    filters::gaussian5(all.data() + shift, out.data() + 69 - shift, kHeight, kWidth);
    expectSame(out.data() + 69 - shift, expected);
    ASSERT_TRUE((shift == 69 || out[68 - shift] == 99) && out.back() == 99) << "written beside the output";
  }
}

TEST(Gaussian5, SecondCallSeesNewContents) {
  Image image = randomImage(9 * 80, 255, 43), out(image.size());
  filters::gaussian5(image.data(), out.data(), 9, 80);
  for (std::uint8_t &pixel : image)
    pixel = static_cast<std::uint8_t>(pixel * 7 + 3);
  filters::gaussian5(image.data(), out.data(), 9, 80);
  expectSame(out.data(), reference(image, 9, 80));
}

} // namespace
