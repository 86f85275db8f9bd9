#include "dot_f32.h"

#include <agentic_kernel.h>

namespace linear {

AGENTIC_KERNEL
AGENTIC_IN(a, size) AGENTIC_IN(b, size)
AGENTIC_MAY_ALIAS(a, b)
AGENTIC_TOLERANCE(relative 1e-4)
float dot(const float *a, const float *b, std::size_t size) {
  float sum = 0.0f;
  for (std::size_t i = 0; i < size; ++i)
    sum += a[i] * b[i];
  return sum;
}

} // namespace linear
