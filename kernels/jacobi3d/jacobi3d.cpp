#include "jacobi3d.h"

#include <agentic_kernel.h>

namespace stencils {

AGENTIC_KERNEL
AGENTIC_IN(in, depth * height * width) AGENTIC_INOUT(out, depth * height * width)
AGENTIC_TOLERANCE(absolute 1e-5)
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  for (std::size_t z = 1; z + 1 < depth; ++z) {
    for (std::size_t y = 1; y + 1 < height; ++y) {
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const float sum = in[(z * height + y) * width + x - 1] + in[(z * height + y) * width + x + 1] +
                          in[(z * height + y - 1) * width + x] + in[(z * height + y + 1) * width + x] +
                          in[((z - 1) * height + y) * width + x] + in[((z + 1) * height + y) * width + x];
        out[(z * height + y) * width + x] = centre * in[(z * height + y) * width + x] + neighbour * sum;
      }
    }
  }
}

} // namespace stencils
