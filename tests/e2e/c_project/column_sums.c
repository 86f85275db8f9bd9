#include "column_sums.h"
#include <agentic_kernel.h>

static const float kZero = 0.0f;
static float plus(float class, float new) { return class + new; }

AGENTIC_KERNEL AGENTIC_IN(matrix, rows *columns) AGENTIC_OUT(sums, columns)
void column_sums(const float *restrict matrix, float *restrict sums, size_t rows, size_t columns) {
  for (size_t c = 0; c < columns; ++c) {
    float sum = kZero;
    for (size_t r = 0; r < rows; ++r)
      sum = plus(sum, matrix[r * columns + c]);
    sums[c] = sum;
  }
}
