#include "max_pool2x2.h"

#include <agentic_kernel.h>
#include <limits>

namespace pooling {

AGENTIC_KERNEL
AGENTIC_IN(in, channels * height * width)
AGENTIC_OUT(out, channels * (height / 2) * (width / 2))
void maxPool2x2(const float *in, float *out, std::size_t channels, std::size_t height, std::size_t width) {
  const std::size_t outHeight = height / 2, outWidth = width / 2;
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t y = 0; y < outHeight; ++y) {
      for (std::size_t x = 0; x < outWidth; ++x) {
        float largest = -std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < 2; ++i) {
          for (std::size_t j = 0; j < 2; ++j) {
            const float value = in[(c * height + 2 * y + i) * width + 2 * x + j];
            if (value > largest)
              largest = value;
          }
        }
        out[(c * outHeight + y) * outWidth + x] = largest;
      }
    }
  }
}

} // namespace pooling
