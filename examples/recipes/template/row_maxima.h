#pragma once

#include <cstddef>

/// maxima[r] = the largest element of row r of a row-major matrix with at least one column.
template <class T> void rowMaxima(const T *matrix, T *maxima, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r) {
    T best = matrix[r * columns];
    for (std::size_t c = 1; c < columns; ++c)
      best = best < matrix[r * columns + c] ? matrix[r * columns + c] : best;
    maxima[r] = best;
  }
}

// Declared here, so that every caller takes the definition in row_maxima.cpp.
template <> void rowMaxima<float>(const float *matrix, float *maxima, std::size_t rows, std::size_t columns);
extern template void rowMaxima<double>(const double *, double *, std::size_t, std::size_t);
