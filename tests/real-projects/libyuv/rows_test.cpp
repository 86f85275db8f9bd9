#include "libyuv/row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

static std::vector<uint8_t> bytes(std::size_t n, unsigned seed) {
  std::vector<uint8_t> result(n);
  for (uint8_t &byte : result)
    byte = static_cast<uint8_t>((seed = seed * 1103515245u + 12345u) >> 16);
  return result;
}

TEST(Rows, SobelXIsTheGradient) {
  for (int width : {1, 2, 15, 16, 33, 640}) {
    const auto n = static_cast<std::size_t>(width) + 2;
    const std::vector<uint8_t> a = bytes(n, 1), b = bytes(n, 2), c = bytes(n, 3);
    std::vector<uint8_t> out(n, 99);
    libyuv::SobelXRow_C(a.data(), b.data(), c.data(), out.data(), width);
    for (std::size_t i = 0; i + 2 < n; ++i)
      ASSERT_EQ(out[i], std::min(255, std::abs(a[i] - a[i + 2] + 2 * (b[i] - b[i + 2]) + c[i] - c[i + 2])));
    EXPECT_EQ(out[n - 2], 99);
  }
}

TEST(Rows, BlendIsSourceOverDestination) {
  for (int width : {1, 2, 7, 16, 33, 640}) {
    const auto n = static_cast<std::size_t>(width) * 4;
    const std::vector<uint8_t> over = bytes(n, 4), under = bytes(n, 5);
    std::vector<uint8_t> out(n + 1, 99);
    libyuv::ARGBBlendRow_C(over.data(), under.data(), out.data(), width);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(out[i], i % 4 == 3 ? 255 : std::min(255, over[i] + (under[i] * (256 - over[i | 3]) >> 8)));
    EXPECT_EQ(out[n], 99);
  }
}
