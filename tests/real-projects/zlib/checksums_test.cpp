#include "zlib.h"

#include <gtest/gtest.h>

#include <vector>

// 1 + the sum of the bytes, and the sum of these sums, modulo 65521: by the definition in RFC 1950.
TEST(Adler32, IsTheDefinition) {
  std::vector<Bytef> data(20000);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = i % 3 ? 255 : static_cast<Bytef>(i * 131 >> 3);
  for (uInt n : {0u, 1u, 2u, 15u, 16u, 17u, 100u, 5551u, 5552u, 5553u, 20000u}) {
    unsigned long a = 1, b = 0;
    for (uInt i = 0; i < n; ++i) {
      a = (a + data[i]) % 65521;
      b = (b + a) % 65521;
    }
    EXPECT_EQ(adler32(1, data.data(), n), b << 16 | a) << n;
  }
  EXPECT_EQ(adler32(0, nullptr, 0), 1ul);
}
