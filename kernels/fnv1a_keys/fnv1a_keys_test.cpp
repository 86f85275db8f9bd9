#include "fnv1a_keys.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <random>
#include <string_view>

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

/// By the bits of the prime, without a multiplication.
std::vector<std::uint64_t> reference(const Bytes &keys, std::size_t count, std::size_t keySize) {
  std::vector<std::uint64_t> hashes(count, 14695981039346656037u);
  for (std::size_t i = 0; i < count * keySize; ++i) {
    std::uint64_t &hash = hashes[i / keySize];
    const std::uint64_t mixed = hash ^ keys[i];
    hash = mixed + (mixed << 1) + (mixed << 4) + (mixed << 5) + (mixed << 7) + (mixed << 8) + (mixed << 40);
  }
  return hashes;
}

void expectHashes(const Bytes &bytes, std::size_t count, std::size_t keySize) {
  const EdgeBuffer<std::uint8_t> keys(bytes);
  EdgeBuffer<std::uint64_t> hashes(count);
  hashing::fnv1aKeys(keys.data(), hashes.data(), count, keySize);
  expectSame(hashes.data(), reference(bytes, count, keySize));
  hashes.expectNothingWrittenBefore();
}

TEST(Fnv1aKeys, KnownValues) {
  const auto of = [](std::string_view text) {
    std::uint64_t hash = 0;
    hashing::fnv1aKeys(reinterpret_cast<const std::uint8_t *>(text.data()), &hash, 1, text.size());
    return hash;
  };
  EXPECT_EQ(of(""), 0xcbf29ce484222325u);
  EXPECT_EQ(of("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(of("foobar"), 0x85944171f73967e8u);
}

TEST(Fnv1aKeys, EverySmallCountAndKeySize) {
  for (std::size_t keySize = 0; keySize <= 35; ++keySize)
    for (std::size_t count = 0; count <= 35; ++count) {
      SCOPED_TRACE(keySize);
      expectHashes(randomBytes(count * keySize, static_cast<unsigned>(36 * keySize + count)), count, keySize);
    }
}

TEST(Fnv1aKeys, ManyKeys) {
  for (std::size_t keySize : {1u, 3u, 8u, 15u, 16u, 17u, 64u})
    for (std::size_t count : {100u, 255u, 1023u, 1025u, 2049u})
      expectHashes(randomBytes(count * keySize, static_cast<unsigned>(keySize + count)), count, keySize);
}

TEST(Fnv1aKeys, FewLongKeys) {
  for (std::size_t keySize : {255u, 256u, 1000u, 5003u})
    for (std::size_t count : {1u, 2u, 9u})
      expectHashes(randomBytes(count * keySize, static_cast<unsigned>(keySize + count)), count, keySize);
}

TEST(Fnv1aKeys, ZerosAndOnes) {
  for (std::size_t count : {1u, 7u, 40u}) {
    expectHashes(Bytes(count * 16, 0), count, 16);
    expectHashes(Bytes(count * 16, 0xff), count, 16);
  }
}

// One byte changes the hash of its own key alone: every byte of every key in a few vectors.
TEST(Fnv1aKeys, EachByteBelongsToOneKey) {
  for (std::size_t keySize : {4u, 16u, 20u}) {
    constexpr std::size_t kCount = 19;
    Bytes keys = randomBytes(kCount * keySize, 31);
    std::vector<std::uint64_t> hashes(kCount);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      keys[i] ^= 0x81;
      hashing::fnv1aKeys(keys.data(), hashes.data(), kCount, keySize);
      expectSame(hashes.data(), reference(keys, kCount, keySize));
    }
  }
}

TEST(Fnv1aKeys, AnyAlignment) {
  const Bytes bytes = randomBytes(1000, 32);
  for (std::size_t skipped = 0; skipped < 40; ++skipped)
    for (std::size_t shift = 0; shift < 9; ++shift) {
      const Bytes keys(bytes.begin() + static_cast<std::ptrdiff_t>(skipped), bytes.end());
      std::vector<std::uint64_t> hashes(shift + 50 + 1, 99);
      hashing::fnv1aKeys(bytes.data() + skipped, hashes.data() + shift, 50, 16);
      expectSame(hashes.data() + shift, reference(keys, 50, 16));
      ASSERT_TRUE((shift == 0 || hashes[shift - 1] == 99) && hashes.back() == 99) << "written beside the output";
    }
}

TEST(Fnv1aKeys, SecondCallSeesNewContents) {
  Bytes keys = randomBytes(30 * 16, 33);
  std::vector<std::uint64_t> hashes(30);
  hashing::fnv1aKeys(keys.data(), hashes.data(), 30, 16);
  keys.front() ^= 1;
  keys.back() ^= 1;
  hashing::fnv1aKeys(keys.data(), hashes.data(), 30, 16);
  expectSame(hashes.data(), reference(keys, 30, 16));
}

} // namespace
