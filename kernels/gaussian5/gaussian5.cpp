#include "gaussian5.h"

#include <agentic_kernel.h>
#include <algorithm>

namespace filters {

namespace {

constexpr std::size_t kMaxWidth = 4096;

/// One row by (1 4 6 4 1): at most 16 · 255.
void filterRow(const std::uint8_t *in, std::uint16_t *out, std::size_t width) {
  const auto last = static_cast<std::ptrdiff_t>(width) - 1;
  const auto at = [&](std::ptrdiff_t x) { return in[std::clamp<std::ptrdiff_t>(x, 0, last)]; };
  for (std::ptrdiff_t x = 0; x <= last; ++x)
    out[x] = static_cast<std::uint16_t>(at(x - 2) + 4 * at(x - 1) + 6 * at(x) + 4 * at(x + 1) + at(x + 2));
}

} // namespace

AGENTIC_KERNEL
AGENTIC_IN(in, height * width) AGENTIC_OUT(out, height * width)
AGENTIC_REQUIRES(width <= 4096)
void gaussian5(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width) {
  std::uint16_t rows[5][kMaxWidth]; // the filtered row y is rows[y % 5]
  std::size_t filtered = 0;
  for (std::size_t y = 0; y < height; ++y) {
    for (; filtered < height && filtered <= y + 2; ++filtered)
      filterRow(in + filtered * width, rows[filtered % 5], width);
    const std::uint16_t *a = rows[(y < 2 ? 0 : y - 2) % 5];
    const std::uint16_t *b = rows[(y < 1 ? 0 : y - 1) % 5];
    const std::uint16_t *c = rows[y % 5];
    const std::uint16_t *d = rows[std::min(y + 1, height - 1) % 5];
    const std::uint16_t *e = rows[std::min(y + 2, height - 1) % 5];
    for (std::size_t x = 0; x < width; ++x) {
      const int sum = a[x] + 4 * b[x] + 6 * c[x] + 4 * d[x] + e[x];
      out[y * width + x] = static_cast<std::uint8_t>((sum + 128) / 256);
    }
  }
}

} // namespace filters
