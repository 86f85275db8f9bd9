#include "sobel3x3.h"

#include <agentic_kernel.h>
#include <algorithm>
#include <cstdlib>

namespace filters {

AGENTIC_KERNEL
AGENTIC_IN(in, height * width) AGENTIC_OUT(out, height * width)
void sobel3x3(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width) {
  std::fill(out, out + height * width, std::uint8_t{0}); // the border stays
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::uint8_t *above = in + (y - 1) * width + x;
      const std::uint8_t *row = above + width;
      const std::uint8_t *below = row + width;
      const int gx = above[1] - above[-1] + 2 * (row[1] - row[-1]) + below[1] - below[-1];
      const int gy = below[-1] - above[-1] + 2 * (below[0] - above[0]) + below[1] - above[1];
      out[y * width + x] = static_cast<std::uint8_t>(std::min(std::abs(gx) + std::abs(gy), 255));
    }
  }
}

} // namespace filters
