#include "conv3x3.h"

#include <agentic_kernel.h>

namespace filters {

AGENTIC_KERNEL
AGENTIC_IN(in, height * width) AGENTIC_IN(weights, 9) AGENTIC_OUT(out, height * width)
AGENTIC_TOLERANCE(absolute 1e-5)
void conv3x3(const float *in, const float *weights, float *out, std::size_t height, std::size_t width) {
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      float sum = 0.0f;
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          if (y + i >= 1 && y + i <= height && x + j >= 1 && x + j <= width)
            sum += in[(y + i - 1) * width + (x + j - 1)] * weights[i * 3 + j];
        }
      }
      out[y * width + x] = sum;
    }
  }
}

} // namespace filters
