#include "kernel.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

void expectSquares(int n) {
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i)
    x[i] = float(i + 1);
  square(x.data(), y.data(), n);
  for (int i = 0; i < n; ++i)
    EXPECT_NEAR(y[i], x[i] * x[i], 1e-3);
}

TEST(Square, Small) {
  expectSquares(7);
}
TEST(Square, Large) {
  expectSquares(100);
}
TEST(Square, Skipped) {
  GTEST_SKIP() << "as on the baseline";
}

} // namespace
