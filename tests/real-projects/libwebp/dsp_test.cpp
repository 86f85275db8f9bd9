#include "src/dsp/dsp.h"

#include <gtest/gtest.h>

#include <vector>

static unsigned next(unsigned &seed) {
  return (seed = seed * 1103515245u + 12345u) >> 8;
}

TEST(Dsp, LumaOfArgb) {
  VP8GetCPUInfo = nullptr; // the rows in C
  WebPInitConvertARGBToYUV();
  for (int width : {1, 2, 7, 16, 33, 640}) {
    std::vector<uint32_t> argb(static_cast<std::size_t>(width));
    for (unsigned seed = 1; uint32_t &pixel : argb)
      pixel = next(seed) << 8 ^ next(seed);
    std::vector<uint8_t> y(argb.size() + 1, 99);
    WebPConvertARGBToY(argb.data(), y.data(), width);
    for (std::size_t i = 0; i < argb.size(); ++i) {
      const int r = argb[i] >> 16 & 255, g = argb[i] >> 8 & 255, b = argb[i] & 255;
      ASSERT_EQ(y[i], (16839 * r + 33059 * g + 6420 * b + 32768 + (16 << 16)) >> 16);
    }
    EXPECT_EQ(y[argb.size()], 99);
  }
}

TEST(Dsp, SquaredErrorsAreSummed) {
  VP8GetCPUInfo = nullptr;
  VP8SSIMDspInit();
  std::vector<uint8_t> a(4096), b(4096);
  for (unsigned seed = 2, i = 0; i < 4096; ++i) {
    a[i] = static_cast<uint8_t>(next(seed));
    b[i] = i % 3 ? static_cast<uint8_t>(next(seed)) : static_cast<uint8_t>(255 - a[i]);
  }
  uint32_t expected = 0;
  for (int n = 0; n <= 4096; ++n) {
    ASSERT_EQ(VP8AccumulateSSE(a.data(), b.data(), n), expected) << n;
    if (n < 4096)
      expected += static_cast<uint32_t>((a[n] - b[n]) * (a[n] - b[n]));
  }
}
