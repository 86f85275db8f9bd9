#include "xxh32.h"

#include "edge_buffer.h"

#include <array>
#include <random>
#include <string_view>

namespace {

using testing_support::EdgeBuffer;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint32_t, 4> kSeeds{0, 1, 0x9e3779b1, 0xffffffff};

Bytes randomBytes(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

/// (value turned left) · factor, in 64 bits.
std::uint32_t turned(std::uint64_t value, unsigned left, std::uint64_t factor = 1) {
  value = value % (1ull << 32) << left;
  return static_cast<std::uint32_t>((value % (1ull << 32) + (value >> 32)) * factor);
}

/// One pass over all bytes: each goes into a word at its place, and full words into the sum whose turn it is.
std::uint32_t reference(std::uint32_t seed, const std::uint8_t *data, std::size_t size) {
  constexpr std::uint64_t k1 = 2654435761, k2 = 2246822519, k3 = 3266489917, k4 = 668265263, k5 = 374761393;
  std::array<std::uint64_t, 4> sums{seed + k1 + k2, seed + k2, seed, seed + (1ull << 32) - k1};
  const std::size_t striped = size / 16 * 16, worded = size / 4 * 4;
  std::uint64_t hash = seed + k5 + size, word = 0;
  const auto merged = [&] {
    return std::uint64_t{turned(sums[0], 1)} + turned(sums[1], 7) + turned(sums[2], 12) + turned(sums[3], 18);
  };
  for (std::size_t i = 0; i < size; ++i) {
    if (i == striped && striped > 0)
      hash = size + merged();
    word = word / 256 + (std::uint64_t{data[i]} << 24);
    if (i < striped && i % 4 == 3)
      sums[i / 4 % 4] = turned(sums[i / 4 % 4] + word * k2 % (1ull << 32), 13, k1);
    else if (i < worded && i % 4 == 3)
      hash = turned(hash + word * k3 % (1ull << 32), 17, k4);
    else if (i >= worded)
      hash = turned(hash + data[i] * k5, 11, k1);
  }
  if (size == striped && size > 0)
    hash = size + merged();
  hash %= 1ull << 32;
  hash = (hash ^ hash >> 15) * k2 % (1ull << 32);
  hash = (hash ^ hash >> 13) * k3 % (1ull << 32);
  return static_cast<std::uint32_t>(hash ^ hash >> 16);
}

void expectXxh32(const Bytes &bytes) {
  const EdgeBuffer<std::uint8_t> data(bytes);
  for (std::uint32_t seed : kSeeds)
    ASSERT_EQ(hashing::xxh32(data.data(), data.size(), seed), reference(seed, bytes.data(), bytes.size()))
        << bytes.size() << " bytes with seed " << seed;
}

TEST(Xxh32, KnownValues) {
  const auto of = [](std::string_view text, std::uint32_t seed = 0) {
    return hashing::xxh32(reinterpret_cast<const std::uint8_t *>(text.data()), text.size(), seed);
  };
  EXPECT_EQ(of(""), 0x02cc5d05u);
  EXPECT_EQ(of("", 0x9e3779b1), 0x36b78ae7u);
  EXPECT_EQ(of("a"), 0x550d7456u);
  EXPECT_EQ(of("abc"), 0x32d153ffu);
  EXPECT_EQ(of("Nobody inspects the spammish repetition"), 0xe2293b2fu);
}

TEST(Xxh32, EverySmallSize) {
  for (std::size_t size = 0; size <= 300; ++size) {
    expectXxh32(randomBytes(size, static_cast<unsigned>(size) + 1));
    expectXxh32(Bytes(size, 0));
    expectXxh32(Bytes(size, 0xff));
  }
}

TEST(Xxh32, OddSizes) {
  for (std::size_t size : {511u, 1024u, 1039u, 4099u, 65535u, 65536u, 100013u})
    expectXxh32(randomBytes(size, static_cast<unsigned>(size)));
}

// Each byte in the loop over stripes, in the words and in the bytes behind them.
TEST(Xxh32, EachByteCounts) {
  for (std::size_t size : {3u, 15u, 31u, 79u, 159u}) {
    Bytes bytes = randomBytes(size, 41);
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] ^= 0x81;
      ASSERT_EQ(hashing::xxh32(bytes.data(), size, 5), reference(5, bytes.data(), size)) << "byte " << i;
    }
  }
}

TEST(Xxh32, AnyAlignment) {
  const Bytes bytes = randomBytes(500, 42);
  for (std::size_t skipped = 0; skipped < 70; ++skipped)
    for (std::size_t size : {7u, 16u, 64u, 203u, 400u})
      ASSERT_EQ(hashing::xxh32(bytes.data() + skipped, size, 3), reference(3, bytes.data() + skipped, size));
}

TEST(Xxh32, SecondCallSeesNewContents) {
  Bytes bytes = randomBytes(207, 43);
  const std::uint32_t before = hashing::xxh32(bytes.data(), bytes.size(), 0);
  bytes[206] ^= 1;
  bytes[3] ^= 0x40;
  EXPECT_NE(hashing::xxh32(bytes.data(), bytes.size(), 0), before);
  EXPECT_EQ(hashing::xxh32(bytes.data(), bytes.size(), 0), reference(0, bytes.data(), bytes.size()));
}

} // namespace
