#include "crc32.h"

#include "edge_buffer.h"

#include <random>
#include <string_view>

namespace {

using testing_support::EdgeBuffer;
using Bytes = std::vector<std::uint8_t>;

Bytes randomBytes(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

std::uint32_t mirrored(std::uint32_t bits) {
  std::uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit)
    result |= (bits >> bit & 1) << (31 - bit);
  return result;
}

/// Long division, bit by bit, with the polynomial as it is written on paper: highest power first, no table.
std::uint32_t reference(std::uint32_t crc, const std::uint8_t *data, std::size_t size) {
  std::uint32_t rest = mirrored(~crc);
  for (std::size_t bit = 0; bit < 8 * size; ++bit) {
    const bool goesInto = rest >> 31 != (data[bit / 8] >> bit % 8 & 1u);
    rest = rest << 1 ^ (goesInto ? 0x04c11db7u : 0u);
  }
  return ~mirrored(rest);
}

void expectCrc32(std::uint32_t crc, const Bytes &bytes) {
  const EdgeBuffer<std::uint8_t> data(bytes);
  ASSERT_EQ(checksum::crc32(crc, data.data(), data.size()), reference(crc, bytes.data(), bytes.size()))
      << bytes.size() << " bytes after " << crc;
}

TEST(Crc32, KnownValues) {
  const auto of = [](std::string_view text) {
    return checksum::crc32(0, reinterpret_cast<const std::uint8_t *>(text.data()), text.size());
  };
  EXPECT_EQ(of(""), 0u);
  EXPECT_EQ(of("123456789"), 0xcbf43926u);
}

TEST(Crc32, EverySmallSize) {
  for (std::size_t size = 0; size <= 300; ++size) {
    expectCrc32(0, randomBytes(size, static_cast<unsigned>(size) + 1));
    expectCrc32(0x2468aceu << size % 5, Bytes(size, 0xff));
    expectCrc32(0xffffffff, Bytes(size, 0));
  }
}

TEST(Crc32, OddSizes) {
  for (std::size_t size : {511u, 1023u, 1025u, 4093u, 4099u, 65537u, 100003u})
    expectCrc32(0, randomBytes(size, static_cast<unsigned>(size)));
}

// Every entry of a table, at every place of the register.
TEST(Crc32, EveryByteAfterAnything) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::uint8_t data[1] = {static_cast<std::uint8_t>(byte)};
    for (std::uint32_t crc : {0u, 1u, 0x80u, 0x80000000u, 0x7fffffffu, 0xdeadbeefu, 0xffffffffu})
      ASSERT_EQ(checksum::crc32(crc, data, 1), reference(crc, data, 1)) << byte << " after " << crc;
  }
  const std::uint8_t none[1] = {0};
  for (unsigned bit = 0; bit < 32; ++bit) {
    ASSERT_EQ(checksum::crc32(1u << bit, none, 0), 1u << bit);
    ASSERT_EQ(checksum::crc32(1u << bit, none, 1), reference(1u << bit, none, 1));
  }
}

// Each bit changes the result in its own way, near the ends and in the middle of blocks.
TEST(Crc32, EachBitCounts) {
  for (std::size_t size : {9u, 40u, 130u, 290u}) {
    Bytes bytes = randomBytes(size, 21);
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
      ASSERT_EQ(checksum::crc32(0, bytes.data(), size), reference(0, bytes.data(), size)) << "bit " << bit;
    }
  }
}

TEST(Crc32, ContinuesWhereItStopped) {
  const Bytes bytes = randomBytes(500, 22);
  const std::uint32_t whole = checksum::crc32(0, bytes.data(), bytes.size());
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const std::uint32_t first = checksum::crc32(0, bytes.data(), cut);
    ASSERT_EQ(checksum::crc32(first, bytes.data() + cut, bytes.size() - cut), whole) << cut;
  }
}

TEST(Crc32, AnyAlignment) {
  const Bytes bytes = randomBytes(500, 23);
  for (std::size_t skipped = 0; skipped < 70; ++skipped)
    for (std::size_t size : {5u, 64u, 400u})
      ASSERT_EQ(checksum::crc32(0, bytes.data() + skipped, size), reference(0, bytes.data() + skipped, size));
}

TEST(Crc32, SecondCallSeesNewContents) {
  Bytes bytes = randomBytes(200, 24);
  const std::uint32_t before = checksum::crc32(0, bytes.data(), bytes.size());
  bytes[199] ^= 1;
  bytes[3] ^= 0x40;
  EXPECT_NE(checksum::crc32(0, bytes.data(), bytes.size()), before);
  EXPECT_EQ(checksum::crc32(0, bytes.data(), bytes.size()), reference(0, bytes.data(), bytes.size()));
}

} // namespace
