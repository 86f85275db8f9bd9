#include "rope.h"

#include <agentic_kernel.h>

namespace attention {

AGENTIC_KERNEL
AGENTIC_INOUT(x, tokens * heads * 2 * pairs)
AGENTIC_IN(cosines, tokens * pairs)
AGENTIC_IN(sines, tokens * pairs)
AGENTIC_TOLERANCE(absolute 1e-5)
void rope(float *x, const float *cosines, const float *sines, std::size_t tokens, std::size_t heads,
          std::size_t pairs) {
  for (std::size_t t = 0; t < tokens; ++t) {
    for (std::size_t h = 0; h < heads; ++h) {
      float *head = x + (t * heads + h) * 2 * pairs;
      for (std::size_t i = 0; i < pairs; ++i) {
        const float cosine = cosines[t * pairs + i], sine = sines[t * pairs + i];
        const float a = head[2 * i], b = head[2 * i + 1];
        head[2 * i] = a * cosine - b * sine;
        head[2 * i + 1] = a * sine + b * cosine;
      }
    }
  }
}

} // namespace attention
