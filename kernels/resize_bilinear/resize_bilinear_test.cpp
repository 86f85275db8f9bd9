#include "resize_bilinear.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Image = std::vector<std::uint8_t>;

struct Size {
  std::size_t height, width;
};

/// Which pixels give how much of each of the `to` results, as a row of `from` weights; multiplied, not added up.
std::vector<std::vector<std::uint64_t>> weights(std::size_t from, std::size_t to) {
  const std::int64_t step = static_cast<std::int64_t>(from) * 65536 / static_cast<std::int64_t>(to);
  std::vector<std::vector<std::uint64_t>> rows(to, std::vector<std::uint64_t>(from + 1, 0));
  for (std::size_t i = 0; i < to; ++i) {
    const std::int64_t wanted = static_cast<std::int64_t>(i) * step + step / 2 - 32768;
    const auto position = static_cast<std::uint64_t>(
        std::min(std::max<std::int64_t>(wanted, 0), (static_cast<std::int64_t>(from) - 1) * 65536));
    rows[i][position / 65536] = 256 - position % 65536 / 256;
    rows[i][position / 65536 + 1] = position % 65536 / 256;
  }
  return rows;
}

Image reference(const Image &in, Size from, Size to) {
  const auto down = weights(from.height, to.height), across = weights(from.width, to.width);
  Image out;
  for (std::size_t r = 0; r < to.height; ++r) {
    std::vector<std::uint64_t> row(from.width + 1, 0); // of this height, before it is resized across
    for (std::size_t y = 0; y < from.height; ++y)
      for (std::size_t x = 0; x < from.width && down[r][y] != 0; ++x)
        row[x] += down[r][y] * in[y * from.width + x];
    for (std::size_t c = 0; c < to.width; ++c) {
      std::uint64_t sum = 0;
      for (std::size_t x = 0; x < from.width; ++x)
        sum += across[c][x] * row[x];
      out.push_back(static_cast<std::uint8_t>((sum + 32768) / 65536));
    }
  }
  return out;
}

Image randomImage(Size size, unsigned seed) {
  std::mt19937 engine(seed);
  Image image(size.height * size.width);
  for (std::uint8_t &pixel : image)
    pixel = static_cast<std::uint8_t>(engine());
  return image;
}

void expectResized(const Image &image, Size from, Size to) {
  SCOPED_TRACE(testing::Message() << from.height << "x" << from.width << " to " << to.height << "x" << to.width);
  const Image expected = reference(image, from, to);
  const EdgeBuffer<std::uint8_t> in(image);
  EdgeBuffer<std::uint8_t> out(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    out.data()[i] = static_cast<std::uint8_t>(~expected[i]); // a pixel that is left alone is wrong
  scaling::resizeBilinear(in.data(), from.height, from.width, out.data(), to.height, to.width);
  expectSame(out.data(), expected);
  out.expectNothingWrittenBefore();
}

TEST(ResizeBilinear, EverySmallWidth) {
  for (std::size_t from = 1; from <= 40; ++from)
    for (std::size_t to = 1; to <= 70; ++to)
      expectResized(randomImage({2, from}, static_cast<unsigned>(from * 100 + to)), {2, from}, {3, to});
}

TEST(ResizeBilinear, EverySmallHeight) {
  for (std::size_t from = 1; from <= 20; ++from)
    for (std::size_t to = 1; to <= 40; ++to)
      expectResized(randomImage({from, 5}, static_cast<unsigned>(from * 100 + to)), {from, 5}, {to, 7});
}

// A little and much larger and smaller, with tails.
TEST(ResizeBilinear, OddSizes) {
  const std::pair<Size, Size> cases[] = {{{27, 48}, {36, 64}},  {{36, 101}, {27, 76}}, {{9, 129}, {11, 257}},
                                         {{11, 257}, {9, 129}}, {{5, 333}, {4, 17}},   {{5, 19}, {6, 400}},
                                         {{40, 63}, {41, 65}},  {{3, 700}, {3, 1}},    {{2, 2}, {60, 131}}};
  for (const auto &[from, to] : cases)
    expectResized(randomImage(from, static_cast<unsigned>(to.width)), from, to);
}

// Sums that would leave 32 bits, steps of one 2^16th, steps as large as the image.
TEST(ResizeBilinear, LargestSizes) {
  const std::pair<Size, Size> cases[] = {{{1, 16384}, {1, 3}}, {{1, 16384}, {1, 1}}, {{1, 3}, {2, 16384}},
                                         {{16384, 1}, {3, 2}}, {{16384, 1}, {1, 1}}, {{2, 1}, {16384, 1}},
                                         {{1, 1}, {1, 16384}}};
  for (const auto &[from, to] : cases)
    expectResized(randomImage(from, static_cast<unsigned>(to.width)), from, to);
}

TEST(ResizeBilinear, SameSizeIsACopy) {
  const Image image = randomImage({13, 77}, 51);
  EXPECT_EQ(reference(image, {13, 77}, {13, 77}), image);
  expectResized(image, {13, 77}, {13, 77});
}

// One pixel: every weight, and which pixels have one. White next to black: the largest values and steepest slopes.
TEST(ResizeBilinear, OneBrightPixelAnywhere) {
  for (const auto &[from, to] : {std::pair<Size, Size>{{4, 9}, {7, 40}}, {{3, 40}, {4, 31}}, {{2, 90}, {2, 41}}}) {
    for (std::size_t position = 0; position < from.height * from.width; ++position) {
      Image image(from.height * from.width, 0);
      image[position] = 255;
      expectResized(image, from, to);
      for (std::uint8_t &pixel : image)
        pixel = static_cast<std::uint8_t>(255 - pixel);
      expectResized(image, from, to);
    }
  }
}

// Not by the same formulas: a plane, read at the centres of pixels in double.
TEST(ResizeBilinear, FollowsAPlane) {
  Image in(60 * 50), out(101 * 73);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<std::uint8_t>(2 * (i / 50) + i % 50);
  scaling::resizeBilinear(in.data(), 60, 50, out.data(), 101, 73);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double y = std::clamp((static_cast<double>(i / 73) + 0.5) * 60 / 101 - 0.5, 0.0, 59.0);
    const double x = std::clamp((static_cast<double>(i % 73) + 0.5) * 50 / 73 - 0.5, 0.0, 49.0);
    ASSERT_NEAR(out[i], 2 * y + x, 0.6) << i;
  }
}

TEST(ResizeBilinear, AnyAlignment) {
  const Image all = randomImage({1, 3 * 60 + 70}, 52);
  for (std::size_t shift = 0; shift < 70; ++shift) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(shift);
    const Image expected = reference({begin, begin + 3 * 60}, {3, 60}, {4, 80});
    Image out(69 - shift + expected.size() + 1, 99);
    scaling::resizeBilinear(all.data() + shift, 3, 60, out.data() + 69 - shift, 4, 80);
    expectSame(out.data() + 69 - shift, expected);
    ASSERT_TRUE((shift == 69 || out[68 - shift] == 99) && out.back() == 99) << "written beside the output";
  }
}

TEST(ResizeBilinear, SecondCallSeesNewContents) {
  Image image = randomImage({9, 80}, 53), out(12 * 107);
  scaling::resizeBilinear(image.data(), 9, 80, out.data(), 12, 107);
  for (std::uint8_t &pixel : image)
    pixel = static_cast<std::uint8_t>(pixel * 7 + 3);
  scaling::resizeBilinear(image.data(), 9, 80, out.data(), 12, 107);
  expectSame(out.data(), reference(image, {9, 80}, {12, 107}));
}

} // namespace
