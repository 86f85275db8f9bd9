#include "sobel3x3.h"

#include "expect_same.h"
#include "image_filter.h"

#include <algorithm>
#include <random>

namespace {

using testing_support::expectSame;
using testing_support::Image;

/// By correlation with the two matrices.
Image reference(const Image &in, std::size_t height, std::size_t width) {
  constexpr std::int64_t kAcross[] = {-1, 0, 1, -2, 0, 2, -1, 0, 1}, kDown[] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};
  Image out(in.size(), 0);
  for (std::size_t y = 2; y < height; ++y) {
    for (std::size_t x = 2; x < width; ++x) {
      std::int64_t across = 0, down = 0;
      for (std::size_t tap = 0; tap < 9; ++tap) {
        const std::int64_t pixel = in[(y - 2 + tap / 3) * width + x - 2 + tap % 3];
        across += kAcross[tap] * pixel;
        down += kDown[tap] * pixel;
      }
      const std::int64_t sum = std::max(across, -across) + std::max(down, -down);
      out[(y - 1) * width + x - 1] = static_cast<std::uint8_t>(sum > 255 ? 255 : sum);
    }
  }
  return out;
}

Image randomImage(std::size_t size, unsigned lowest, unsigned count, unsigned seed) {
  std::mt19937 engine(seed);
  Image image(size);
  for (std::uint8_t &pixel : image)
    pixel = static_cast<std::uint8_t>(lowest + engine() % count);
  return image;
}

void expectGradients(const Image &image, std::size_t height, std::size_t width) {
  testing_support::expectFiltered(filters::sobel3x3, reference, image, height, width);
}

// No interior, every tail of a vector, and rows that are first and last at once. Of few shades: no sum is saturated.
TEST(Sobel3x3, EverySmallSize) {
  for (std::size_t height = 0; height <= 6; ++height) {
    for (std::size_t width = 0; width <= 136; ++width) {
      const auto seed = static_cast<unsigned>(height * 200 + width);
      expectGradients(randomImage(height * width, 100, 32, seed), height, width);
      expectGradients(randomImage(height * width, 0, 256, seed), height, width);
    }
  }
  for (std::size_t height = 7; height <= 70; ++height)
    expectGradients(randomImage(height * 5, 100, 32, static_cast<unsigned>(height)), height, 5);
}

TEST(Sobel3x3, OddSizes) {
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>{3, 1021}, {301, 3}, {67, 129}, {31, 257}})
    expectGradients(randomImage(height * width, 0, 64, static_cast<unsigned>(height)), height, width);
}

// Every weight, with both signs; nothing in a row before or behind, and nothing on the border.
TEST(Sobel3x3, OneOtherPixelAnywhere) {
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>{5, 7}, {4, 71}}) {
    for (std::size_t position = 0; position < height * width; ++position) {
      for (unsigned shade : {90u, 120u}) {
        Image image(height * width, 100);
        image[position] = static_cast<std::uint8_t>(shade);
        expectGradients(image, height, width);
      }
    }
  }
}

// Sums up to 2040, around the limit of 255, and steps in all directions.
TEST(Sobel3x3, SaturatesAt255) {
  for (unsigned count : {2u, 40u, 50u, 64u, 90u, 128u, 200u})
    expectGradients(randomImage(29 * 141, 256 - count, count, count), 29, 141);
  for (std::size_t pattern = 0; pattern < 512; ++pattern)
    for (unsigned bright : {63u, 64u, 127u, 128u, 255u}) {
      Image window(9), out(9, 7);
      for (std::size_t k = 0; k < 9; ++k)
        window[k] = static_cast<std::uint8_t>(pattern >> k & 1 ? bright : 0);
      filters::sobel3x3(window.data(), out.data(), 3, 3);
      ASSERT_EQ(out, reference(window, 3, 3)) << pattern << ' ' << bright;
    }
}

TEST(Sobel3x3, AnyAlignment) {
  constexpr std::size_t kHeight = 3, kWidth = 150;
  const Image all = randomImage(kHeight * kWidth + 70, 100, 32, 42);
  for (std::size_t shift = 0; shift < 70; ++shift) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(shift);
    const Image expected = reference({begin, begin + kHeight * kWidth}, kHeight, kWidth);
    Image out(69 - shift + expected.size() + 1, 99);
    filters::sobel3x3(all.data() + shift, out.data() + 69 - shift, kHeight, kWidth);
    expectSame(out.data() + 69 - shift, expected);
    ASSERT_TRUE((shift == 69 || out[68 - shift] == 99) && out.back() == 99) << "written beside the output";
  }
}

TEST(Sobel3x3, SecondCallSeesNewContents) {
  Image image = randomImage(9 * 80, 0, 40, 43), out(image.size());
  filters::sobel3x3(image.data(), out.data(), 9, 80);
  for (std::uint8_t &pixel : image)
    pixel = static_cast<std::uint8_t>(pixel * 3 + 5);
  filters::sobel3x3(image.data(), out.data(), 9, 80);
  expectSame(out.data(), reference(image, 9, 80));
}

} // namespace
