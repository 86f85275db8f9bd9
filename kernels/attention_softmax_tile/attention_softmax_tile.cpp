#include "attention_softmax_tile.h"

#include <agentic_kernel.h>
#include <cmath>
#include <limits>

namespace attention {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// The mask holds -infinity, and a row of nothing else has -infinity for its maximum.
AGENTIC_KERNEL
AGENTIC_IN(scores, rows * columns)
AGENTIC_IN(mask, rows * columns)
AGENTIC_OUT(weights, rows * columns)
AGENTIC_OUT(rowMax, rows)
AGENTIC_OUT(rowSum, rows)
AGENTIC_TOLERANCE(relative 2e-5)
AGENTIC_SPECIAL_VALUES
void softmaxTile(const float *scores, const float *mask, float scale, float *weights, float *rowMax, float *rowSum,
                 std::size_t rows, std::size_t columns) {
  for (std::size_t i = 0; i < rows * columns; ++i)
    weights[i] = scores[i] * scale;
  for (std::size_t i = 0; i < rows * columns; ++i)
    weights[i] = weights[i] + mask[i];
  for (std::size_t r = 0; r < rows; ++r) {
    float largest = kMinusInfinity;
    for (std::size_t c = 0; c < columns; ++c)
      largest = weights[r * columns + c] > largest ? weights[r * columns + c] : largest;
    rowMax[r] = largest;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const float shift = rowMax[r] == kMinusInfinity ? 0.0f : rowMax[r];
    for (std::size_t c = 0; c < columns; ++c)
      weights[r * columns + c] = std::exp(weights[r * columns + c] - shift);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += weights[r * columns + c];
    rowSum[r] = sum;
  }
}

} // namespace attention
