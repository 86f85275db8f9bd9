#include "q4_dot.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using quant::BlockQ4;
using quant::BlockQ8;

/// From the definition of binary16, not from the kernel's bit tricks.
double halfValue(std::uint16_t half) {
  const int exponent = (half >> 10) & 31, mantissa = half & 1023;
  const double magnitude = exponent == 0    ? std::ldexp(mantissa, -24)
                           : exponent == 31 ? (mantissa ? std::nan("") : INFINITY)
                                            : std::ldexp(1024 + mantissa, exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

struct Row {
  std::vector<BlockQ4> weights;
  std::vector<BlockQ8> values;
};

/// Scales between `lowest` and `highest` (bit patterns of positive halves), either sign.
Row randomRow(std::size_t blocks, std::uint16_t lowest, std::uint16_t highest, unsigned seed) {
  std::mt19937 engine(seed);
  const auto scale = [&] {
    return static_cast<std::uint16_t>((lowest + engine() % (highest - lowest + 1u)) | (engine() & 1 ? 0x8000u : 0u));
  };
  Row row{std::vector<BlockQ4>(blocks), std::vector<BlockQ8>(blocks)};
  for (std::size_t b = 0; b < blocks; ++b) {
    row.weights[b].scale = scale();
    row.values[b].scale = scale();
    for (std::uint8_t &nibbles : row.weights[b].nibbles)
      nibbles = static_cast<std::uint8_t>(engine());
    for (std::int8_t &value : row.values[b].values)
      value = static_cast<std::int8_t>(engine());
  }
  return row;
}

struct Expected {
  double sum = 0, magnitude = 0; ///< magnitude: sum of the blocks' absolute values, what rounding is relative to
};

Expected reference(const Row &row) {
  Expected expected;
  for (std::size_t b = 0; b < row.weights.size(); ++b) {
    double block = 0;
    for (int i = 0; i < 32; ++i) {
      const int nibble = i < 16 ? row.weights[b].nibbles[i] % 16 : row.weights[b].nibbles[i - 16] / 16;
      block += (nibble - 8) * static_cast<double>(row.values[b].values[i]);
    }
    block *= halfValue(row.weights[b].scale) * halfValue(row.values[b].scale);
    expected.sum += block;
    expected.magnitude += std::abs(block);
  }
  return expected;
}

void expectDot(const Row &row) {
  const Expected expected = reference(row);
  const float actual = quant::dotQ4(row.weights.data(), row.values.data(), row.weights.size());
  EXPECT_NEAR(actual, expected.sum, 1e-5 * expected.magnitude) << row.weights.size() << " blocks";
}

TEST(Q4Dot, NoBlocks) {
  EXPECT_EQ(quant::dotQ4(nullptr, nullptr, 0), 0.0f);
}

TEST(Q4Dot, EveryBlockCount) {
  for (std::size_t blocks = 1; blocks <= 70; ++blocks)
    for (unsigned seed : {1u, 2u, 3u})
      expectDot(randomRow(blocks, 0x2000, 0x3c00, seed * 100 + static_cast<unsigned>(blocks)));
}

TEST(Q4Dot, LongRows) {
  for (std::size_t blocks : {128u, 129u, 344u, 1000u})
    expectDot(randomRow(blocks, 0x2000, 0x3c00, static_cast<unsigned>(blocks)));
}

TEST(Q4Dot, Magnitudes) {
  expectDot(randomRow(40, 0x0400, 0x0800, 41)); // the smallest normal halves
  expectDot(randomRow(40, 0x0001, 0x03ff, 42)); // subnormal halves
  expectDot(randomRow(40, 0x5c00, 0x6000, 43)); // 256 to 512
}

// One weight and one value at a time: order and sign of the nibbles, position by position, exactly.
TEST(Q4Dot, EachPosition) {
  for (std::size_t blocks : {1u, 3u}) {
    for (std::size_t position = 0; position < blocks * 32; ++position) {
      for (int nibble : {0, 7, 9, 15}) {
        Row row{std::vector<BlockQ4>(blocks), std::vector<BlockQ8>(blocks)};
        for (std::size_t b = 0; b < blocks; ++b) {
          row.weights[b].scale = row.values[b].scale = 0x3c00;
          for (std::uint8_t &byte : row.weights[b].nibbles)
            byte = 0x88;
        }
        std::uint8_t &byte = row.weights[position / 32].nibbles[position % 16];
        byte = static_cast<std::uint8_t>(position % 32 < 16 ? (byte & 0xf0) | nibble : (byte & 0x0f) | nibble << 4);
        row.values[position / 32].values[position % 32] = -128;
        ASSERT_EQ(quant::dotQ4(row.weights.data(), row.values.data(), blocks), static_cast<float>((nibble - 8) * -128))
            << "position " << position;
      }
    }
  }
}

// Largest block sums: 16-bit arithmetic that saturates or wraps is wrong here.
TEST(Q4Dot, Extremes) {
  for (int nibbles : {0x00, 0xff, 0x0f, 0xf0}) {
    for (int value : {-128, -127, 127}) {
      Row row{std::vector<BlockQ4>(9), std::vector<BlockQ8>(9)};
      for (std::size_t b = 0; b < 9; ++b) {
        row.weights[b].scale = row.values[b].scale = 0x3c00;
        for (std::uint8_t &byte : row.weights[b].nibbles)
          byte = static_cast<std::uint8_t>(nibbles);
        for (std::int8_t &v : row.values[b].values)
          v = static_cast<std::int8_t>(value);
      }
      ASSERT_EQ(quant::dotQ4(row.weights.data(), row.values.data(), 9), static_cast<float>(reference(row).sum));
    }
  }
}

// Every finite half as a scale: decoding is exact.
TEST(Q4Dot, EveryScale) {
  Row row = randomRow(1, 0x3c00, 0x3c00, 44);
  row.values[0].scale = 0x3c00;
  row.weights[0].scale = 0x3c00;
  const double blockSum = reference(row).sum;
  for (unsigned half = 0; half < 0x10000; ++half) {
    if ((half & 0x7c00) == 0x7c00)
      continue;
    row.weights[0].scale = static_cast<std::uint16_t>(half);
    ASSERT_EQ(quant::dotQ4(row.weights.data(), row.values.data(), 1),
              static_cast<float>(blockSum * halfValue(row.weights[0].scale)))
        << "half " << half;
  }
}

TEST(Q4Dot, SecondCallSeesNewContents) {
  Row row = randomRow(4, 0x3000, 0x3c00, 45);
  expectDot(row);
  row.values[3].values[31] = static_cast<std::int8_t>(~row.values[3].values[31]);
  row.weights[0].nibbles[0] ^= 0xff;
  expectDot(row);
}

} // namespace
