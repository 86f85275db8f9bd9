// The median of each 3×3 neighbourhood of an image of one channel: removes single wrong pixels and keeps edges.
#pragma once

#include <cstddef>
#include <cstdint>

namespace filters {

/// out[y][x] = the fifth smallest of the nine pixels in[y - 1 … y + 1][x - 1 … x + 1] where all of them exist, and
/// in[y][x] in the first and last row and column. in and out are row-major, `height` × `width` bytes, and disjoint;
/// either size may be 0. Exact.
/// This form is in: OpenCV's medianBlur (ksize 3), ImageMagick's -statistic median, CImg's get_blur_median.
void median3x3(const std::uint8_t *in, std::uint8_t *out, std::size_t height, std::size_t width);

} // namespace filters
