#include "median3x3.h"

#include <agentic_kernel.h>
#include <algorithm>

namespace filters {

AGENTIC_KERNEL
AGENTIC_IN(in, height * width) AGENTIC_OUT(out, height * width)
void median3x3(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width) {
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      if (y == 0 || x == 0 || y + 1 == height || x + 1 == width) {
        out[y * width + x] = in[y * width + x];
        continue;
      }
      std::uint8_t window[9];
      std::size_t count = 0;
      for (std::size_t i = y - 1; i <= y + 1; ++i)
        for (std::size_t j = x - 1; j <= x + 1; ++j)
          window[count++] = in[i * width + j];
      std::nth_element(window, window + 4, window + 9);
      out[y * width + x] = window[4];
    }
  }
}

} // namespace filters
