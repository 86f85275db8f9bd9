#include "mandelbrot.h"

#include <agentic_kernel.h>

namespace fractals {

AGENTIC_KERNEL
AGENTIC_OUT(iterations, width * height)
AGENTIC_REQUIRES(maxIterations >= 0)
AGENTIC_FP(contract)
void mandelbrot(float left, float top, float step, std::size_t width, std::size_t height, int maxIterations,
                int *iterations) {
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      const float cx = left + static_cast<float>(column) * step;
      const float cy = top + static_cast<float>(row) * step;
      float x = 0.0f;
      float y = 0.0f;
      int steps = 0;
      for (int n = 0; n < maxIterations; ++n) {
        if (x * x + y * y > 4.0f)
          break;
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        ++steps;
      }
      iterations[row * width + column] = steps;
    }
  }
}

} // namespace fractals
