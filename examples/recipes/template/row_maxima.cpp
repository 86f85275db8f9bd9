#include "row_maxima.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

// The template's loops once more, for float: what is tuned has to stand in the kernel itself.
AGENTIC_KERNEL
void rowMaximaFloat(const float *matrix, float *maxima, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r) {
    float best = matrix[r * columns];
    for (std::size_t c = 1; c < columns; ++c)
      best = best < matrix[r * columns + c] ? matrix[r * columns + c] : best;
    maxima[r] = best;
  }
}

template <> void rowMaxima<float>(const float *matrix, float *maxima, std::size_t rows, std::size_t columns) {
  rowMaximaFloat(matrix, maxima, rows, columns);
}

// The types that are not hot: the template as it stands, compiled once.
template void rowMaxima<double>(const double *, double *, std::size_t, std::size_t);
