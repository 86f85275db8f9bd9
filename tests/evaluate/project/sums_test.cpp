#include "sums.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

void expectRunningSums(std::size_t n) {
  std::vector<unsigned> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = unsigned(i * 7 + 3);
  sums::running(x.data(), y.data(), n);
  unsigned sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(y[i], sum += x[i]);
}

TEST(Running, One) {
  expectRunningSums(1);
}
TEST(Running, Some) {
  expectRunningSums(100);
}
TEST(Running, Many) {
  expectRunningSums(1000);
}

} // namespace
