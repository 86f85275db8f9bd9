#include "column_sums.h"
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace {

// Small whole numbers: sums are exact in any order.
void expectColumnSums(std::size_t rows, std::size_t columns, unsigned seed) {
  std::vector<float> matrix(rows * columns);
  for (float &element : matrix) {
    seed = seed * 1664525u + 1013904223u;
    element = static_cast<float>(static_cast<int>(seed >> 24) - 128);
  }
  const float kUntouched = -1e30f;
  std::vector<float> sums(columns + 1, std::numeric_limits<float>::quiet_NaN());
  sums[columns] = kUntouched;
  column_sums(matrix.data(), sums.data(), rows, columns);
  for (std::size_t c = 0; c < columns; ++c) {
    double expected = 0;
    for (std::size_t r = 0; r < rows; ++r)
      expected += matrix[r * columns + c];
    ASSERT_EQ(sums[c], expected) << "column " << c << " of a " << rows << "x" << columns << " matrix";
  }
  EXPECT_EQ(sums[columns], kUntouched) << "written past the end";
}

TEST(ColumnSums, EveryWidth) {
  for (std::size_t columns = 1; columns <= 70; ++columns)
    for (std::size_t rows : {0u, 1u, 2u, 7u, 33u})
      expectColumnSums(rows, columns, static_cast<unsigned>(columns * 100 + rows));
}

TEST(ColumnSums, LargeMatrices) {
  expectColumnSums(512, 512, 1);
  expectColumnSums(301, 1000, 2);
}

// The same buffers with other contents: nothing may be kept from the call before.
TEST(ColumnSums, SameBuffersAgain) {
  std::vector<float> matrix(6 * 35), sums(35);
  for (float value : {1.0f, 2.0f}) {
    matrix.assign(matrix.size(), value);
    column_sums(matrix.data(), sums.data(), 6, 35);
    EXPECT_EQ(sums, std::vector<float>(35, 6 * value));
  }
}

} // namespace
