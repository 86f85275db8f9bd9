#include "heat2d.h"

#include <agentic_kernel.h>

namespace stencils {

AGENTIC_KERNEL
AGENTIC_IN(in, height * width) AGENTIC_OUT(out, height * width)
AGENTIC_TOLERANCE(absolute 1e-6)
void heatStep(const float *in, float *out, std::size_t height, std::size_t width, float rate) {
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t at = y * width + x;
      if (y == 0 || y == height - 1 || x == 0 || x == width - 1) {
        out[at] = in[at];
      } else {
        const float neighbours = in[at - width] + in[at + width] + in[at - 1] + in[at + 1];
        out[at] = in[at] + rate * (neighbours - 4.0f * in[at]);
      }
    }
  }
}

} // namespace stencils
