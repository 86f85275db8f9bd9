#include "median3x3.h"

#include "expect_same.h"
#include "image_filter.h"

#include <algorithm>
#include <random>

namespace {

using testing_support::expectSame;
using testing_support::Image;

/// By counting: the value with at most four pixels below it and at least five that are not above it.
Image reference(const Image &in, std::size_t height, std::size_t width) {
  Image out = in;
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const auto pixel = [&](std::size_t k) { return in[(y + k / 3 - 1) * width + x + k % 3 - 1]; };
      for (std::size_t k = 0; k < 9; ++k) {
        unsigned below = 0, notAbove = 0;
        for (std::size_t other = 0; other < 9; ++other) {
          below += pixel(other) < pixel(k);
          notAbove += pixel(other) <= pixel(k);
        }
        if (below <= 4 && notAbove >= 5)
          out[y * width + x] = pixel(k);
      }
    }
  }
  return out;
}

Image randomImage(std::size_t size, const Image &shades, unsigned seed) {
  std::mt19937 engine(seed);
  Image image(size);
  for (std::uint8_t &pixel : image)
    pixel = shades.empty() ? static_cast<std::uint8_t>(engine()) : shades[engine() % shades.size()];
  return image;
}

void expectMedians(const Image &image, std::size_t height, std::size_t width) {
  testing_support::expectFiltered(filters::median3x3, reference, image, height, width);
}

// No interior, every tail of a vector, and rows that are first and last at once.
TEST(Median3x3, EverySmallSize) {
  for (std::size_t height = 0; height <= 5; ++height)
    for (std::size_t width = 0; width <= 136; ++width)
      expectMedians(randomImage(height * width, {}, static_cast<unsigned>(height * 200 + width)), height, width);
  for (std::size_t height = 6; height <= 70; ++height)
    expectMedians(randomImage(height * 4, {}, static_cast<unsigned>(height)), height, 4);
}

TEST(Median3x3, OddSizes) {
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>{3, 1021}, {301, 3}, {67, 129}, {31, 257}})
    expectMedians(randomImage(height * width, {}, static_cast<unsigned>(height)), height, width);
}

// A selection by comparisons that is right for every window of zeros and ones is right for all windows. Side by side,
// so that they meet every lane.
TEST(Median3x3, EveryWindowOfTwoValues) {
  for (const auto &[low, high] : {std::pair<unsigned, unsigned>{0, 1}, {127, 128}, {0, 255}}) {
    constexpr std::size_t kWidth = 3 * 512;
    Image image(3 * kWidth);
    for (std::size_t pattern = 0; pattern < 512; ++pattern)
      for (std::size_t k = 0; k < 9; ++k)
        image[k / 3 * kWidth + 3 * pattern + k % 3] = static_cast<std::uint8_t>(pattern >> k & 1 ? high : low);
    expectMedians(image, 3, kWidth);
  }
}

// Many equal values, and those on either side of a sign bit.
TEST(Median3x3, FewShades) {
  for (const Image &shades : {Image{0, 255}, Image{126, 127, 128, 129}, Image{0, 1, 127, 128, 254, 255}, Image{200}})
    expectMedians(randomImage(19 * 141, shades, 31), 19, 141);
}

// Nine different values in random orders: each of them must be able to come out.
TEST(Median3x3, OrdersOfNineValues) {
  std::mt19937 engine(32);
  Image window{1, 20, 90, 126, 127, 128, 129, 254, 255};
  for (int round = 0; round < 500; ++round) {
    std::shuffle(window.begin(), window.end(), engine);
    std::uint8_t out[9] = {};
    filters::median3x3(window.data(), out, 3, 3);
    ASSERT_EQ(+out[4], 127);
  }
}

// A single wrong pixel vanishes from the interior and stays on the border.
TEST(Median3x3, OneWrongPixelAnywhere) {
  constexpr std::size_t kHeight = 4, kWidth = 71;
  for (std::size_t position = 0; position < kHeight * kWidth; ++position) {
    Image image(kHeight * kWidth, 100);
    image[position] = position % 2 ? 255 : 0;
    expectMedians(image, kHeight, kWidth);
  }
}

TEST(Median3x3, AnyAlignment) {
  constexpr std::size_t kHeight = 3, kWidth = 150;
  const Image all = randomImage(kHeight * kWidth + 70, {}, 33);
  for (std::size_t shift = 0; shift < 70; ++shift) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(shift);
    const Image expected = reference({begin, begin + kHeight * kWidth}, kHeight, kWidth);
    Image out(69 - shift + expected.size() + 1, 99);
    filters::median3x3(all.data() + shift, out.data() + 69 - shift, kHeight, kWidth);
    expectSame(out.data() + 69 - shift, expected);
    ASSERT_TRUE((shift == 69 || out[68 - shift] == 99) && out.back() == 99) << "written beside the output";
  }
}

TEST(Median3x3, SecondCallSeesNewContents) {
  Image image = randomImage(9 * 80, {}, 34), out(image.size());
  filters::median3x3(image.data(), out.data(), 9, 80);
  for (std::uint8_t &pixel : image)
    pixel = static_cast<std::uint8_t>(pixel * 7 + 3);
  filters::median3x3(image.data(), out.data(), 9, 80);
  expectSame(out.data(), reference(image, 9, 80));
}

} // namespace
