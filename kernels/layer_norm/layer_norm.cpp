#include "layer_norm.h"

#include <agentic_kernel.h>
#include <cmath>

namespace norm {

AGENTIC_KERNEL
AGENTIC_IN(in, rows * columns)
AGENTIC_IN(gamma, columns)
AGENTIC_IN(beta, columns)
AGENTIC_OUT(out, rows * columns)
AGENTIC_REQUIRES(eps > 0)
AGENTIC_REQUIRES(columns <= 16384)
AGENTIC_TOLERANCE(absolute 1e-3)
void layerNorm(const float *in, const float *gamma, const float *beta, float *out, std::size_t rows,
               std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *x = in + r * columns;
    float *y = out + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += x[c];
    const float mean = sum / static_cast<float>(columns);
    float squares = 0.0f;
    for (std::size_t c = 0; c < columns; ++c) {
      const float deviation = x[c] - mean;
      squares += deviation * deviation;
    }
    const float inverse = 1.0f / std::sqrt(squares / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[c] = (x[c] - mean) * inverse * gamma[c] + beta[c];
  }
}

} // namespace norm
