#include "zlib.h"

#include <gtest/gtest.h>

#include <vector>

// 1 + the sum of the bytes, and the sum of these sums, modulo 65521: by the definition in RFC 1950.
TEST(Adler32, IsTheDefinition) {
  std::vector<Bytef> data(20001);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = i % 3 ? 255 : static_cast<Bytef>(i * 131 >> 3);
  for (unsigned long start : {1ul, 65520ul << 16 | 65520}) // what a checksum goes on from: the largest sums, too
    for (uInt n : {0u, 1u, 2u, 7u, 15u, 16u, 17u, 100u, 5551u, 5552u, 5553u, 20000u}) {
      unsigned long a = start & 65535, b = start >> 16;
      for (uInt i = 0; i < n; ++i) {
        a = (a + data[i + 1]) % 65521;
        b = (b + a) % 65521;
      }
      EXPECT_EQ(adler32(start, data.data() + 1, n), b << 16 | a) << n;
    }
  EXPECT_EQ(adler32(0, nullptr, 0), 1ul);
}
