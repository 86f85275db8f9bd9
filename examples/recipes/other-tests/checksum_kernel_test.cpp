// What decides about variants: sizes below, at and above every vector width, and values that overflow.
#include "checksum.h"

#include <gtest/gtest.h>

#include <vector>

TEST(Checksum, EverySizeAndOverflow) {
  for (std::size_t size = 0; size < 300; ++size) {
    std::vector<std::uint8_t> bytes(size);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<std::uint8_t>(255 - i * 31 % 256);
      expected += (i + 1) * bytes[i];
    }
    EXPECT_EQ(checksum(bytes.data(), size), static_cast<std::uint32_t>(expected)) << size;
  }
  const std::vector<std::uint8_t> large(100000, 255);
  EXPECT_EQ(checksum(large.data(), large.size()), static_cast<std::uint32_t>(255ull * 100000 * 100001 / 2));
}
