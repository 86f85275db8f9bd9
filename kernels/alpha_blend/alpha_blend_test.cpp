#include "alpha_blend.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Bytes = std::vector<std::uint8_t>;

/// In double: the mean is never halfway between two integers.
Bytes reference(const Bytes &src, const Bytes &dst) {
  Bytes out(dst.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double alpha = src[i / 4 * 4 + 3];
    out[i] = static_cast<std::uint8_t>(std::floor((src[i] * alpha + dst[i] * (255 - alpha)) / 255 + 0.5));
  }
  return out;
}

Bytes randomBytes(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

void expectBlended(const Bytes &src, const Bytes &dst) {
  SCOPED_TRACE(testing::Message() << src.size() / 4 << " pixels");
  const EdgeBuffer<std::uint8_t> in(src);
  EdgeBuffer<std::uint8_t> out(dst.size());
  std::copy(dst.begin(), dst.end(), out.begin());
  color::alphaBlend(in.data(), out.data(), src.size() / 4);
  expectSame(out.data(), reference(src, dst));
  out.expectNothingWrittenBefore();
}

TEST(AlphaBlend, EverySmallSize) {
  for (std::size_t pixels = 0; pixels <= 300; ++pixels)
    expectBlended(randomBytes(4 * pixels, static_cast<unsigned>(pixels) + 1),
                  randomBytes(4 * pixels, static_cast<unsigned>(pixels) + 1001));
}

TEST(AlphaBlend, OddSizes) {
  for (std::size_t pixels : {1021u, 4099u, 30011u})
    expectBlended(randomBytes(4 * pixels, 61), randomBytes(4 * pixels, 62));
}

// Every alpha with every source, over values at the ends and around the middle. The three colours differ.
TEST(AlphaBlend, EveryAlphaAndSource) {
  constexpr unsigned kUnder[] = {0, 1, 2, 64, 127, 128, 129, 253, 254, 255};
  for (unsigned alpha = 0; alpha < 256; ++alpha) {
    Bytes src, dst;
    for (unsigned over = 0; over < 256; ++over) {
      for (unsigned under : kUnder) {
        for (unsigned c = 0; c < 3; ++c) {
          src.push_back(static_cast<std::uint8_t>(over + c));
          dst.push_back(static_cast<std::uint8_t>(under + 17 * c));
        }
        src.push_back(static_cast<std::uint8_t>(alpha));
        dst.push_back(static_cast<std::uint8_t>(under));
      }
    }
    Bytes out = dst;
    color::alphaBlend(src.data(), out.data(), src.size() / 4);
    ASSERT_EQ(out == reference(src, dst), true) << "alpha " << alpha;
  }
}

// Every sum src · alpha, and so every remainder by 255, over black and over white.
TEST(AlphaBlend, RoundsToTheNearest) {
  for (unsigned under : {0u, 255u}) {
    Bytes src(4 * 256), dst(4 * 256, static_cast<std::uint8_t>(under));
    for (unsigned over = 0; over < 256; ++over) {
      for (std::size_t alpha = 0; alpha < 256; ++alpha) {
        std::fill_n(src.begin() + static_cast<std::ptrdiff_t>(4 * alpha), 3, static_cast<std::uint8_t>(over));
        src[4 * alpha + 3] = static_cast<std::uint8_t>(alpha);
      }
      Bytes out = dst;
      color::alphaBlend(src.data(), out.data(), 256);
      ASSERT_EQ(out == reference(src, dst), true) << over << " over " << under;
    }
  }
}

TEST(AlphaBlend, TransparentAndOpaque) {
  Bytes src = randomBytes(4 * 133, 63), dst = randomBytes(4 * 133, 64);
  for (std::size_t i = 3; i < src.size(); i += 4)
    src[i] = 0;
  Bytes out = dst;
  color::alphaBlend(src.data(), out.data(), 133);
  EXPECT_EQ(out, dst);
  for (std::size_t i = 3; i < src.size(); i += 4)
    src[i] = 255;
  color::alphaBlend(src.data(), out.data(), 133);
  EXPECT_EQ(out, src);
}

// One pixel that is not transparent: its alpha belongs to it alone.
TEST(AlphaBlend, OneOpaquePixelAnywhere) {
  for (std::size_t position = 0; position < 70; ++position) {
    Bytes src(4 * 70, 200);
    for (std::size_t i = 0; i < 70; ++i)
      src[4 * i + 3] = i == position ? 255 : 0;
    expectBlended(src, Bytes(4 * 70, 10));
  }
}

TEST(AlphaBlend, AnyAlignment) {
  const Bytes all = randomBytes(4 * 50 + 70, 65), under = randomBytes(4 * 50, 66);
  for (std::size_t shift = 0; shift < 70; ++shift) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(shift);
    Bytes out(69 - shift + under.size() + 1, 99);
    std::copy(under.begin(), under.end(), out.begin() + static_cast<std::ptrdiff_t>(69 - shift));
    color::alphaBlend(all.data() + shift, out.data() + 69 - shift, 50);
    expectSame(out.data() + 69 - shift, reference({begin, begin + 4 * 50}, under));
    ASSERT_TRUE((shift == 69 || out[68 - shift] == 99) && out.back() == 99) << "written beside the picture";
  }
}

TEST(AlphaBlend, SecondCallSeesNewContents) {
  Bytes src = randomBytes(4 * 77, 67), dst = randomBytes(4 * 77, 68);
  for (int call = 0; call < 3; ++call) {
    const Bytes expected = reference(src, dst);
    color::alphaBlend(src.data(), dst.data(), 77);
    expectSame(dst.data(), expected);
    src[4 * 76 + 3] = static_cast<std::uint8_t>(90 + call);
    src[0] ^= 0x55;
  }
}

} // namespace
