#include <cstddef>

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

/// sums[c] = sum of column c of a row-major matrix.
AGENTIC_KERNEL
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c) {
    float sum = 0.0f;
    for (std::size_t r = 0; r < rows; ++r)
      sum += matrix[r * columns + c];
    sums[c] = sum;
  }
}
