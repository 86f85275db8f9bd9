#include "fallback-motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

static std::vector<int16_t> samples(std::size_t n, unsigned seed) {
  std::vector<int16_t> result(n);
  for (int16_t &sample : result)
    sample = static_cast<int16_t>(((seed = seed * 1103515245u + 12345u) >> 17) - 8192);
  return result;
}

TEST(Motion, PredictionIsWeightedRoundedAndClipped) {
  const std::vector<int16_t> in = samples(64 * 70, 1);
  for (int width : {2, 4, 8, 12, 16, 64})
    for (int height : {1, 4, 64}) {
      std::vector<uint8_t> out(64 * 72, 99);
      put_weighted_pred_8_fallback(out.data(), 72, in.data(), 70, width, height, 37, -9, 11);
      for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 72; ++x)
          ASSERT_EQ(out[y * 72 + x],
                    x < width && y < height ? std::clamp(((in[y * 70 + x] * 37 + 1024) >> 11) - 9, 0, 255) : 99);
    }
}

TEST(Motion, AverageIsRoundedAndClipped) {
  const std::vector<int16_t> one = samples(64 * 70, 2), other = samples(64 * 70, 3);
  for (int width : {2, 4, 8, 12, 16, 64})
    for (int height : {1, 4, 64}) {
      std::vector<uint8_t> out(64 * 72, 99);
      put_weighted_pred_avg_8_fallback(out.data(), 72, one.data(), other.data(), 70, width, height);
      for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 72; ++x)
          ASSERT_EQ(out[y * 72 + x],
                    x < width && y < height ? std::clamp((one[y * 70 + x] + other[y * 70 + x] + 64) >> 7, 0, 255) : 99);
    }
}
