#include "png_unfilter.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <array>
#include <cmath>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Bytes = std::vector<std::uint8_t>;

/// Filters an image, the other way round: what a PNG encoder does. Row r gets filters[r % filters.size()].
Bytes filtered(const Bytes &image, std::size_t rowBytes, std::size_t bytesPerPixel, const Bytes &filters) {
  Bytes coded;
  for (std::size_t r = 0; r * rowBytes < image.size(); ++r) {
    const unsigned filter = filters[r % filters.size()];
    coded.push_back(static_cast<std::uint8_t>(filter));
    for (std::size_t i = 0; i < rowBytes; ++i) {
      const auto at = [&](std::size_t up, std::size_t back) -> double {
        return up > r || back > i ? 0 : image[(r - up) * rowBytes + i - back];
      };
      const std::array<double, 3> near{at(0, bytesPerPixel), at(1, 0), at(1, bytesPerPixel)};
      double nearest = near[0];
      for (double candidate : near) // the first of the nearest
        if (std::fabs(near[0] + near[1] - near[2] - candidate) < std::fabs(near[0] + near[1] - near[2] - nearest))
          nearest = candidate;
      const std::array<double, 5> predictions{0, near[0], near[1], std::floor((near[0] + near[1]) / 2), nearest};
      const int prediction = filter < 5 ? static_cast<int>(predictions[filter]) : 0;
      coded.push_back(static_cast<std::uint8_t>(image[r * rowBytes + i] - prediction));
    }
  }
  return coded;
}

Bytes randomImage(std::size_t size, const Bytes &values, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes image(size);
  for (std::uint8_t &byte : image)
    byte = values.empty() ? static_cast<std::uint8_t>(engine()) : values[engine() % values.size()];
  return image;
}

void expectRestored(const Bytes &image, std::size_t rows, std::size_t rowBytes, std::size_t bytesPerPixel,
                    const Bytes &filters) {
  SCOPED_TRACE(testing::Message() << rows << " rows of " << rowBytes << " bytes, " << bytesPerPixel << " a pixel");
  const EdgeBuffer<std::uint8_t> in(rowBytes ? filtered(image, rowBytes, bytesPerPixel, filters) : Bytes(rows, 4));
  EdgeBuffer<std::uint8_t> out(image.size());
  for (std::size_t i = 0; i < image.size(); ++i)
    out.data()[i] = static_cast<std::uint8_t>(~image[i]); // a byte that is left alone is wrong
  png::unfilter(in.data(), out.data(), rows, rowBytes, bytesPerPixel);
  expectSame(out.data(), image);
  out.expectNothingWrittenBefore();
}

// All filters in turn, beginning with each: every pair of them in rows that follow each other, as first rows too.
const Bytes kTurns[] = {
    {0, 1, 2, 3, 4}, {1, 3, 0, 2, 4}, {2, 1, 0, 4, 3}, {3, 1, 4, 0}, {4, 2, 0, 3, 3, 2, 2, 1, 1, 4}};

TEST(PngUnfilter, EverySmallSize) {
  for (std::size_t bytesPerPixel : {3u, 4u})
    for (std::size_t pixels = 0; pixels <= 70; ++pixels)
      for (std::size_t rows = 0; rows <= 11; rows += rows < 2 ? 1 : 9)
        for (const Bytes &filters : kTurns)
          expectRestored(randomImage(rows * pixels * bytesPerPixel, {}, static_cast<unsigned>(pixels + rows)), rows,
                         pixels * bytesPerPixel, bytesPerPixel, filters);
}

TEST(PngUnfilter, EachFilterAlone) {
  for (std::size_t bytesPerPixel : {3u, 4u})
    for (unsigned filter = 0; filter < 5; ++filter)
      for (std::size_t pixels : {1u, 16u, 17u, 151u, 343u})
        expectRestored(randomImage(9 * pixels * bytesPerPixel, {}, filter), 9, pixels * bytesPerPixel, bytesPerPixel,
                       {static_cast<std::uint8_t>(filter)});
}

// As many equal distances as differences: Paeth's order of them, and the sums that leave 8 bits.
TEST(PngUnfilter, FewValues) {
  for (const Bytes &values : {Bytes{0, 1, 2, 3}, Bytes{0, 255}, Bytes{0, 1, 127, 128, 129, 254, 255}, Bytes{255}})
    for (std::size_t bytesPerPixel : {3u, 4u})
      for (unsigned filter : {1u, 2u, 3u, 4u})
        expectRestored(randomImage(40 * 60 * bytesPerPixel, values, filter), 40, 60 * bytesPerPixel, bytesPerPixel,
                       {static_cast<std::uint8_t>(filter)});
}

// left, above and corner all take every value of a grid: a pixel, and the one right of it, in two rows.
TEST(PngUnfilter, PaethOfEveryNeighbourhood) {
  Bytes image;
  for (unsigned above = 0; above < 256; above += 5)
    for (unsigned corner = 0; corner < 256; corner += 5)
      image.insert(image.end(), {static_cast<std::uint8_t>(corner), 9, 9, static_cast<std::uint8_t>(above), 8, 8});
  const std::size_t rowBytes = image.size();
  for (unsigned left = 0; left < 256; left += 5) {
    image.resize(rowBytes);
    for (std::size_t i = 0; i < rowBytes; ++i)
      image.push_back(static_cast<std::uint8_t>(i % 6 == 0 ? left : i % 7));
    const Bytes in = filtered(image, rowBytes, 3, {0, 4});
    Bytes out(image.size());
    png::unfilter(in.data(), out.data(), 2, rowBytes, 3);
    ASSERT_EQ(out == image, true) << left;
  }
}

// Worked out by hand from the specification: nothing of it shared with the encoder above.
TEST(PngUnfilter, KnownRows) {
  const Bytes in{1, 10, 20, 30, 250, 1, 2, 2, 1, 1, 1, 6, 255, 0, 3, 5, 5, 5, 5, 5, 251, 4, 1, 2, 3, 200, 100, 50};
  const Bytes expected{10, 20, 30, 4,  21, 32, 11, 21, 31, 10,  20,  32, //
                       10, 15, 20, 15, 22, 21, 11, 17, 23, 215, 122, 73};
  Bytes out(expected.size());
  png::unfilter(in.data(), out.data(), 4, 6, 3);
  expectSame(out.data(), expected);
}

// Not in PNG: bytes above 4 change nothing, and do not stop the rows behind them.
TEST(PngUnfilter, UnknownFilters) {
  for (unsigned unknown : {5u, 6u, 7u, 128u, 255u})
    expectRestored(randomImage(6 * 44, {}, unknown), 6, 44, 4, {4, static_cast<std::uint8_t>(unknown), 3});
}

TEST(PngUnfilter, AnyAlignment) {
  const Bytes image = randomImage(10 * 92, {}, 71);
  const Bytes coded = filtered(image, 92, 4, kTurns[0]);
  for (std::size_t shift = 0; shift < 70; ++shift) {
    Bytes in(shift, 4), out(69 - shift + image.size() + 1, 99);
    in.insert(in.end(), coded.begin(), coded.end());
    png::unfilter(in.data() + shift, out.data() + 69 - shift, 10, 92, 4);
    expectSame(out.data() + 69 - shift, image);
    ASSERT_TRUE((shift == 69 || out[68 - shift] == 99) && out.back() == 99) << "written beside the output";
  }
}

TEST(PngUnfilter, SecondCallSeesNewContents) {
  Bytes in, out(10 * 84);
  for (unsigned seed : {72u, 73u, 74u}) {
    const Bytes image = randomImage(10 * 84, {}, seed);
    in = filtered(image, 84, 4, kTurns[seed % 3]);
    png::unfilter(in.data(), out.data(), 10, 84, 4);
    expectSame(out.data(), image);
  }
}

} // namespace
