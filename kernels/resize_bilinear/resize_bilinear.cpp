#include "resize_bilinear.h"

#include <agentic_kernel.h>
#include <algorithm>

namespace scaling {

AGENTIC_KERNEL
AGENTIC_IN(in, inHeight * inWidth) AGENTIC_OUT(out, outHeight * outWidth)
AGENTIC_REQUIRES(inHeight >= 1 && inHeight <= 16384 && inWidth >= 1 && inWidth <= 16384)
AGENTIC_REQUIRES(outHeight >= 1 && outHeight <= 16384 && outWidth >= 1 && outWidth <= 16384)
void resizeBilinear(const std::uint8_t *in, std::size_t inHeight, std::size_t inWidth, std::uint8_t *out,
                    std::size_t outHeight, std::size_t outWidth) {
  const auto stepX = static_cast<std::int32_t>((inWidth << 16) / outWidth);
  const auto stepY = static_cast<std::int32_t>((inHeight << 16) / outHeight);
  const auto lastX = static_cast<std::int32_t>((inWidth - 1) << 16);
  const auto lastY = static_cast<std::int32_t>((inHeight - 1) << 16);
  std::int32_t nextY = stepY / 2 - 0x8000;
  for (std::size_t r = 0; r < outHeight; ++r, nextY += stepY) {
    const std::int32_t y = std::clamp(nextY, 0, lastY);
    const std::uint8_t *top = in + static_cast<std::size_t>(y >> 16) * inWidth;
    const std::uint8_t *bottom = y < lastY ? top + inWidth : top;
    const int wy = y >> 8 & 0xff;
    std::int32_t nextX = stepX / 2 - 0x8000;
    for (std::size_t c = 0; c < outWidth; ++c, nextX += stepX) {
      const std::int32_t x = std::clamp(nextX, 0, lastX);
      const std::int32_t left = x >> 16, right = x < lastX ? left + 1 : left;
      const int wx = x >> 8 & 0xff;
      const int upper = (256 - wx) * top[left] + wx * top[right];
      const int lower = (256 - wx) * bottom[left] + wx * bottom[right];
      out[r * outWidth + c] = static_cast<std::uint8_t>(((256 - wy) * upper + wy * lower + 0x8000) >> 16);
    }
  }
}

} // namespace scaling
