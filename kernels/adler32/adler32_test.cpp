#include "adler32.h"

#include "edge_buffer.h"

#include <random>
#include <string_view>

namespace {

using testing_support::EdgeBuffer;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kModulus = 65521, kLargest = (kModulus - 1) << 16 | (kModulus - 1);

Bytes randomBytes(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

/// A byte with n - 1 behind it is in n running sums: weights instead of running sums, and one division at the end.
std::uint32_t reference(std::uint32_t adler, const std::uint8_t *data, std::size_t size) {
  std::uint64_t a = adler % 65536, b = adler / 65536 + size * a;
  for (std::size_t i = 0; i < size; ++i) {
    a += data[i];
    b += (size - i) * std::uint64_t{data[i]};
  }
  return static_cast<std::uint32_t>(b % kModulus * 65536 + a % kModulus);
}

void expectAdler32(std::uint32_t adler, const Bytes &bytes) {
  const EdgeBuffer<std::uint8_t> data(bytes);
  ASSERT_EQ(checksum::adler32(adler, data.data(), data.size()), reference(adler, bytes.data(), bytes.size()))
      << bytes.size() << " bytes after " << adler;
}

TEST(Adler32, KnownValues) {
  const auto of = [](std::string_view text) {
    return checksum::adler32(1, reinterpret_cast<const std::uint8_t *>(text.data()), text.size());
  };
  EXPECT_EQ(of(""), 1u);
  EXPECT_EQ(of("a"), 0x00620062u);
  EXPECT_EQ(of("Wikipedia"), 0x11e60398u);
}

TEST(Adler32, EverySmallSize) {
  for (std::size_t size = 0; size <= 400; ++size) {
    const Bytes bytes = randomBytes(size, static_cast<unsigned>(size) + 1);
    expectAdler32(1, bytes);
    expectAdler32(0, bytes);
    expectAdler32(kLargest, Bytes(size, 0xff));
  }
}

// The sums of 5552 bytes without a division just fit 32 bits, from the largest start on and with the largest bytes.
TEST(Adler32, LargestSums) {
  for (std::size_t size : {4095u, 5536u, 5551u, 5552u, 5553u, 5568u, 11103u, 11104u, 11105u, 65521u, 65537u, 300007u})
    for (std::uint32_t adler : {1u, kModulus - 1, (kModulus - 1) << 16, kLargest}) {
      expectAdler32(adler, Bytes(size, 0xff));
      expectAdler32(adler, randomBytes(size, static_cast<unsigned>(size)));
    }
}

// Both sums end at, below and above the modulus.
TEST(Adler32, SumsAtTheModulus) {
  for (std::uint32_t a = kModulus - 257; a < kModulus; ++a)
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      const std::uint8_t data[1] = {static_cast<std::uint8_t>(byte)};
      for (std::uint32_t b : {0u, 1u, kModulus - a, kModulus - 1})
        ASSERT_EQ(checksum::adler32(b << 16 | a, data, 1), reference(b << 16 | a, data, 1)) << a << ' ' << byte;
    }
}

// A single byte counts by its place.
TEST(Adler32, EachPlace) {
  for (std::size_t size : {67u, 259u, 5600u})
    for (std::size_t place = 0; place < size; place += size > 1000 ? 37 : 1)
      for (unsigned byte : {1u, 0x80u, 0xffu}) {
        Bytes bytes(size, 0);
        bytes[place] = static_cast<std::uint8_t>(byte);
        ASSERT_EQ(checksum::adler32(1, bytes.data(), size), reference(1, bytes.data(), size)) << place;
      }
}

TEST(Adler32, ContinuesWhereItStopped) {
  const Bytes bytes = randomBytes(700, 11);
  const std::uint32_t whole = checksum::adler32(1, bytes.data(), bytes.size());
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const std::uint32_t first = checksum::adler32(1, bytes.data(), cut);
    ASSERT_EQ(checksum::adler32(first, bytes.data() + cut, bytes.size() - cut), whole) << cut;
  }
}

TEST(Adler32, AnyAlignment) {
  const Bytes bytes = randomBytes(6000, 12);
  for (std::size_t skipped = 0; skipped < 70; ++skipped)
    for (std::size_t size : {300u, 5600u})
      ASSERT_EQ(checksum::adler32(1, bytes.data() + skipped, size), reference(1, bytes.data() + skipped, size));
}

TEST(Adler32, SecondCallSeesNewContents) {
  Bytes bytes = randomBytes(200, 13);
  const std::uint32_t before = checksum::adler32(1, bytes.data(), bytes.size());
  bytes[199] ^= 1;
  bytes[3] ^= 0x40;
  EXPECT_NE(checksum::adler32(1, bytes.data(), bytes.size()), before);
  EXPECT_EQ(checksum::adler32(1, bytes.data(), bytes.size()), reference(1, bytes.data(), bytes.size()));
}

} // namespace
