#include "blur.h"

#include <gtest/gtest.h>

#include <vector>

TEST(Blur, EveryPixelOfSomeSizes) {
  for (std::size_t rows : {1, 15, 16, 33, 70})
    for (std::size_t columns : {1, 2, 3, 17, 64, 101}) {
      std::vector<float> in(rows * columns), out(rows * columns, -1.0f);
      for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<float>(i * 7919 % 1009) / 3.0f;
      blur(in.data(), out.data(), rows, columns);
      for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t c = i % columns;
        const float expected = c == 0 || c + 1 == columns ? in[i] : (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
        ASSERT_EQ(out[i], expected) << rows << " x " << columns << ", pixel " << i;
      }
    }
}
