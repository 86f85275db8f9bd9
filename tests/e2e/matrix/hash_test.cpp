#include "hash.h"

#include <constants.h>
#include <gtest/gtest.h>
#include <vector>

static_assert(kFactor == 2, "the programs see the other constants.h");

static std::vector<std::uint8_t> text(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 37 + 11);
  return bytes;
}

TEST(Hash, KnownValues) {
  EXPECT_EQ(polynomialHash(text(0).data(), 0), 17u);
  EXPECT_EQ(polynomialHash(text(1).data(), 1), 17u * 31u + 11u);
  EXPECT_EQ(saltedHash(text(1).data(), 1), 18u * 31u + 11u);
}

TEST(Hash, OneByteMore) {
  const std::vector<std::uint8_t> bytes = text(300);
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    ASSERT_EQ(polynomialHash(bytes.data(), size), polynomialHash(bytes.data(), size - 1) * 31u + bytes[size - 1]);
    ASSERT_EQ(saltedHash(bytes.data(), size), saltedHash(bytes.data(), size - 1) * 31u + bytes[size - 1]);
  }
}

TEST(Hash, OfHashes) {
  const std::vector<std::uint8_t> bytes = text(99);
  EXPECT_EQ(hashOfHashes(bytes.data(), 99),
            polynomialHash(bytes.data(), 49) * 31u + polynomialHash(bytes.data() + 49, 50));
}
