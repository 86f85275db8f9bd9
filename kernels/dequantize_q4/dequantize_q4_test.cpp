#include "dequantize_q4.h"

#include "edge_buffer.h"
#include "expect_same.h"
#include "guarded_buffer.h"

#include <algorithm>
#include <bit>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using testing_support::randomFloats;

using Limits = std::numeric_limits<float>;

struct Blocks {
  std::vector<std::uint8_t> packed;
  std::vector<float> scales;
};

Blocks randomBlocks(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  Blocks blocks{std::vector<std::uint8_t>(16 * count), randomFloats(count, -0.1f, 0.1f, seed + 1)};
  for (std::uint8_t &byte : blocks.packed)
    byte = static_cast<std::uint8_t>(engine() >> 5);
  return blocks;
}

/// From the results' side: each looks for its byte. In double, where the product is exact.
std::vector<float> reference(const Blocks &blocks) {
  std::vector<float> out(32 * blocks.scales.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const unsigned byte = blocks.packed[i / 32 * 16 + i % 16];
    const double weight = double(i / 16 % 2 == 0 ? byte % 16 : byte / 16) - 8;
    out[i] = static_cast<float>(weight * double(blocks.scales[i / 32]));
  }
  return out;
}

/// The bits, so that 0 differs from -0; all NaN are one.
std::vector<std::uint32_t> bitsOf(const float *values, std::size_t size) {
  std::vector<std::uint32_t> bits(size);
  std::transform(values, values + size, bits.begin(), [](float value) {
    return std::bit_cast<std::uint32_t>(std::isnan(value) ? Limits::quiet_NaN() : value);
  });
  return bits;
}

/// The inputs can only be read, and nothing lies behind any array.
void expectWeights(const Blocks &blocks) {
  const EdgeBuffer<std::uint8_t> packed(blocks.packed);
  const EdgeBuffer<float> scales(blocks.scales);
  EdgeBuffer<float> out(32 * blocks.scales.size());
  quant::dequantizeQ4(packed.data(), scales.data(), out.data(), blocks.scales.size());
  const auto expected = reference(blocks);
  expectSame(bitsOf(out.data(), out.size()).data(), bitsOf(expected.data(), expected.size()));
  out.expectNothingWrittenBefore();
}

TEST(DequantizeQ4, EverySmallSize) {
  for (std::size_t count = 0; count <= 100; ++count) {
    SCOPED_TRACE(count);
    expectWeights(randomBlocks(count, static_cast<unsigned>(count)));
  }
}

TEST(DequantizeQ4, OddSizes) {
  for (std::size_t count : {127u, 129u, 511u, 1003u})
    expectWeights(randomBlocks(count, static_cast<unsigned>(count)));
}

// Each of the 256 bytes in each of the 16 places.
TEST(DequantizeQ4, EveryByteInEveryPlace) {
  Blocks blocks{{}, std::vector<float>(256, 0.3f)};
  for (unsigned first = 0; first < 256; ++first)
    for (unsigned i = 0; i < 16; ++i)
      blocks.packed.push_back(static_cast<std::uint8_t>(first + 37 * i));
  expectWeights(blocks);
}

// Every product with a scale of every size: rounded to a denormal number, too large, a zero of either sign, NaN.
TEST(DequantizeQ4, Scales) {
  std::vector<float> scales{0.0f,
                            Limits::max(),
                            Limits::denorm_min(),
                            Limits::min(),
                            Limits::infinity(),
                            Limits::quiet_NaN(),
                            Limits::max() / 8,
                            Limits::max() / 7,
                            0.1f};
  for (int exponent = -149; exponent <= 127; ++exponent)
    scales.push_back(std::ldexp(1.9999999f, exponent));
  for (float sign : {1.0f, -1.0f})
    for (unsigned byte : {0x80u, 0x91u, 0xa2u, 0xb3u, 0xc4u, 0xd5u, 0xe6u, 0xf7u, 0x08u}) {
      Blocks blocks{std::vector<std::uint8_t>(16 * scales.size(), static_cast<std::uint8_t>(byte)), scales};
      for (float &scale : blocks.scales)
        scale *= sign;
      expectWeights(blocks);
    }
}

// A block has its own scale, also beside one whose products are NaN.
TEST(DequantizeQ4, BlocksAreIndependent) {
  for (std::size_t position = 0; position < 19; ++position) {
    Blocks blocks = randomBlocks(19, 5);
    blocks.scales[position] = Limits::infinity();
    expectWeights(blocks);
    blocks.scales[position] = 1e6f;
    expectWeights(blocks);
  }
}

TEST(DequantizeQ4, AnyAlignment) {
  const Blocks blocks = randomBlocks(9, 7);
  for (std::size_t shift = 0; shift < 33; ++shift) {
    std::vector<std::uint8_t> packed(shift);
    std::vector<float> scales(shift), out(shift + 32 * 9);
    packed.insert(packed.end(), blocks.packed.begin(), blocks.packed.end());
    scales.insert(scales.end(), blocks.scales.begin(), blocks.scales.end());
    quant::dequantizeQ4(packed.data() + shift, scales.data() + shift, out.data() + shift, 9);
    expectSame(out.data() + shift, reference(blocks));
  }
}

TEST(DequantizeQ4, SecondCallSeesNewContents) {
  Blocks blocks = randomBlocks(12, 8);
  std::vector<float> out(32 * 12);
  quant::dequantizeQ4(blocks.packed.data(), blocks.scales.data(), out.data(), 12);
  blocks.packed.front() ^= 0x5a;
  blocks.scales.back() = 3.0f;
  quant::dequantizeQ4(blocks.packed.data(), blocks.scales.data(), out.data(), 12);
  expectSame(out.data(), reference(blocks));
}

} // namespace
