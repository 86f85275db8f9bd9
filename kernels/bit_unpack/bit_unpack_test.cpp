#include "bit_unpack.h"

#include "edge_buffer.h"
#include "expect_same.h"

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

std::size_t packedSize(std::size_t count, unsigned bits) {
  return (count * bits + 7) / 8;
}

/// Bit by bit.
std::vector<std::uint32_t> reference(const Bytes &packed, std::size_t count, unsigned bits) {
  std::vector<std::uint32_t> values(count, 0);
  for (std::size_t n = 0; n < count * bits; ++n)
    values[n / bits] |= (packed[n / 8] >> n % 8 & std::uint32_t{1}) << n % bits;
  return values;
}

void expectUnpacked(const Bytes &bytes, std::size_t count, unsigned bits) {
  const EdgeBuffer<std::uint8_t> packed(bytes);
  EdgeBuffer<std::uint32_t> values(count);
  coding::bitUnpack(packed.data(), values.data(), count, bits);
  expectSame(values.data(), reference(bytes, count, bits));
  values.expectNothingWrittenBefore();
}

class Bits : public testing::TestWithParam<unsigned> {};

// The bits behind the last value are random, too.
TEST_P(Bits, EverySmallCount) {
  const unsigned bits = GetParam();
  for (std::size_t count = 0; count <= 100; ++count) {
    SCOPED_TRACE(count);
    expectUnpacked(randomBytes(packedSize(count, bits), static_cast<unsigned>(count) + bits), count, bits);
  }
}

TEST_P(Bits, OddCounts) {
  const unsigned bits = GetParam();
  for (std::size_t count : {255u, 257u, 1000u, 4099u})
    expectUnpacked(randomBytes(packedSize(count, bits), bits), count, bits);
}

TEST_P(Bits, ZerosAndOnes) {
  const unsigned bits = GetParam();
  for (std::size_t count : {1u, 8u, 33u, 70u}) {
    expectUnpacked(Bytes(packedSize(count, bits), 0), count, bits);
    expectUnpacked(Bytes(packedSize(count, bits), 0xff), count, bits);
  }
}

// Each bit of the input is in one value alone.
TEST_P(Bits, EachBit) {
  const unsigned bits = GetParam();
  constexpr std::size_t kCount = 35;
  std::vector<std::uint32_t> values(kCount);
  for (std::size_t n = 0; n < kCount * bits; ++n) {
    Bytes packed(packedSize(kCount, bits), 0);
    packed[n / 8] = static_cast<std::uint8_t>(1u << n % 8);
    values.assign(kCount, 99);
    coding::bitUnpack(packed.data(), values.data(), kCount, bits);
    for (std::size_t i = 0; i < kCount; ++i)
      ASSERT_EQ(values[i], i == n / bits ? 1u << n % bits : 0u) << "bit " << n << ", value " << i;
  }
}

TEST_P(Bits, AnyAlignment) {
  const unsigned bits = GetParam();
  const Bytes bytes = randomBytes(500, bits);
  for (std::size_t skipped = 0; skipped < 17; ++skipped) {
    const Bytes packed(bytes.begin() + static_cast<std::ptrdiff_t>(skipped), bytes.end());
    for (std::size_t shift = 0; shift < 17; shift += skipped % 4 + 1) {
      std::vector<std::uint32_t> values(shift + 75 + 1, 99);
      coding::bitUnpack(bytes.data() + skipped, values.data() + shift, 75, bits);
      expectSame(values.data() + shift, reference(packed, 75, bits));
      ASSERT_TRUE((shift == 0 || values[shift - 1] == 99) && values.back() == 99) << "written beside the output";
    }
  }
}

TEST_P(Bits, SecondCallSeesNewContents) {
  const unsigned bits = GetParam();
  Bytes packed = randomBytes(packedSize(80, bits), 61);
  std::vector<std::uint32_t> values(80);
  for (unsigned changed : {0u, 1u, 2u}) {
    packed.front() = static_cast<std::uint8_t>(packed.front() + changed);
    packed.back() = static_cast<std::uint8_t>(packed.back() - changed);
    coding::bitUnpack(packed.data(), values.data(), 80, bits);
    expectSame(values.data(), reference(packed, 80, bits));
  }
}

INSTANTIATE_TEST_SUITE_P(BitUnpack, Bits, testing::Range(1u, 33u),
                         [](const auto &width) { return std::to_string(width.param); });

} // namespace
