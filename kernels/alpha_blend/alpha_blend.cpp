#include "alpha_blend.h"

#include <agentic_kernel.h>

namespace color {

AGENTIC_KERNEL
AGENTIC_IN(src, 4 * pixels) AGENTIC_INOUT(dst, 4 * pixels)
void alphaBlend(const std::uint8_t *src, std::uint8_t *dst, std::size_t pixels) {
  for (std::size_t i = 0; i < pixels; ++i) {
    const unsigned alpha = src[4 * i + 3];
    for (std::size_t c = 0; c < 4; ++c) {
      const unsigned sum = src[4 * i + c] * alpha + dst[4 * i + c] * (255 - alpha);
      dst[4 * i + c] = static_cast<std::uint8_t>((sum + 127) / 255);
    }
  }
}

} // namespace color
