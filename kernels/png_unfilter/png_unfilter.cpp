#include "png_unfilter.h"

#include <agentic_kernel.h>
#include <algorithm>
#include <cstdlib>

namespace png {

namespace {

int paeth(int left, int above, int corner) {
  const int estimate = left + above - corner;
  const int toLeft = std::abs(estimate - left);
  const int toAbove = std::abs(estimate - above);
  const int toCorner = std::abs(estimate - corner);
  if (toLeft <= toAbove && toLeft <= toCorner)
    return left;
  return toAbove <= toCorner ? above : corner;
}

} // namespace

AGENTIC_KERNEL
AGENTIC_IN(in, rows * (rowBytes + 1)) AGENTIC_OUT(out, rows * rowBytes)
AGENTIC_REQUIRES((bytesPerPixel == 3 || bytesPerPixel == 4) && rowBytes % bytesPerPixel == 0)
void unfilter(const std::uint8_t *in, std::uint8_t *out, std::size_t rows, std::size_t rowBytes,
              std::size_t bytesPerPixel) {
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint8_t *coded = in + r * (rowBytes + 1) + 1;
    std::uint8_t *row = out + r * rowBytes;
    const auto left = [&](std::size_t i) -> int { return i < bytesPerPixel ? 0 : row[i - bytesPerPixel]; };
    const auto above = [&](std::size_t i) -> int { return r == 0 ? 0 : out[(r - 1) * rowBytes + i]; };
    const auto corner = [&](std::size_t i) -> int { return i < bytesPerPixel ? 0 : above(i - bytesPerPixel); };
    switch (in[r * (rowBytes + 1)]) {
    case 1:
      for (std::size_t i = 0; i < rowBytes; ++i)
        row[i] = static_cast<std::uint8_t>(coded[i] + left(i));
      break;
    case 2:
      for (std::size_t i = 0; i < rowBytes; ++i)
        row[i] = static_cast<std::uint8_t>(coded[i] + above(i));
      break;
    case 3:
      for (std::size_t i = 0; i < rowBytes; ++i)
        row[i] = static_cast<std::uint8_t>(coded[i] + (left(i) + above(i)) / 2);
      break;
    case 4:
      for (std::size_t i = 0; i < rowBytes; ++i)
        row[i] = static_cast<std::uint8_t>(coded[i] + paeth(left(i), above(i), corner(i)));
      break;
    default:
      std::copy(coded, coded + rowBytes, row);
    }
  }
}

} // namespace png
