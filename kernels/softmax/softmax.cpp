#include "softmax.h"

#include <agentic_kernel.h>
#include <cmath>

namespace activation {

AGENTIC_KERNEL
AGENTIC_INOUT(x, rows * columns)
AGENTIC_REQUIRES(columns > 0)
AGENTIC_TOLERANCE(relative 1e-4)
AGENTIC_SPECIAL_VALUES
void softmax(float *x, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r) {
    float *row = x + r * columns;
    float largest = row[0];
    for (std::size_t c = 1; c < columns; ++c) {
      if (row[c] > largest)
        largest = row[c];
    }
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c) {
      row[c] = std::exp(row[c] - largest);
      sum += row[c];
    }
    for (std::size_t c = 0; c < columns; ++c)
      row[c] /= sum;
  }
}

} // namespace activation
