#include "depthwise_conv3x3.h"

#include <agentic_kernel.h>

namespace filters {

AGENTIC_KERNEL
AGENTIC_IN(in, height * width * channels)
AGENTIC_IN(weights, 9 * channels)
AGENTIC_IN(bias, channels)
AGENTIC_OUT(out, (height - 2) * (width - 2) * channels)
AGENTIC_REQUIRES(height >= 2 && width >= 2)
AGENTIC_TOLERANCE(absolute 1e-5)
void depthwiseConv3x3(const float *in, const float *weights, const float *bias, float *out, std::size_t height,
                      std::size_t width, std::size_t channels) {
  const std::size_t outHeight = height - 2, outWidth = width - 2;
  for (std::size_t y = 0; y < outHeight; ++y) {
    for (std::size_t x = 0; x < outWidth; ++x) {
      for (std::size_t c = 0; c < channels; ++c) {
        float sum = bias[c];
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < 3; ++j)
            sum += in[((y + i) * width + x + j) * channels + c] * weights[(i * 3 + j) * channels + c];
        }
        out[(y * outWidth + x) * channels + c] = sum;
      }
    }
  }
}

} // namespace filters
