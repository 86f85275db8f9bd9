#include "gelu.h"

#include <agentic_kernel.h>
#include <cmath>

namespace activation {

constexpr float kRootOfTwoOverPi = 0.7978845608f;

AGENTIC_KERNEL
AGENTIC_IN(in, size)
AGENTIC_OUT(out, size)
AGENTIC_TOLERANCE(absolute 1e-5)
void gelu(const float *in, float *out, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const float x = in[i];
    const float inner = kRootOfTwoOverPi * (x + 0.044715f * x * x * x);
    out[i] = 0.5f * x * (1.0f + std::tanh(inner));
  }
}

} // namespace activation
