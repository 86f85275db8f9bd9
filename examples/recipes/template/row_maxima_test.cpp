#include "row_maxima.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

template <class T> static void comparesWithTheLibrary() {
  for (std::size_t rows : {1, 3, 17})
    for (std::size_t columns : {1, 2, 8, 31, 64, 100}) {
      std::vector<T> matrix(rows * columns), maxima(rows);
      for (std::size_t i = 0; i < matrix.size(); ++i)
        matrix[i] = static_cast<T>(static_cast<int>(i * 7919 % 1009) - 700);
      rowMaxima(matrix.data(), maxima.data(), rows, columns);
      for (std::size_t r = 0; r < rows; ++r) {
        const T *row = matrix.data() + r * columns;
        EXPECT_EQ(maxima[r], *std::max_element(row, row + columns)) << rows << " x " << columns << ", row " << r;
      }
    }
}

TEST(RowMaxima, Float) {
  comparesWithTheLibrary<float>();
}
TEST(RowMaxima, Double) {
  comparesWithTheLibrary<double>();
}
