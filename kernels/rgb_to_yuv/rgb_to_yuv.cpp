#include "rgb_to_yuv.h"

#include <agentic_kernel.h>

namespace color {

AGENTIC_KERNEL
AGENTIC_IN(rgb, 3 * pixels)
AGENTIC_OUT(y, pixels)
AGENTIC_OUT(u, pixels)
AGENTIC_OUT(v, pixels)
void rgbToYuv(const std::uint8_t *rgb, std::uint8_t *y, std::uint8_t *u, std::uint8_t *v, std::size_t pixels) {
  for (std::size_t i = 0; i < pixels; ++i) {
    const int r = rgb[3 * i];
    const int g = rgb[3 * i + 1];
    const int b = rgb[3 * i + 2];
    y[i] = static_cast<std::uint8_t>(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
    u[i] = static_cast<std::uint8_t>(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
    v[i] = static_cast<std::uint8_t>(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
  }
}

} // namespace color
