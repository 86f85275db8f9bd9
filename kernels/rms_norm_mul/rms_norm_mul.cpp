#include "rms_norm_mul.h"

#include <agentic_kernel.h>
#include <cmath>

namespace norm {

AGENTIC_KERNEL
AGENTIC_IN(x, rows * columns)
AGENTIC_IN(weight, columns)
AGENTIC_OUT(y, rows * columns)
AGENTIC_REQUIRES(eps > 0)
AGENTIC_TOLERANCE(relative 1e-4)
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      out[c] = in[c] * scale;
    for (std::size_t c = 0; c < columns; ++c)
      out[c] = out[c] * weight[c];
  }
}

} // namespace norm
